package query

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query/view"

	"github.com/pingmill/pingmill/schema"
)

var scanning = regexp.MustCompile(`(?:READ[\w ]+: |Scanning Files: *)(\d+)(?: of |/)(\d+)`)

// scanned returns how many files of how many a query reads, "" for all.
func scanned(t *testing.T, db *DB, d Dialect, sql string) string {
	t.Helper()
	plan := strings.NewReplacer("│", "", `\n`, " ").Replace(valuesIn(t, db, d, "EXPLAIN "+sql))
	if m := scanning.FindStringSubmatch(strings.Join(strings.Fields(plan), " ")); m != nil {
		return m[1] + "/" + m[2]
	}
	return ""
}

// TestClosedFiles puts garbage in place of the files that a query must not open.
func TestClosedFiles(t *testing.T) {
	l := newLake(t)
	views := l.days()
	db := open(t, views...)
	for _, f := range views[2].Files[1:] { // DuckDB plans with the first
		if !strings.Contains(f, "submission_date_obj=20180302/sample_id=42/") {
			l.garbage(f)
		}
	}
	const sum = `SELECT sum(s.count) FROM main_summary CROSS JOIN UNNEST(search_counts) AS t(s)`
	if got := valuesIn(t, db, Presto, sum+` WHERE submission_date_obj >= '20180302' AND sample_id = '42'`); got != "3" {
		t.Errorf("got %s", got)
	}
	_, err := tryIn(db, Presto, sum)
	var e *Error
	if !errors.As(err, &e) || e.Table != "main_summary" || !strings.HasPrefix(err.Error(), "read table main_summary: ") ||
		!strings.Contains(err.Error(), ".parquet") {
		t.Errorf("garbage: %v", err)
	}
}

func TestUnreadableTables(t *testing.T) {
	l := newLake(t)
	views := l.days()
	removed := views[1].Files[1]
	require.NoError(t, os.Remove(removed))
	views = append(views, View{Name: "search_clients_daily", Aliases: []string{"search_clients_daily_v2"},
		Columns: []Column{{Name: "client_id", Type: "VARCHAR"}},
		Err:     view.NewListError(fmt.Errorf("list partitions of search_clients_daily: %w", fs.ErrPermission))})
	db := open(t, views...)
	for sql, want := range map[string]string{
		`SELECT * FROM crash_summary`:    "read table crash_summary: IO Error: No files found that match the pattern \"" + removed,
		`SELECT * FROM crash_summary_v1`: "read table crash_summary: ",
		`SELECT * FROM search_clients_daily`: "read table search_clients_daily: IO Error: list partitions of search_clients_daily: " +
			"permission denied",
		`SELECT * FROM Search_Clients_Daily_v2`: "read table search_clients_daily: ",
	} {
		_, err := try(db, sql)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", sql, err, want)
		}
		if strings.Contains(sql, "earch") && !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v is not the cause given", sql, err)
		}
	}
	if got := values(t, db, `SELECT count(*) FROM clients_daily`); got != "12" {
		t.Errorf("other tables: %s", got)
	}
}

// TestSchemaEvolution reads partitions that older and newer versions wrote.
func TestSchemaEvolution(t *testing.T) {
	l := newLake(t)
	files := []string{
		l.copy("t/v1/day=1/a.parquet", `SELECT 1::INTEGER AS n, {'x': 1} AS s, [{'x': 1}] AS l, MAP{'k': {'x': 1}} AS m, 'in file' AS day`),
		l.copy("t/v1/day=2/a.parquet", `SELECT 'new' AS added, {'y': 'z', 'x': 2} AS s, [{'y': 'z', 'x': 2}] AS l, MAP{'k': {'y': 'z', 'x': `+
			`2}} AS m, 2::BIGINT AS n, 1 AS dropped`),
		l.copy("t/v1/day=3/a.parquet", `SELECT 3::INTEGER AS n`),
	}
	db := open(t, View{Name: "t", Files: files, PartitionKeys: []string{"day"}, Columns: []Column{
		{Name: "n", Type: "BIGINT"}, {Name: "s", Type: "STRUCT(x BIGINT, y VARCHAR)"}, {Name: "l", Type: "STRUCT(x BIGINT, y VARCHAR)[]"},
		{Name: "m", Type: "MAP(VARCHAR, STRUCT(x BIGINT, y VARCHAR))"}, {Name: "added", Type: "VARCHAR"}, {Name: "never", Type: "DECIMAL(27,6)"},
		{Name: "day", Type: "VARCHAR"}}})
	want := `{"n":1,"s":{"x":1,"y":null},"l":[{"x":1,"y":null}],"m":{"k":{"x":1,"y":null}},"added":null,"never":null,"day":"1"}
{"n":2,"s":{"x":2,"y":"z"},"l":[{"x":2,"y":"z"}],"m":{"k":{"x":2,"y":"z"}},"added":"new","never":null,"day":"2"}
{"n":3,"s":null,"l":null,"m":null,"added":null,"never":null,"day":"3"}`
	if got := answer(t, db, "SELECT * FROM t ORDER BY n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := values(t, db, "SELECT sum(n), count(added), max(s.y) FROM t WHERE day < '3'"); got != `3,1,"z"` {
		t.Errorf("got %s", got)
	}
}

// TestEmptyTables are tables without any published partition.
func TestEmptyTables(t *testing.T) {
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	var views []View
	aliases := 0 // snapshots are named by their days instead
	for _, table := range schema.NewSet(probes).Tables {
		views = append(views, TableView(table, nil))
		if !table.IsSnapshots() {
			aliases++
		}
	}
	db := open(t, views...)
	for i, table := range schema.NewSet(probes).Tables {
		if got := values(t, db, "SELECT count(*) FROM "+table.Name); got != "0" {
			t.Errorf("%s: %s rows", table.Name, got)
		}
		rows, err := db.Query(t.Context(), "SELECT * FROM "+table.Name)
		require.NoError(t, err)
		for j, c := range rows.Columns {
			want := strings.ReplaceAll(views[i].Columns[j].Type, `"`, "")
			if c.Name != table.Columns[j].Name || strings.ReplaceAll(c.Type, `"`, "") != want {
				t.Errorf("%s: column %s %s, want %s %s", table.Name, c.Name, c.Type, table.Columns[j].Name, want)
			}
		}
		if len(rows.Columns) != len(table.Columns) {
			t.Errorf("%s: %d columns, want %d", table.Name, len(rows.Columns), len(table.Columns))
		}
		assert.NoError(t, rows.Close())
	}
	if got := valuesIn(t, db, Presto, "SHOW PARTITIONS FROM main_summary"); got != "" {
		t.Errorf("partitions of an empty table: %s", got)
	}
	if got := values(t, db, `SELECT sum("tagged-sap"), sum("tagged-follow-on"), sum(sap) FROM search_clients_daily`); got != "null,null,null" {
		t.Errorf("names with dashes: %s", got)
	}
	if got := valuesIn(t, db, Presto, "SHOW TABLES LIKE '%summary'"); got != "\"crash_summary\"\n\"main_summary\"" {
		t.Errorf("tables: %s", got)
	}
	if got := values(t, db, "SELECT count(*) FROM information_schema.tables WHERE table_name LIKE '%_v_'"); got != strconv.Itoa(aliases) {
		t.Errorf("aliases: %s", got)
	}
}

func TestShowColumns(t *testing.T) {
	db := open(t, sharedDays(t)...)
	if got := valuesIn(t, db, Presto, "SHOW COLUMNS FROM clients_daily"); strings.Count(got, "\n")+1 != len(schema.ClientsDaily().Columns) {
		t.Errorf("SHOW COLUMNS: %s", got)
	}
}

// TestPaths reads files whose paths have characters with a meaning in SQL or
// in patterns, below roots of different depth, and one without its partition.
func TestPaths(t *testing.T) {
	l := newLake(t)
	odd := l.copy("a'b [x] *?%41 é/t/v1/day=1/key=x y/p.parquet", `SELECT 1 AS n, 'wrong' AS day`)
	deep := l.copy("deep/er/t/v1/day=2/key=z/p.parquet", `SELECT 2 AS n`)
	db := open(t,
		View{Name: "t", Files: []string{odd, deep}, PartitionKeys: []string{"day", "key"},
			Columns: []Column{{Name: "n", Type: "BIGINT"}, {Name: "day", Type: "VARCHAR"}, {Name: "key", Type: "VARCHAR"}}},
		View{Name: "u", Files: []string{odd}, PartitionKeys: []string{"day", "key"},
			Columns: []Column{{Name: "day", Type: "VARCHAR"}, {Name: "key", Type: "VARCHAR"}}},
		View{Name: "w", Files: []string{filepath.Join(l.root, "plain.parquet")}, PartitionKeys: []string{"day"},
			Columns: []Column{{Name: "n", Type: "BIGINT"}, {Name: "day", Type: "VARCHAR"}}},
		View{Name: "quoted \" name", Columns: []Column{{Name: "a \" b", Type: "VARCHAR"}}})
	l.copy("plain.parquet", `SELECT 5 AS n, 'in file' AS day`)
	for _, c := range []struct{ sql, want string }{
		{`SELECT n, day, key FROM t ORDER BY n`, "1,\"1\",\"x y\"\n2,\"2\",\"z\""},
		{`SELECT n FROM t WHERE key = 'z'`, "2"},
		{`SELECT * FROM u`, `"1","x y"`},
		{`SELECT * FROM w`, `5,"in file"`},
		{`SELECT count("a "" b") FROM "quoted "" name"`, "0"},
		{`SHOW PARTITIONS FROM t`, "\"1\",\"x y\"\n\"2\",\"z\""},
	} {
		if got := valuesIn(t, db, Presto, c.sql); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
	if got := scanned(t, db, Presto, `SELECT n FROM t WHERE day = '2'`); got != "1/2" {
		t.Errorf("files of roots of different depth: %s", got)
	}
}
