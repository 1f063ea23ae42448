package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Local is a Bucket in a directory: object "a/b" is the plain file a/b. Unfinished writes are files named
// .tmp-… beside their target, which listings omit; Tidy removes those of killed processes. Directories are
// created and removed with the objects inside them. It implements Dirs. Exchange needs Linux or macOS and a
// file system that supports it, LinkAll a file system with hard links.
type Local struct {
	dir      string
	dirMode  fs.FileMode
	fileMode fs.FileMode
	asIs     bool
	swapWait time.Duration
	making   sync.Mutex // held while making directories, see makeDirs
}

// Option changes how OpenLocal opens a directory.
type Option func(*Local)

// Private makes files and directories readable by their owner only. An existing directory does not change its
// permissions.
func Private() Option {
	return func(l *Local) { l.dirMode, l.fileMode = 0o700, 0o600 }
}

// AsIs does not create a missing directory before the first write.
func AsIs() Option { return func(l *Local) { l.asIs = true } }

// OpenLocal returns the Bucket in the directory dir and creates the directory if it is missing.
func OpenLocal(dir string, opts ...Option) (*Local, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", dir, err)
	}
	l := &Local{dir: abs, dirMode: 0o755, fileMode: 0o644, swapWait: swapWait}
	for _, opt := range opts {
		opt(l)
	}
	if l.asIs {
		return l, nil
	}
	if err := l.makeDirs(abs); err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", dir, err)
	}
	return l, nil
}

// LocalDir implements Dirs.
func (l *Local) LocalDir() (dir string, ok bool) { return l.dir, true }

// path checks a name and the context of the operation op and returns the
// name's place in the file system.
func (l *Local) path(ctx context.Context, op, name string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", fmt.Errorf("%s %s: %w", op, name, err)
	}
	return filepath.Join(l.dir, filepath.FromSlash(name)), nil
}

// Open implements Bucket.
func (l *Local) Open(ctx context.Context, name string) (Reader, error) {
	path, err := l.path(ctx, "open", name)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // else a FIFO waits for a writer
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &localReader{f, info.Size()}, nil
}

// Delete implements Bucket.
func (l *Local) Delete(ctx context.Context, name string) error {
	path, err := l.path(ctx, "delete", name)
	if err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() { // os.Remove would take an empty one, but it is no object
		return nil
	}
	if err := os.Remove(path); err != nil && !missing(err) {
		return err
	}
	return l.prune(filepath.Dir(path))
}

// prune removes dir and its parents as far as they are empty, and makes that
// and the removal that preceded it durable.
func (l *Local) prune(dir string) error {
	for strings.HasPrefix(dir, l.dir+string(filepath.Separator)) {
		// Lstat first: os.Remove would also take a symbolic link to a directory.
		if info, err := os.Lstat(dir); !missing(err) {
			if err != nil || !info.IsDir() || os.Remove(dir) != nil {
				break
			}
		}
		dir = filepath.Dir(dir)
	}
	return syncNames(dir)
}

// syncNames makes the names in dir durable. A missing directory was removed since, with all names in it.
func syncNames(dir string) error {
	if err := syncDir(dir); err != nil && !missing(err) {
		return err
	}
	return nil
}

// makeDirs makes dir and its missing parents, durably. The lock makes sure
// that a caller that finds a directory made by another finds it synced too.
func (l *Local) makeDirs(dir string) error { return l.makeDirsBelow(l.dir, dir, syncDir) }

// makeDirsBelow is makeDirs for what may only be made inside root.
func (l *Local) makeDirsBelow(root, dir string, sync func(dir string) error) error {
	l.making.Lock()
	defer l.making.Unlock()
	return l.makeDirsLocked(root, dir, sync)
}

func (l *Local) makeDirsLocked(root, dir string, sync func(dir string) error) error {
	info, err := os.Stat(dir)
	if err == nil {
		if !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if dir == root && root != l.dir {
		return fmt.Errorf("make %s: %w", dir, errNoRoot)
	}
	parent := filepath.Dir(dir)
	if err := l.makeDirsLocked(root, parent, sync); err != nil {
		return err
	}
	if err := os.Mkdir(dir, l.dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return sync(parent)
}

// missing reports whether err means that a path does not exist, also because one
// of its parents is a file.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

type localReader struct {
	*os.File
	size int64
}

func (r *localReader) Size() int64 { return r.size }
