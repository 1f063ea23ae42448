package store

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Rename implements Dirs.
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
	if err := l.inDir(filepath.Dir(target), l.dir, syncDir, func() error { return os.Rename(source, target) }); err != nil {
		return err
	}
	if err := syncNames(filepath.Dir(target)); err != nil {
		return err
	}
	return l.prune(filepath.Dir(source))
}

// Exchange implements Dirs.
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

// DeleteTree implements Dirs.
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

// Tidy implements Dirs.
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
