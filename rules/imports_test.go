package rules

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pingmill/pingmill/"

// lines are the layers of the project, lowest first. A package may import
// packages of lower lines, never one of its own line.
var lines = [][]string{
	{"panics"},
	{"inflate", "store", "job", "pipe"},
	{"ping"},
	{"schema", "forget"},
	{"column"},
	{"lake/pq", "archive/spool"},
	{"lake", "archive/format", "archive", "table", "generate", "generate/attack"},
	{"query", "ingest", "ingest/edge", "generate/send", "access", "check"},
	{"web", "etl", "check/sqlfile", "config"},
	{"service"},
	{"cmd/pingmill", "bench", "chaos"},
}

// beside are imports within a line that are allowed: a package and the folder
// below it that it is made of.
var beside = map[string]string{"archive": "archive/format"}

// standardOnly lists what a package may import besides the standard library
// and lower lines.
var standardOnly = map[string][]string{
	"ping": {"golang.org/x/sys/cpu"},
	"job":  {},
}

type goPackage struct {
	ImportPath  string
	Doc         string
	Imports     []string
	TestImports []string
	CgoFiles    []string
	Standard    bool
	Module      *struct{ Path string }
}

// listed are the packages that a go list call names.
func listed(t *testing.T, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Doc,Imports,CgoFiles,Standard,Module"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func lineOf(name string) int {
	for i, l := range lines {
		if slices.Contains(l, name) {
			return i
		}
	}
	return -1
}

func TestImportsGoDownOnly(t *testing.T) {
	for _, p := range listed(t, "./...") {
		name := strings.TrimPrefix(p.ImportPath, module)
		if name == "rules" || strings.HasPrefix(name, "store/") || strings.HasSuffix(name, "/avo") {
			continue // tests, and a generator
		}
		line := lineOf(name)
		if line < 0 {
			t.Errorf("package %s is on no line: add it to the list with the reason", name)
			continue
		}
		for _, imp := range p.Imports {
			to, own := strings.CutPrefix(imp, module)
			if !own {
				continue
			}
			if l := lineOf(to); l >= line && beside[name] != to {
				t.Errorf("package %s imports %s, which is not below it", name, to)
			}
		}
	}
}

func TestEveryPackageHasADoc(t *testing.T) {
	for _, p := range listed(t, "./...") {
		if p.Doc == "" {
			t.Errorf("package %s has no doc comment", p.ImportPath)
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
// benchmark imports DuckDB as well: it is what it compares with.
func TestDuckDBStaysInQuery(t *testing.T) {
	const duckdb = "github.com/duckdb/"
	for _, p := range listed(t, "./...") {
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, duckdb) && p.ImportPath != module+"query" && p.ImportPath != module+"bench" {
				t.Errorf("package %s imports %s: only query may", p.ImportPath, imp)
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
