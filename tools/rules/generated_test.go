package rules

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sources returns the files of the packages and of their generators, by name.
func sources(t *testing.T, root string) map[string][]byte {
	t.Helper()
	tops := map[string]bool{"go.mod": true, "go.sum": true, "docs": true, "packaging": true}
	for name := range places(t) {
		top, _, _ := strings.Cut(name, "/")
		tops[top] = true
	}
	files := map[string][]byte{}
	for top := range tops {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			files[name], err = os.ReadFile(path)
			return err
		})
		require.NoError(t, err)
	}
	return files
}

// inCopy is a program for go run and go test to run what they built with, at the same place in a copy of the sources: they build in the
// sources, whose packages are compiled already.
const inCopy = `#!/bin/sh
cd "$COPY${PWD#"$SOURCES"}" && exec "$@"
`

// TestGenerated runs go generate, which writes into a copy of the sources, where it must change nothing.
func TestGenerated(t *testing.T) {
	before := sources(t, "../..")
	root := t.TempDir()
	for name, text := range before {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, text, 0o644))
	}
	own, err := filepath.Abs("../..")
	require.NoError(t, err)
	run := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.WriteFile(run, []byte(inCopy), 0o700))
	cmd := exec.Command("go", "generate", "./...")
	cmd.Dir = own
	cmd.Env = append(os.Environ(), "COPY="+root, "SOURCES="+own, "GOFLAGS="+os.Getenv("GOFLAGS")+" -exec="+run)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go generate: %v\n%s", err, out)
	}
	for _, root := range []string{root, own} { // a generator of another kind writes into the sources
		for name, text := range sources(t, root) {
			if !bytes.Equal(text, before[name]) {
				t.Errorf("%s is not what its source says: make generate", name)
			}
		}
	}
}
