package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// tempPrefix begins the names of unfinished writes. Object names cannot, see
// CheckName.
const tempPrefix = ".tmp-"

// attempts bounds how often inDir starts over because a concurrent Delete
// removed the directory as empty, or because a temporary name was taken.
const attempts = 100

// Create implements Bucket.
func (l *Local) Create(ctx context.Context, name string) (Writer, error) {
	path, err := l.path(ctx, "create", name)
	if err != nil {
		return nil, err
	}
	return l.create(ctx, name, path, l.dir, nil)
}

// CreateIn implements Dirs.
func (l *Local) CreateIn(ctx context.Context, dir, name string) (Writer, error) {
	return l.createIn(ctx, dir, name, nil)
}

func (l *Local) createIn(ctx context.Context, dir, name string, g *Group) (Writer, error) {
	root, err := l.path(ctx, "create", dir)
	if err != nil {
		return nil, err
	}
	path, err := l.path(ctx, "create", dir+"/"+name)
	if err != nil {
		return nil, err
	}
	return l.create(ctx, dir+"/"+name, path, root, g)
}

// MakeDir implements Dirs.
func (l *Local) MakeDir(ctx context.Context, dir string) error {
	path, err := l.path(ctx, "make directory", dir)
	if err != nil {
		return err
	}
	return l.inDir(path, l.dir, syncDir, func() error { return nil }) // another's Delete may remove a parent that is empty
}

// create starts an object below root, which it does not make unless that is the
// bucket's own directory.
func (l *Local) create(ctx context.Context, name, path, root string, g *Group) (Writer, error) {
	f, err := l.createTemp(filepath.Dir(path), root, g)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	return &localWriter{ctx: ctx, name: name, path: path, root: root, f: f, group: g}, nil
}

func (l *Local) createTemp(dir, root string, g *Group) (f *os.File, err error) {
	sync := syncDir
	if g != nil {
		sync = g.addDir
	}
	err = l.inDir(dir, root, sync, func() error {
		f, err = os.OpenFile(tempName(dir), os.O_WRONLY|os.O_CREATE|os.O_EXCL, l.fileMode)
		return err
	})
	return f, err
}

// errNoRoot means that the bucket's root directory is missing.
var errNoRoot = fmt.Errorf("the directory is gone: %w", fs.ErrNotExist)

// inDir makes the directory dir below root and calls do, again if the directory was removed meanwhile or if a name that
// do wanted was taken.
func (l *Local) inDir(dir, root string, sync func(dir string) error, do func() error) (err error) {
	for range attempts {
		if err = l.makeDirsBelow(root, dir, sync); err == nil {
			err = do()
		}
		if errors.Is(err, errNoRoot) {
			return err
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return err
}

func tempName(dir string) string {
	return filepath.Join(dir, tempPrefix+strconv.FormatUint(rand.Uint64(), 36))
}

type localWriter struct {
	ctx  context.Context
	name string
	path string
	root string // a directory above it that exists durably
	f    *os.File
	err  error // of the first failed Write
	done bool

	group *Group // syncs the file; nil: Commit does
	size  int64
}

func (w *localWriter) Write(p []byte) (int, error) {
	if w.done {
		return 0, fmt.Errorf("write %s: %w", w.name, fs.ErrClosed)
	}
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.f.Write(p)
	w.size += int64(n)
	if err != nil {
		w.err = fmt.Errorf("write %s: %w", w.name, err)
	}
	return n, w.err
}

func (w *localWriter) Commit() error {
	if w.done {
		return fmt.Errorf("commit %s: %w", w.name, fs.ErrClosed)
	}
	if err := w.finish(); err != nil {
		w.Abort()
		return fmt.Errorf("commit %s: %w", w.name, err)
	}
	w.done = true
	if w.group != nil {
		return w.group.add(w)
	}
	if err := syncNames(filepath.Dir(w.path)); err != nil {
		return fmt.Errorf("commit %s: %w", w.name, err)
	}
	return nil
}

// finish writes the file through to the device and gives it its name.
func (w *localWriter) finish() error {
	if w.err != nil {
		return w.err
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.group == nil {
		if err := w.f.Sync(); err != nil {
			return err
		}
		if err := w.f.Close(); err != nil {
			return err
		}
	}
	return os.Rename(w.f.Name(), w.path)
}

func (w *localWriter) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	w.f.Close() // closed already after a failed Commit
	if err := os.Remove(w.f.Name()); err != nil && !missing(err) {
		return fmt.Errorf("abort %s: %w", w.name, err)
	}
	return nil
}
