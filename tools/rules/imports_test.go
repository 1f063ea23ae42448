package rules

import (
	"slices"
	"strings"
	"testing"
)

// testsMay are the imports of tests that go up, each with the reason.
var testsMay = map[string]map[string]string{
	"ingest/loader":       {"privacy/erase": "what was erased does not come in again"},
	"privacy/erase":       {"ingest/loader": "what is erased came in before"},
	"check":               {"etl": "the rules hold for partitions as they are made"},
	"tools/generate":      {"ingest": "what is generated decodes"},
	"tools/generate/send": {"ingest": "what is sent decodes"},
	"ingest/edge":         {"ingest": "what is accepted decodes"},
}

// standardOnly lists what a package may import besides the standard library
// and lower layers.
var standardOnly = map[string][]string{
	"ping":    {"golang.org/x/sys/cpu"},
	"etl/job": {},
}

// wrong returns those imports of package name that are not below it. A package may import the folders below its own,
// which it is made of.
func wrong(rows map[string]place, name string, imports []string) []string {
	var up []string
	for _, imp := range imports {
		to, own := strings.CutPrefix(imp, module)
		if own && to != name && rows[to].layer >= rows[name].layer && !strings.HasPrefix(to, name+"/") {
			up = append(up, to)
		}
	}
	return up
}

func TestImportsGoDownOnly(t *testing.T) {
	rows := places(t)
	for _, p := range listed(t, "./...") {
		for _, to := range wrong(rows, p.name(), p.Imports) {
			t.Errorf("package %s imports %s, which is not below it", p.name(), to)
		}
	}
}

func TestImportsOfTestsGoDownOnly(t *testing.T) {
	rows := places(t)
	for _, p := range listed(t, "./...") {
		may := testsMay[p.name()]
		up := wrong(rows, p.name(), slices.Concat(p.TestImports, p.XTestImports))
		for _, to := range up {
			if may[to] == "" {
				t.Errorf("a test of package %s imports %s, which is not below it", p.name(), to)
			}
		}
		for to := range may {
			if !slices.Contains(up, to) {
				t.Errorf("no test of package %s imports %s any more: remove the exception", p.name(), to)
			}
		}
	}
}

func TestStandardLibraryOnly(t *testing.T) {
	for name, allowed := range standardOnly {
		for _, p := range listed(t, "./"+name) {
			for _, imp := range p.Imports {
				first, _, _ := strings.Cut(imp, "/")
				if !strings.Contains(first, ".") || strings.HasPrefix(imp, module) || slices.Contains(allowed, imp) {
					continue
				}
				t.Errorf("package %s imports %s", name, imp)
			}
		}
	}
}

// TestDuckDBStaysInQuery keeps cgo out of everything below the SQL package. The
// benchmark imports DuckDB as well, to compare with it.
func TestDuckDBStaysInQuery(t *testing.T) {
	const duckdb = "github.com/duckdb/"
	for _, p := range listed(t, "./...") {
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, duckdb) && p.name() != "sql/query" && p.name() != "tools/bench" {
				t.Errorf("package %s imports %s: only query may", p.name(), imp)
			}
		}
	}
	for _, name := range []string{"./lake", "./archive", "./ingest", "./table"} {
		for _, p := range listed(t, "-deps", name) {
			if len(p.CgoFiles) > 0 && !p.Standard {
				t.Errorf("%s needs cgo package %s", name, p.ImportPath)
			}
		}
	}
}

// TestOneParquet keeps arrow-go's parquet out of the program, with its kernels: 20 MB.
// Tests and measurements compare with it.
func TestOneParquet(t *testing.T) {
	for _, p := range listed(t, "./...") {
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "github.com/apache/arrow-go/v18/parquet") &&
				!slices.Contains([]string{"lake/parquet/arrowgo", "tools/bench"}, p.name()) {
				t.Errorf("package %s imports %s: its parquet package is parquet", p.name(), imp)
			}
		}
	}
}
