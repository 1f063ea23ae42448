package worker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// tempPrefix is the first part of the name of a worker's folder.
const tempPrefix = "ask-"

// tempFolder is the temporary folder of one worker. Its lock shows other processes that the program still runs.
type tempFolder struct {
	path string // where the worker may write
	root string
	lock *flock.Flock
}

// newFolder creates a locked folder below base, and base if it does not exist.
func newFolder(base string) (*tempFolder, error) {
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, err
	}
	for range 10 { // another process may remove it as an orphan before it is locked
		root, err := os.MkdirTemp(base, tempPrefix)
		if err != nil {
			return nil, err
		}
		f := &tempFolder{path: filepath.Join(root, "work"), root: root, lock: flock.New(filepath.Join(root, "lock"))}
		err = os.Mkdir(f.path, 0o700)
		held := false
		if err == nil {
			held, err = f.lock.TryLock()
		}
		if _, statErr := os.Stat(f.path); err == nil && held && statErr == nil {
			return f, nil
		}
		f.remove()
	}
	return nil, errors.New("a folder for temporary files disappears at once")
}

func (f *tempFolder) remove() {
	_ = os.RemoveAll(f.root)
	_ = f.lock.Close()
}

// removeOrphans removes the folders whose lock is free: their programs ended without removing them.
func removeOrphans(base string) {
	entries, _ := os.ReadDir(base)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		root := filepath.Join(base, e.Name())
		lock := flock.New(filepath.Join(root, "lock"))
		if free, err := lock.TryLock(); err == nil && free {
			_ = os.RemoveAll(root)
		}
		_ = lock.Close()
	}
}

// Tidy removes the folders that killed programs left. The first query does the same.
func (r *Runner) Tidy() { r.base() }

// base returns the parent of the workers' folders. Its first call removes orphaned folders.
func (r *Runner) base() string {
	base := r.Temp
	if base == "" {
		base = os.TempDir()
	}
	r.tidy.Do(func() { removeOrphans(base) })
	return base
}
