package rules

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const maxFileLines = 300 // of a file, tests too

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
