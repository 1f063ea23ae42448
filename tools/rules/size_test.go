package rules

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const (
	maxFileLines = 300 // of a file, tests too
	maxColumns   = 140 // of a line of Go, a tab counting as one
)

func TestSizes(t *testing.T) {
	for name := range places(t) {
		files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			n := bytes.Count(text, []byte("\n"))
			if n > maxFileLines {
				t.Errorf("%s has %d lines: at most %d", strings.TrimPrefix(file, "../../"), n, maxFileLines)
			}
		}
	}
}

// TestLineLengths: only texts that cannot be divided may be longer: tags of fields, and raw strings of several lines, such as SQL
// and data of tests.
func TestLineLengths(t *testing.T) {
	for name := range places(t) {
		files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		require.NoError(t, err)
		for _, path := range files {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			if bytes.Contains(text, []byte("\n// Code generated ")) || bytes.HasPrefix(text, []byte("// Code generated ")) {
				continue
			}
			whole := undivided(t, path)
			for i, line := range strings.Split(string(text), "\n") {
				if n := utf8.RuneCountInString(line); n > maxColumns && !whole[i+1] {
					t.Errorf("%s:%d has %d columns: at most %d", strings.TrimPrefix(path, "../../"), i+1, n, maxColumns)
				}
			}
		}
	}
}

// undivided returns the lines of a file with a part of a field's tag or of a raw string of several lines.
func undivided(t *testing.T, path string) map[int]bool {
	t.Helper()
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil {
				lines[positions.Position(n.Tag.Pos()).Line] = true
			}
		case *ast.BasicLit:
			first, last := positions.Position(n.Pos()).Line, positions.Position(n.End()).Line
			for i := first; i <= last && first < last; i++ {
				lines[i] = true
			}
		}
		return true
	})
	return lines
}

// TestPageSizes: the limit of files holds for the pages' sources, too.
func TestPageSizes(t *testing.T) {
	seen := 0
	for _, dir := range []string{"../../serve/web/app/src", "../../serve/web/app/e2e", "../../serve/web/app/scripts"} {
		require.NoError(t, filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
			if err != nil || !slices.Contains([]string{".ts", ".tsx", ".mjs", ".css"}, filepath.Ext(file)) || e.Name() == "schema.d.ts" {
				return err
			}
			seen++
			text, err := os.ReadFile(file)
			if n := bytes.Count(text, []byte("\n")); n > maxFileLines {
				t.Errorf("%s has %d lines: at most %d", strings.TrimPrefix(file, "../../"), n, maxFileLines)
			}
			return err
		}))
	}
	require.NotZero(t, seen)
}
