package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// mayNameTables are folders whose code is about particular tables: their definitions, their
// transforms, and measurements.
var mayNameTables = []string{"schema/", "table/", "tools/bench/"}

// memberOfPings is a table's name that pings have as a member's, too.
const memberOfPings = "addons"

// TestNothingAsksForATableByName: what is true of a table is a field of it.
func TestNothingAsksForATableByName(t *testing.T) {
	tables := schema.Names(schema.NewSet(&schema.Probes{}).Tables)
	makers := tableMakers(t)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		// made for tests
		if slices.ContainsFunc(mayNameTables, func(folder string) bool { return strings.HasPrefix(file, folder) }) ||
			strings.HasSuffix(filepath.Dir(path), "test") {
			return nil
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		for _, n := range namings(tree, tables, makers) {
			t.Errorf("%s names a table: make what it asks for a field of schema.Table", set.Position(n.Pos()))
		}
		return nil
	})
	require.NoError(t, err)
}

// namings returns the places of a file that name a table: its name as a text of its own, or the function that makes its
// definition.
func namings(file *ast.File, tables, makers []string) (found []ast.Node) {
	compared := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			compared[n.X], compared[n.Y] = true, true
		case *ast.CaseClause:
			for _, e := range n.List {
				compared[e] = true
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && slices.Contains(tables, text) && (text != memberOfPings || compared[n]) {
				found = append(found, n)
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "schema" && slices.Contains(makers, n.Sel.Name) {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}

// tableMakers returns the functions of package schema that make the definition of one table.
func tableMakers(t *testing.T) (names []string) {
	files, err := filepath.Glob("../../schema/*.go")
	require.NoError(t, err)
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Type.Results.NumFields() != 1 {
				continue
			}
			star, ok := f.Type.Results.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if made, ok := star.X.(*ast.Ident); ok && made.Name == "Table" {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

func TestNamings(t *testing.T) {
	const text = `package p
func f(name string) bool {
	if name == "addons" || name != "clients_daily" { g("addons", "clients_daily") }
	switch name { case "addons": return true }
	return schema.Addons() == nil
}`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	require.NoError(t, err)
	if found := namings(file, []string{"addons", "clients_daily"}, []string{"Addons"}); len(found) != 5 {
		t.Errorf("%d places instead of 5", len(found))
	}
}
