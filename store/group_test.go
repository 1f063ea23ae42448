package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// commitIn writes an object of a group.
func commitIn(b store.Bucket, g *store.Group, dir, name string) error {
	w, err := g.CreateIn(ctx, b, dir, name)
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write([]byte(name)); err != nil {
		return err
	}
	return w.Commit()
}

// Objects of a group are visible after their commit, and no file stays open after Sync.
func TestGroup(t *testing.T) {
	root := t.TempDir()
	local, err := store.OpenLocal(root)
	require.NoError(t, err)
	for _, b := range []store.Bucket{local, store.NewMemory()} {
		require.NoError(t, store.MakeDir(ctx, b, "d"))
		var none *store.Group
		require.NoError(t, commitIn(b, none, "d", "alone"))
		g := &store.Group{}
		for i := range 300 {
			name := fmt.Sprintf("s%d/f", i)
			require.NoError(t, commitIn(b, g, "d", name))
			got, err := store.ReadFile(ctx, b, "d/"+name)
			require.NoError(t, err)
			require.Equal(t, name, string(got))
			require.Less(t, openFiles(t, root), 200)
		}
		require.NoError(t, g.Sync())
		require.Zero(t, openFiles(t, root))
		require.NoError(t, commitIn(b, g, "d", "s0/f")) // it replaces the first one
		require.NoError(t, store.DeleteTree(ctx, b, "d"))
		require.NoError(t, g.Sync(), "its directory is gone, as after any commit")
		require.Zero(t, openFiles(t, root))
	}
	require.ErrorIs(t, commitIn(local, &store.Group{}, "d", "f"), fs.ErrNotExist, "the directory is not made")

	require.NoError(t, store.MakeDir(ctx, local, "d"))
	g := &store.Group{}
	require.NoError(t, commitIn(local, g, "d", "a/f"))
	require.NoError(t, commitIn(local, g, "d", "a/g"))
	g.Close()
	require.Zero(t, openFiles(t, root))
	require.NoError(t, g.Sync())
}

// openFiles counts the open files of the process below a directory.
func openFiles(t *testing.T, dir string) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	n := 0
	for _, e := range names {
		if to, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name())); err == nil && strings.HasPrefix(to, dir) {
			n++
		}
	}
	return n
}
