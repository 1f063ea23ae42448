package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

func TestPrivatePermissions(t *testing.T) {
	for _, test := range []struct {
		opts      []store.Option
		dir, file fs.FileMode
	}{
		{nil, 0o755, 0o644},
		{[]store.Option{store.Private()}, 0o700, 0o600},
	} {
		dir := filepath.Join(t.TempDir(), "root")
		b := openLocal(t, dir, test.opts...)
		storetest.Put(t, b, "a/b", "a/b")
		for path, most := range map[string]fs.FileMode{"": test.dir, "a": test.dir, "a/b": test.file} {
			info, err := os.Stat(filepath.Join(dir, path))
			require.NoError(t, err)
			// The umask may take away from what was asked for.
			if mode := info.Mode().Perm(); mode&^most != 0 || mode&0o600 != most&0o600 {
				t.Errorf("%s has mode %v, want at most %v", path, mode, most)
			}
		}
		if got, ok := store.LocalDir(b); !ok || got != dir {
			t.Errorf("LocalDir is %q, %v", got, ok)
		}
	}
	if dir, ok := store.LocalDir(store.NewMemory()); ok {
		t.Errorf("memory has the directory %q", dir)
	}
}

func TestOpenLocalOnFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	for _, dir := range []string{path, path + "/sub"} {
		if _, err := store.OpenLocal(dir); err == nil {
			t.Errorf("opened %s", dir)
		}
	}
}

// What a killed process leaves is invisible, hinders nobody and can be removed.
func TestTidy(t *testing.T) {
	dir := t.TempDir()
	b := openLocal(t, dir)
	storetest.Put(t, b, "a/kept", "a/kept")
	w, err := b.Create(ctx, "a/sub/unfinished")
	require.NoError(t, err)
	if _, err := w.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	temps := func() int {
		found, _ := filepath.Glob(filepath.Join(dir, "a/sub/.*"))
		return len(found)
	}
	check(t, store.Tidy(ctx, b, "a", time.Unix(1, 0)))
	if temps() != 1 {
		t.Error("removed an unfinished write that is younger than asked for")
	}
	check(t, b.Delete(ctx, "a/sub/other"))
	check(t, store.Tidy(ctx, b, "", time.Time{}))
	if temps() != 0 {
		t.Error("the unfinished write is still there")
	}
	if err := w.Commit(); err == nil {
		t.Error("committed what Tidy had removed")
	}
	check(t, store.Tidy(ctx, b, "missing", time.Time{}))
	check(t, store.Tidy(ctx, store.NewMemory(), "", time.Time{}))
	if err := store.Tidy(ctx, b, "..", time.Time{}); err == nil {
		t.Error("no error for a bad name")
	}
	if names := list(t, b); len(names) != 1 || names[0] != "a/kept" {
		t.Errorf("left: %q", names)
	}
}

// Tables may have been moved to another disk behind a symbolic link; other
// things in the directory are not objects.
func TestStrangeFiles(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	b := openLocal(t, dir)
	check(t, os.Symlink(elsewhere, filepath.Join(dir, "moved")))
	check(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	check(t, os.WriteFile(filepath.Join(dir, ".hidden"), nil, 0o600))
	check(t, os.Mkdir(filepath.Join(dir, "empty"), 0o700))
	storetest.Put(t, b, "moved/x", "moved/x")
	if names := list(t, b); len(names) != 1 || names[0] != "moved/x" {
		t.Errorf("got %q", names)
	}
	check(t, b.Delete(ctx, "moved/x"))
	if _, err := os.Lstat(filepath.Join(dir, "moved")); err != nil {
		t.Error("deleting the last object removed the link:", err)
	}
	check(t, b.Delete(ctx, "empty"))
	if _, err := b.Open(ctx, "empty"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened a directory: %v", err)
	}
	check(t, os.Symlink(".", filepath.Join(dir, "loop")))
	failed := false
	for _, err := range b.List(ctx, "") {
		failed = err != nil
	}
	if !failed {
		t.Error("listed a loop without an error")
	}
}

// Empty directories go with their last object, so that no partition seems to
// be there without files.
func TestEmptyDirectoriesGo(t *testing.T) {
	dir := t.TempDir()
	b := openLocal(t, dir)
	storetest.Put(t, b, "a/b/c/x", "a/b/c/x")
	storetest.Put(t, b, "a/y", "a/y")
	check(t, b.Delete(ctx, "a/b/c/x"))
	if _, err := os.Stat(filepath.Join(dir, "a/b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a/b: %v", err)
	}
	check(t, b.Delete(ctx, "a/y"))
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func list(t *testing.T, b store.Bucket) (names []string) {
	t.Helper()
	for e, err := range b.List(ctx, "") {
		check(t, err)
		names = append(names, e.Name)
	}
	return names
}
