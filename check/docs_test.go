package check_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/schema"
)

var update = flag.Bool("update", false, "write the table of checks into docs/checks.md")

// TestDocs compares the table in the documentation with the list of checks.
func TestDocs(t *testing.T) {
	const file, begin, end = "../docs/checks.md", "<!-- checks: begin -->\n", "<!-- checks: end -->\n"
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(b), begin)
	old, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table of checks", file)
	}
	var w strings.Builder
	fmt.Fprint(&w, "| check | table | severity | rule | reads |\n|---|---|---|---|---|\n")
	for _, c := range check.All(schema.NewSet(&schema.Probes{}).Tables) {
		reads := "manifests"
		if len(c.Columns) > 0 {
			reads = strings.Join(c.Columns, ", ")
		}
		fmt.Fprintf(&w, "| `%s` | %s | %s | %s | %s |\n", c.Name, c.Table, c.Severity, c.Rule, reads)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(before+begin+w.String()+end+after), 0o644))
		return
	}
	if w.String() != old {
		t.Errorf("%s does not have the checks there are: go test ./check -run TestDocs -update", file)
	}
}

// TestList holds the list to its own form.
func TestList(t *testing.T) {
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	tables := schema.NewSet(p).Tables
	seen := map[string]bool{}
	for _, c := range check.All(tables) {
		table, err := schema.Find(tables, c.Table)
		require.NoError(t, err)
		if seen[c.Name] || !strings.HasPrefix(c.Name, c.Table+"_") || c.Rule == "" || c.Func == nil {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
		for _, name := range c.Columns {
			if table.Index(name) < 0 {
				t.Errorf("%s reads %s, which %s does not have", c.Name, name, c.Table)
			}
		}
		if _, err := check.ParseSeverity(string(c.Severity)); err != nil {
			t.Error(err)
		}
	}
	if _, err := check.ParseSeverity("fatal"); err == nil {
		t.Error("a severity that does not exist")
	}
	if err := check.Known(check.All(tables), []string{"addons_cover", "nothing"}); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
		t.Errorf("an unknown check: %v", err)
	}
}
