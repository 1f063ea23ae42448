package check_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
)

func TestGoodPartitionsPass(t *testing.T) {
	s := goodSite(t)
	seen := 0
	for _, table := range allTables {
		for name, r := range results(t, s, table) {
			seen++
			want := check.Passed
			if strings.HasSuffix(name, "_usual_rows") {
				want = check.NotRun // there is one day only
			}
			if r.Verdict != want || len(r.Rows) > 0 {
				t.Errorf("%s: %s: %v", name, r.Verdict, r.Finding)
			}
		}
	}
	if seen != len(check.All(s.Tables)) {
		t.Errorf("%d checks were made, there are %d", seen, len(check.All(s.Tables)))
	}
}

// bad are partitions of which exactly the named check fails, for these rows.
var bad = []struct {
	name, table, check string
	change             func([]tableRow) []tableRow
	edit               func([]schema.Column) []schema.Column
	rows               []string
}{
	{
		name: "a ping without a row", table: "main_summary", check: "main_summary_one_per_ping",
		change: drop(is("document_id", "m3")), rows: []string{"document_id=m3: 0 rows of 1 ping"},
	},
	{
		name: "one row of two pings with an id", table: "main_summary", check: "main_summary_one_per_ping",
		change: func(rows []tableRow) []tableRow {
			at := slices.IndexFunc(rows, func(r tableRow) bool { return is("document_id", "m2")(r.row) })
			return slices.Delete(rows, at, at+1)
		},
		rows: []string{"document_id=m2: 1 row of 2 pings"},
	},
	{
		name: "a row twice, and one of no ping", table: "main_summary", check: "main_summary_one_per_ping",
		change: func(rows []tableRow) []tableRow {
			rows = with(is("document_id", "m1"), same)(rows)
			return with(is("document_id", "m5"), func(r map[string]any) { r["document_id"] = "m9" })(rows)
		},
		rows: []string{"document_id=m1: 2 rows of 1 ping", "document_id=m9: 1 row of 0 pings"},
	},
	{
		name: "nulls where there are none", table: "main_summary", check: "main_summary_required",
		change: func(rows []tableRow) []tableRow {
			return set(is("document_id", "m4"), "timestamp", nil)(set(is("document_id", "m1"), "submission_date", nil)(rows))
		},
		edit: nullable,
		rows: []string{
			"document_id=m1 submission_date null timestamp=1519862400000000000: null submission_date",
			"document_id=m4 submission_date=20180301 timestamp null: null timestamp",
		},
	},
	{
		name: "a column is missing", table: "main_summary", check: "main_summary_required",
		change: func(rows []tableRow) []tableRow { return rows },
		edit: func(cols []schema.Column) []schema.Column {
			return slices.DeleteFunc(cols, func(c schema.Column) bool { return c.Name == "timestamp" })
		},
		rows: []string{
			"document_id=m1 submission_date=20180301 timestamp null: null timestamp",
			"document_id=m2 submission_date=20180301 timestamp null: null timestamp",
			"document_id=m2 submission_date=20180301 timestamp null: null timestamp",
			"document_id=m3 submission_date=20180301 timestamp null: null timestamp",
			"document_id=m4 submission_date=20180301 timestamp null: null timestamp",
			"document_id=m5 submission_date=20180301 timestamp null: null timestamp",
		},
	},
	{
		name: "a record without add-ons is left out", table: "addons", check: "addons_cover",
		change: drop(is("document_id", "m3")), rows: []string{"document_id=m3 client_id=c2: 0 rows of 1 record"},
	},
	{
		name: "add-ons of a ping without a client", table: "addons", check: "addons_cover",
		change: with(is("document_id", "m3"), func(r map[string]any) { r["client_id"] = nil }),
		rows:   []string{"document_id=m3 client_id null: a row of no main_summary record with a client id"},
	},
	{
		name: "a client twice", table: "clients_daily", check: "clients_daily_grain",
		change: with(is("client_id", "c1"), same), rows: []string{"client_id=c1: 2 rows"},
	},
	{
		name: "the row without a client twice", table: "clients_daily", check: "clients_daily_grain",
		change: with(is("client_id", nil), same), rows: []string{"client_id null: 2 rows"},
	},
	{
		name: "a client is left out, and one made up", table: "clients_daily", check: "clients_daily_cover",
		change: set(is("client_id", "c1"), "client_id", "cX"),
		rows:   []string{"client_id=c1: no row of 3 pings", "client_id=cX: a row without a ping"},
	},
	{
		name: "a group of searches twice", table: "search_clients_daily", check: "search_clients_daily_grain",
		change: with(is("client_id", "c1"), same),
		rows:   []string{"client_id=c1 submission_date=20180301 engine=google source=urlbar: 2 rows"},
	},
	{
		name: "a client without searches twice", table: "search_clients_daily", check: "search_clients_daily_grain",
		change: with(is("client_id", "c2"), same),
		rows:   []string{"client_id=c2 submission_date=20180301 engine null source null: 2 rows"},
	},
	{
		name: "a client with searches is left out", table: "search_clients_daily", check: "search_clients_daily_cover",
		change: drop(is("client_id", "c1")), rows: []string{"client_id=c1 submission_date=20180301: no row of 3 pings"},
	},
	{
		name: "a day without pings", table: "search_clients_daily", check: "search_clients_daily_cover",
		change: with(is("client_id", "c2"), func(r map[string]any) { r["submission_date"] = "20180228" }),
		rows:   []string{"client_id=c2 submission_date=20180228: a row without a ping"},
	},
	{
		name: "an engine for no searches", table: "search_clients_daily", check: "search_clients_daily_no_search",
		change: func(rows []tableRow) []tableRow {
			return set(is("client_id", "c3"), "source", "urlbar")(set(is("client_id", "c2"), "engine", "google")(rows))
		},
		rows: []string{
			"client_id=c2 submission_date=20180301: no row with a null engine and source for 1 ping without searches",
			"client_id=c3 submission_date=20180301: no row with a null engine and source for 1 ping without searches",
		},
	},
	{
		name: "0 searches", table: "search_clients_daily", check: "search_clients_daily_null_counts",
		change: func(rows []tableRow) []tableRow {
			return set(is("client_id", "c1"), "tagged-follow-on", num(0))(set(is("client_id", "c2"), "sap", num(0))(rows))
		},
		rows: []string{
			"client_id=c1 submission_date=20180301 engine=google source=urlbar: tagged-follow-on is 0",
			"client_id=c2 submission_date=20180301 engine null source null: sap is 0",
		},
	},
	{
		name: "a crash is left out", table: "crash_summary", check: "crash_summary_one_per_ping",
		change: drop(is("client_id", "c2")), rows: []string{"client_id=c2: 0 rows of 1 ping"},
	},
	{
		name: "a profile twice", table: "telemetry_new_profile_parquet", check: "telemetry_new_profile_parquet_one_per_ping",
		change: with(any1, same), rows: []string{"id=n1: 2 rows of 1 ping"},
	},
	{
		name: "an update is left out", table: "telemetry_update_parquet", check: "telemetry_update_parquet_one_per_ping",
		change: drop(is("id", "u2")), rows: []string{"id=u2: 0 rows of 1 ping"},
	},
}

func nullable(cols []schema.Column) []schema.Column {
	for i := range cols {
		cols[i].NotNull = false
	}
	return cols
}

func TestBadPartitionsFail(t *testing.T) {
	s := goodSite(t)
	covered := map[string]bool{}
	for _, c := range bad {
		t.Run(c.name, func(t *testing.T) {
			covered[c.check] = true
			rewrite(t, s, c.table, c.change, c.edit)
			for name, r := range results(t, s, c.table) {
				switch {
				case name == c.check:
					if got := lines(r); r.Verdict != check.Failed || !r.Bad() || !slices.Equal(got, c.rows) || r.Total != len(c.rows) {
						t.Errorf("%s %d:\n%s\nwant\n%s", r.Verdict, r.Total, strings.Join(got, "\n"), strings.Join(c.rows, "\n"))
					}
				case r.Verdict != check.Passed && r.Verdict != check.NotRun:
					t.Errorf("%s: %v", name, r.Finding)
				}
			}
			again(t, s, c.table)
		})
	}
	kinds := map[schema.CheckKind]bool{}
	for _, table := range s.Tables {
		for _, c := range table.Checks {
			kinds[c.Kind] = kinds[c.Kind] || covered[table.Name+"_"+c.Name]
		}
	}
	for kind, failed := range kinds {
		if !failed {
			t.Errorf("there is no partition that a check of the kind %q fails for", kind)
		}
	}
}

func TestEmptyPartitions(t *testing.T) {
	s := goodSite(t)
	for _, table := range allTables {
		rewrite(t, s, table, nothing, nil)
		name := table + "_not_empty"
		r := results(t, s, table)[name]
		if r.Verdict != check.Failed || !strings.HasPrefix(r.Note, "no rows, though the day has") {
			t.Errorf("%s: %s %v", name, r.Verdict, r.Finding)
		}
		again(t, s, table)
	}
	// A day whose pings give no rows has empty partitions.
	load(t, s, "load2", "20180302", []doc{
		{"m1", "c1", "main", "Fennec", noSearches}, {"m2", "c2", "main", "Firefox", `[]`}, {"m3", "", "main", "Firefox", `7`},
	})
	run(t, s, "20180302")
	for _, table := range allTables {
		list, err := etl.Check(context.Background(), s, table, "20180302", check.All(s.Tables))
		if err != nil || len(list) == 0 {
			t.Fatal(len(list), err)
		}
		for _, r := range list {
			if r.Verdict != check.Passed && r.Verdict != check.NotRun {
				t.Errorf("%s: %s %v", r.Check.Name, r.Verdict, r.Finding)
			}
		}
	}
}

func TestManyBadRows(t *testing.T) {
	s := openSite(t)
	var many []doc
	for i := range 25 {
		many = append(many, doc{string(rune('a'+i)) + "-doc", "c1", "main", "Firefox", noSearches})
	}
	load(t, s, "load1", day, many)
	run(t, s, day)
	rewrite(t, s, "main_summary", with(any1, same), nil)
	r := results(t, s, "main_summary")["main_summary_one_per_ping"]
	if r.Total != 25 || len(r.Rows) != check.MaxRows || !strings.HasSuffix(r.String(), "; and 15 more") {
		t.Errorf("%v", r.String())
	}
}

func drop(which func(map[string]any) bool) func([]tableRow) []tableRow {
	return func(rows []tableRow) []tableRow {
		return slices.DeleteFunc(rows, func(r tableRow) bool { return which(r.row) })
	}
}

// with adds changed copies of the rows that match.
func with(which func(map[string]any) bool, change func(map[string]any)) func([]tableRow) []tableRow {
	return func(rows []tableRow) []tableRow {
		for _, r := range slices.Clone(rows) {
			if which(r.row) {
				c := r.clone()
				change(c.row)
				rows = append(rows, c)
			}
		}
		return rows
	}
}

// set changes the rows that match.
func set(which func(map[string]any) bool, name string, value any) func([]tableRow) []tableRow {
	return func(rows []tableRow) []tableRow {
		for _, r := range rows {
			if which(r.row) {
				r.row[name] = value
			}
		}
		return rows
	}
}
