package check_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
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
	daily := slices.DeleteFunc(slices.Clone(s.Tables), func(t *schema.Table) bool { return t.Snapshots != nil })
	if all := check.All(daily); seen != len(all) {
		t.Errorf("%d checks were made, there are %d", seen, len(all))
	}
}

// TestBadPartitionsFail makes partitions of which exactly the named checks fail.
func TestBadPartitionsFail(t *testing.T) {
	s := goodSite(t)
	covered := map[string]bool{}
	text, err := os.ReadFile("testdata/bad.txt")
	require.NoError(t, err)
	for _, record := range strings.Split(string(text), "\n\n")[1:] {
		title, rest, _ := strings.Cut(record, "\n")
		change, want, _ := strings.Cut(strings.TrimSpace(rest), "\n----\n")
		head, changes, _ := strings.Cut(change, "\n")
		names := strings.Fields(head)
		table, failing, also := names[0], names[1], names[2:]
		t.Run(strings.TrimPrefix(title, "# "), func(t *testing.T) {
			covered[failing] = true
			rewrite(t, s, table, strings.Split(changes, "\n")...)
			for name, r := range results(t, s, table) {
				switch {
				case name == failing:
					if got := strings.Join(lines(r), "\n"); r.Verdict != check.Failed || !r.Bad() || got != want ||
						r.Total != strings.Count(want, "\n")+1 {
						t.Errorf("%s %d:\n%s\nwant\n%s", r.Verdict, r.Total, got, want)
					}
				case slices.Contains(also, name) != (r.Verdict == check.Failed) || r.Verdict == check.Broken:
					t.Errorf("%s: %s %v", name, r.Verdict, r.Finding)
				}
			}
			again(t, s, table)
		})
	}
	kinds := map[schema.CheckKind]bool{}
	for _, table := range s.Tables {
		for _, c := range table.Checks {
			if c.Kind == schema.Readable { // TestReadable has a case
				continue
			}
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
	for _, one := range s.Tables {
		if one.Whole || one.Sparse || one.Snapshots != nil {
			continue
		}
		table := one.Name
		rewrite(t, s, table, "drop all")
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
		list, err := check.RunPublished(context.Background(), &s.Data, nil, table, "20180302", check.All(s.Tables), nil)
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
	rewrite(t, s, "main_summary", "copy all")
	r := results(t, s, "main_summary")["main_summary_one_per_ping"]
	if r.Total != 25 || len(r.Rows) != check.MaxRows || !strings.HasSuffix(r.String(), "; and 15 more") {
		t.Errorf("%v", r.String())
	}
}
