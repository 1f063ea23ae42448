package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	mdLink   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdTitle  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	notSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	goSymbol = regexp.MustCompile("\\[`(?:\\w+\\.)*(\\w+)`\\]\\(([^)\\s#]+)\\)")
)

// anchors returns the fragments that a page's headings have on GitHub.
func anchors(page []byte) []string {
	var all []string
	for _, m := range mdTitle.FindAllSubmatch(fence.ReplaceAll(page, nil), -1) {
		slug := notSlug.ReplaceAllString(strings.ToLower(string(m[1])), "")
		all = append(all, strings.ReplaceAll(slug, " ", "-"))
	}
	return all
}

// pages returns the documents for people.
func pages(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	below, err := filepath.Glob("../../docs/*/*.md")
	require.NoError(t, err)
	all := map[string][]byte{}
	for _, name := range append(append(names, below...),
		"../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md", "../../SECURITY.md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		all[name] = text
	}
	return all
}

// TestLinks looks for the file and the heading that every relative link names.
func TestLinks(t *testing.T) {
	all := pages(t)
	for name, text := range all {
		for _, m := range mdLink.FindAllSubmatch(fence.ReplaceAll(text, nil), -1) {
			target := string(m[1])
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			path, anchor, _ := strings.Cut(target, "#")
			file := name
			if path != "" {
				file = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", name, target, err)
			} else if anchor != "" && !slices.Contains(anchors(all[file]), anchor) {
				t.Errorf("%s links to %s: there is no such heading", name, target)
			}
		}
	}
}

// TestLinksOfTool looks for the pages and headings that the query tool's pages link to.
func TestLinksOfTool(t *testing.T) {
	routes, err := os.ReadFile("../../serve/web/app/src/app/routes.ts")
	require.NoError(t, err)
	all := pages(t)
	found := regexp.MustCompile(`docs: '([^']+)'`).FindAllSubmatch(routes, -1)
	require.NotEmpty(t, found)
	for _, m := range found {
		page, anchor, _ := strings.Cut(string(m[1]), "#")
		text, is := all["../../docs/"+page+".md"]
		if !is || anchor != "" && !slices.Contains(anchors(text), anchor) {
			t.Errorf("the query tool links to %s of the documentation, which does not exist", m[1])
		}
	}
}

// TestSymbols looks for the declaration of every Go symbol that a link names
// beside the file, such as [`lake.Table`](../lake/table.go).
func TestSymbols(t *testing.T) {
	found := 0
	for name, text := range pages(t) {
		for _, m := range goSymbol.FindAllSubmatch(text, -1) {
			file := string(m[2])
			if !strings.HasSuffix(file, ".go") {
				continue
			}
			path := filepath.Join(filepath.Dir(name), file)
			if _, err := os.Stat(path); err != nil {
				continue // TestLinks says so
			}
			found++
			if !slices.Contains(declared(t, path), string(m[1])) {
				t.Errorf("%s links to %s for %s, which is not declared there", name, file, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no page links to a symbol")
	}
}

// declared returns the names that a Go file declares at its top level, methods among them.
func declared(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var names []string
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}
