//go:build unix

package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is no file is no object, and nobody waits for it.
func TestFIFO(t *testing.T) {
	dir := t.TempDir()
	b := openLocal(t, dir)
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "a"), 0o600))
	if _, err := b.Open(ctx, "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened: %v", err)
	}
}

// A link that leads nowhere is no object either.
func TestDanglingLinks(t *testing.T) {
	dir := t.TempDir()
	b := openLocal(t, dir)
	for name, target := range map[string]string{"itself": "itself", "nowhere": "nothing", "folder": "."} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
		if _, err := b.Open(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
