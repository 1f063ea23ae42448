package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Rename implements Renamer.
func (l *Local) Rename(ctx context.Context, from, to string) error {
	source, err := l.path(ctx, "rename", from)
	if err != nil {
		return err
	}
	target, err := l.path(ctx, "rename", to)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(source); err != nil {
		return err
	}
	if err := l.inDir(filepath.Dir(target), l.dir, func() error { return os.Rename(source, target) }); err != nil {
		return err
	}
	if err := syncNames(filepath.Dir(target)); err != nil {
		return err
	}
	return l.prune(filepath.Dir(source))
}

// Exchange implements Exchanger.
func (l *Local) Exchange(ctx context.Context, a, b string) error {
	pathA, err := l.path(ctx, "exchange", a)
	if err != nil {
		return err
	}
	pathB, err := l.path(ctx, "exchange", b)
	if err != nil {
		return err
	}
	if err := exchange(pathA, pathB); err != nil {
		return fmt.Errorf("exchange %s and %s: %w", a, b, err)
	}
	if err := syncNames(filepath.Dir(pathA)); err != nil {
		return err
	}
	return syncNames(filepath.Dir(pathB))
}

// Link implements Linker with a hard link; objects never change, so the two
// names can share their bytes.
func (l *Local) Link(ctx context.Context, from, to string) error {
	source, err := l.path(ctx, "link", from)
	if err != nil {
		return err
	}
	target, err := l.path(ctx, "link", to)
	if err != nil {
		return err
	}
	if info, err := os.Stat(source); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "link", Path: source, Err: fs.ErrNotExist}
	}
	temp, err := l.linkTemp(source, filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("link %s to %s: %w: %w", from, to, errors.ErrUnsupported, err)
	}
	if err := os.Rename(temp, target); err != nil {
		os.Remove(temp)
		return err
	}
	os.Remove(temp) // still there if both already were the same file
	return syncNames(filepath.Dir(target))
}

// linkTemp links to a temporary name first: a link does not replace.
func (l *Local) linkTemp(source, dir string) (temp string, err error) {
	err = l.inDir(dir, l.dir, func() error {
		temp = tempName(dir)
		return os.Link(source, temp)
	})
	return temp, err
}

// DeleteTree implements TreeDeleter.
func (l *Local) DeleteTree(ctx context.Context, dir string) error {
	path, err := l.path(ctx, "delete", dir)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); missing(err) || err == nil && !info.IsDir() {
		return nil
	}
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return l.prune(filepath.Dir(path))
}

// Tidy removes unfinished writes. See the function of that name.
func (l *Local) Tidy(ctx context.Context, dir string, before time.Time) error {
	root := l.dir
	if dir != "" {
		path, err := l.path(ctx, "tidy", dir)
		if err != nil {
			return err
		}
		root = path
	}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if missing(err) {
			return nil
		}
		if err != nil || e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) {
			return err
		}
		return removeOlder(path, e, before)
	})
	if err != nil {
		return fmt.Errorf("tidy %s: %w", dir, err)
	}
	return nil
}

func removeOlder(path string, e fs.DirEntry, before time.Time) error {
	info, err := e.Info()
	if err == nil && (before.IsZero() || info.ModTime().Before(before)) {
		err = os.Remove(path)
	}
	if missing(err) {
		return nil
	}
	return err
}
