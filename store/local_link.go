package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// LinkAll implements Dirs. Directories are synced once at the end, not for
// each link: file systems with a journal then write it once.
func (l *Local) LinkAll(ctx context.Context, from, to string, names []string) error {
	root, err := l.path(ctx, "link", to)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	for _, name := range names {
		source, err := l.path(ctx, "link", from+"/"+name)
		if err != nil {
			return err
		}
		target, err := l.path(ctx, "link", to+"/"+name)
		if err != nil {
			return err
		}
		if err = l.makeInside(root, filepath.Dir(target), changed); err == nil {
			err = linkOver(source, target)
		}
		if err != nil {
			return fmt.Errorf("link %s/%s to %s: %w", from, name, to, linkError(err))
		}
		changed[filepath.Dir(target)] = true
	}
	for dir := range changed {
		if err := syncNames(dir); err != nil {
			return err
		}
	}
	return nil
}

// makeInside makes a directory inside root, which must exist, and adds the
// directories that it changed to changed.
func (l *Local) makeInside(root, dir string, changed map[string]bool) error {
	if dir == root || changed[dir] {
		return nil
	}
	if err := l.makeInside(root, filepath.Dir(dir), changed); err != nil {
		return err
	}
	err := os.Mkdir(dir, l.dirMode)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err == nil {
		changed[filepath.Dir(dir)] = true
	}
	return err
}

// linkOver links, and replaces a file of that name.
func linkOver(source, target string) error {
	err := os.Link(source, target)
	if !errors.Is(err, os.ErrExist) {
		return err
	}
	temp := tempName(filepath.Dir(target))
	if err := os.Link(source, temp); err != nil {
		return err
	}
	err = os.Rename(temp, target)
	os.Remove(temp) // still there if both already were the same file
	return err
}

// linkError adds to an error of a file system without hard links, or one that
// refuses this one, that it has none.
func linkError(err error) error {
	for _, none := range []error{syscall.EPERM, syscall.EXDEV, syscall.EMLINK, syscall.ENOSYS, syscall.ENOTSUP} {
		if errors.Is(err, none) {
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
	}
	return err
}
