package rules

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oldNames name nothing in Go, because they had several meanings or are no terms of the field.
var oldNames = []string{
	"ask", "asked", "desk", "gone", "holders", "kept", "landed", "make", "of", "said", "says", "tell", "tells", "told", "tour",
}

// namesStay are names that something outside of the program knows: of the API's document, and of commands in scripts of tests.
var namesStay = map[string][]string{
	"cmd/pingmill": {"says"}, "etl": {"Make"}, "serve/web/queries": {"Asked"},
}

// oldPhrases are in no comment, text of a program or page of the documentation.
var oldPhrases = regexp.MustCompile(`(?i)\b(so many|who may|what is there|anew|nothing but|all the same|is that of|are those of|whoever)\b`)

func TestNamesAreTerms(t *testing.T) {
	for name := range places(t) {
		files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			for _, id := range namesIn(parsed(t, file)) {
				if slices.Contains(oldNames, strings.ToLower(id)) && !slices.Contains(namesStay[name], id) {
					t.Errorf("%s: %s is no name: use a term that says what it is", strings.TrimPrefix(file, "../../"), id)
				}
			}
		}
	}
}

// namesIn returns the names that a file declares, fields, methods and local ones too.
func namesIn(file *ast.File) (all []string) {
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id != nil {
				all = append(all, id.Name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.Field:
			add(n.Names...)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.AssignStmt:
			if n.Tok.String() == ":=" {
				for _, e := range n.Lhs {
					if id, is := e.(*ast.Ident); is {
						add(id)
					}
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, is := e.(*ast.Ident); is && n.Tok.String() == ":=" {
					add(id)
				}
			}
		}
		return true
	})
	return all
}

func TestProse(t *testing.T) {
	seen := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, "../../")
		switch {
		case err != nil:
			return err
		case e.IsDir() && (slices.Contains([]string{".git", "node_modules", "dist", "testdata"}, e.Name())):
			return filepath.SkipDir
		case e.IsDir(), !slices.Contains([]string{".go", ".md", ".ts", ".tsx"}, filepath.Ext(path)), name == "CHANGELOG.md":
			return nil
		case name == "tools/rules/words_test.go":
			return nil
		}
		seen++
		text, err := os.ReadFile(path)
		for _, found := range oldPhrases.FindAllString(string(text), -1) {
			t.Errorf("%s: %q: write a main clause", name, found)
		}
		return err
	}))
	require.NotZero(t, seen)
}
