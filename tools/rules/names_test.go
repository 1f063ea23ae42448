package rules

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
)

// Names of stored objects have one place each, because a writer and a reader with different names lose data: those of the
// archive are in archive/naming, those of the lake in lake/layout.go and lake/accepted.
var (
	// archiveNames may be in no literal elsewhere, except in texts.
	archiveNames = []string{
		naming.Pings, naming.Errors, naming.Loads, naming.Index, naming.Expired, naming.Seen, naming.Progress, naming.Spools,
		naming.Trouble, naming.Claims, naming.Commits, naming.CompactionState,
	}
	// wholeNames may be no literal elsewhere.
	wholeNames = []string{naming.FromSpool, naming.Replacing, naming.Undoing, naming.ExpireMark, naming.Source(""), naming.SeenBy("")}
	lakeNames  = []string{naming.Staging, "_generations", "_damaged", "_accepted"}

	// namesMay are the literals that are names of something else, by file.
	namesMay = map[string]map[string]string{
		"etl/filecheck/check.go": {naming.Source(""): "begins the key of a file of the archive"},
	}
)

func TestNamesOfObjectsHaveOnePlace(t *testing.T) {
	used := map[string]bool{}
	for name := range places(t) {
		if name == "archive/naming" || strings.HasPrefix(name, "tools/rules") {
			continue
		}
		files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			short := strings.TrimPrefix(file, "../../")
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(name, "test") {
				continue
			}
			for _, lit := range literalsOf(t, file) {
				bad := slices.Contains(wholeNames, lit) || !strings.Contains(lit, " ") &&
					slices.ContainsFunc(archiveNames, func(n string) bool { return strings.Contains(lit, n) })
				if short != "lake/layout.go" && short != "lake/accepted/accepted.go" {
					bad = bad || slices.ContainsFunc(lakeNames, func(n string) bool { return lit == n || strings.HasPrefix(lit, n+"/") })
				}
				if !bad {
					continue
				}
				if namesMay[short][lit] == "" {
					t.Errorf("%s repeats the name %q of stored objects: use that of archive/naming or package lake", short, lit)
				}
				used[short] = true
			}
		}
	}
	for file := range namesMay {
		if !used[file] {
			t.Errorf("%s has no name that would be of stored objects: remove the exception", file)
		}
	}
}

// literalsOf returns the strings in a file, without its imports.
func literalsOf(t *testing.T, file string) (all []string) {
	t.Helper()
	for _, d := range parsed(t, file).Decls {
		if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				all = append(all, text)
			}
			return true
		})
	}
	return all
}

// helpersHave are the functions that exist once, each with the package that has it.
var helpersHave = map[string]string{
	"plural": "internal/text", "stamp": "internal/text", "sleep": "internal/clock",
}

func TestHelpersExistOnce(t *testing.T) {
	for name := range places(t) {
		if strings.HasPrefix(name, "internal/") {
			continue
		}
		for _, file := range sourcesOf(t, name) {
			for _, d := range file.Decls {
				if f, is := d.(*ast.FuncDecl); is && f.Recv == nil && helpersHave[strings.ToLower(f.Name.Name)] != "" {
					t.Errorf("package %s has a function %s: use that of %s", name, f.Name.Name, helpersHave[strings.ToLower(f.Name.Name)])
				}
			}
		}
	}
}
