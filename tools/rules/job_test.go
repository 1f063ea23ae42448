package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// limit is the bound of a count that shows whether something has one job. Exceptions have the number that they had when
// the limit was set or they were last changed: it may only become smaller.
type limit struct {
	what       string
	most       int
	exceptions map[string]int
}

var (
	fields = limit{"fields", 20, map[string]int{
		"schema.Table":       27,
		"serve/web/jobs.Run": 21, "service.Config": 26, "service.Metrics": 26, "sql/queryservice.Query": 24,
		"terminal/prompt/line.Editor": 24, "tools/generate.client": 21, "tools/generate.software": 22,
	}}
	methods = limit{"methods", 40, map[string]int{
		"serve/pgwire.session": 42, "sql/presto.translator": 149,
		"sql/presto/syntax.parser": 125, "sql/query.Rows": 45, "table/column.Batch": 45, "terminal/prompt.Session": 45,
		"tools/generate.writer": 42,
	}}
	exported = limit{"exported names", 60, map[string]int{
		"access": 62, "archive": 66, "ping": 65, "schema": 120, "sql/presto/syntax": 170,
	}}
	imported = limit{"imports of own packages", 20, map[string]int{"cmd/pingmill": 34, "serve/web": 21, "service": 32}}
)

// check compares all counts with a limit.
func (l limit) check(t *testing.T, counts map[string]int) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		switch n, allowed := counts[name], l.exceptions[name]; {
		case allowed == 0 && n > l.most:
			t.Errorf("%s has %d %s: at most %d, so that it has one job", name, n, l.what, l.most)
		case allowed != 0 && n > allowed:
			t.Errorf("%s has %d %s: it is an exception with at most %d", name, n, l.what, allowed)
		case allowed != 0 && n < allowed:
			t.Errorf("%s has %d %s: write that in place of %d, or remove the exception if it is at most %d", name, n, l.what, allowed, l.most)
		}
	}
	for name := range l.exceptions {
		if counts[name] == 0 {
			t.Errorf("%s, an exception of %s, does not exist", name, l.what)
		}
	}
}

// TestOneJob limits what a type and a package may be: a type with more fields or methods, and a package that exports or
// imports more, has several jobs.
func TestOneJob(t *testing.T) {
	ofFields, ofMethods, ofExported, ofImported := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, p := range listed(t, "./...") {
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, module) && !strings.HasPrefix(imp, module+"internal/") {
				ofImported[p.name()]++
			}
		}
		for _, file := range sourcesOf(t, p.name()) {
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv != nil {
						ofMethods[p.name()+"."+receiver(d.Recv.List[0].Type)]++
					} else if d.Name.IsExported() {
						ofExported[p.name()]++
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						ofExported[p.name()] += exportedIn(s)
						if name, n := fieldsOf(s); n > 0 {
							ofFields[p.name()+"."+name] = n
						}
					}
				}
			}
		}
	}
	fields.check(t, ofFields)
	methods.check(t, ofMethods)
	exported.check(t, ofExported)
	imported.check(t, ofImported)
}

// sourcesOf parses the files of a package without its tests, for every system.
func sourcesOf(t *testing.T, name string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
	require.NoError(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		files = append(files, parsed(t, path))
	}
	return files
}

// parsed parses a file.
func parsed(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	return file
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func exportedIn(s ast.Spec) (n int) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			return 1
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() {
				n++
			}
		}
	}
	return n
}

func fieldsOf(s ast.Spec) (name string, n int) {
	if s, ok := s.(*ast.TypeSpec); ok {
		if is, ok := s.Type.(*ast.StructType); ok {
			return s.Name.Name, is.Fields.NumFields()
		}
	}
	return "", 0
}
