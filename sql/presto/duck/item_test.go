package duck

import "testing"

// TestPrune: what nothing names is dropped, and then what only that named.
func TestPrune(t *testing.T) {
	inner := "(SELECT " + Item("r2", "c0", `r1."a"`) + Item("r2", "c1", `r1."b"`) + "unnest(x) AS u FROM t AS r1) AS r2"
	outer := "(SELECT " + Item("r3", "c0", "r2.c0") + Item("r3", "c1", "r2.c1") + Item("r3", "c10", "r2.u") + "unnest(r2.u) AS v FROM " +
		inner + ") AS r3"
	for query, want := range map[string]string{
		"SELECT r3.c1 FROM " + outer: `SELECT r3.c1 FROM (SELECT r2.c1 AS c1, unnest(r2.u) AS v FROM (SELECT r1."b" AS c1, unnest(x) AS u ` +
			`FROM t AS r1) AS r2) AS r3`,
		"SELECT r3.c10 FROM " + outer: `SELECT r3.c10 FROM (SELECT r2.u AS c10, unnest(r2.u) AS v FROM (SELECT unnest(x) AS u FROM t AS r1) ` +
			`AS r2) AS r3`,
		"SELECT r3.v FROM " + outer: `SELECT r3.v FROM (SELECT unnest(r2.u) AS v FROM (SELECT unnest(x) AS u FROM t AS r1) AS r2) AS r3`,
		"SELECT 1":                  "SELECT 1",
	} {
		if got := Prune(query); got != want {
			t.Errorf("pruned %q:\n%s\nwant\n%s", query, got, want)
		}
	}
}
