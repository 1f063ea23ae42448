package store

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// List implements Bucket.
func (l *Local) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := CheckPrefix(prefix); err != nil {
			yield(Entry{}, err)
			return
		}
		l.walk(ctx, prefix[:strings.LastIndexByte(prefix, '/')+1], prefix, yield)
	}
}

// walk yields the objects under dir, which is empty or ends with a slash,
// whose names begin with prefix. It returns false to stop.
func (l *Local) walk(ctx context.Context, dir, prefix string, yield func(Entry, error) bool) bool {
	for e, err := range l.level(ctx, dir, prefix) {
		if err != nil {
			yield(Entry{}, err)
			return false
		}
		isDir := strings.HasSuffix(e.Name, "/")
		switch {
		case isDir && (strings.HasPrefix(e.Name, prefix) || strings.HasPrefix(prefix, e.Name)):
			if !l.walk(ctx, e.Name, prefix, yield) {
				return false
			}
		case !isDir && strings.HasPrefix(e.Name, prefix):
			if !yield(e, nil) {
				return false
			}
		}
	}
	return true
}

// Children implements Dirs.
func (l *Local) Children(ctx context.Context, dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if dir != "" {
			if err := CheckName(dir); err != nil {
				yield(Entry{}, err)
				return
			}
			dir += "/"
		}
		for e, err := range l.level(ctx, dir, dir) {
			if !yield(e, err) {
				return
			}
		}
	}
}

// level yields the entries of one directory, which is "" or ends with a slash,
// in the order of their names with the slash that directories have. Those that
// neither begin with prefix nor lead to such names may be left out.
func (l *Local) level(ctx context.Context, dir, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		entries, err := os.ReadDir(filepath.Join(l.dir, filepath.FromSlash(dir)))
		if missing(err) {
			return
		}
		if err != nil {
			yield(Entry{}, fmt.Errorf("list %s: %w", dir, err))
			return
		}
		for _, e := range byObjectName(entries) {
			if err := ctx.Err(); err != nil {
				yield(Entry{}, fmt.Errorf("list %s: %w", dir, err))
				return
			}
			if name := dir + e.Name(); !strings.HasPrefix(name, prefix) && !strings.HasPrefix(prefix, name) {
				continue // without asking the system about it
			}
			entry, err := l.entry(dir, e)
			if missing(err) || err == nil && entry.Name == "" {
				continue
			}
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// byObjectName sorts directory entries so that walking them depth first gives
// names in byte order: "a-b" comes before "a/c" although "a" is the shorter.
func byObjectName(entries []fs.DirEntry) []fs.DirEntry {
	key := func(e fs.DirEntry) string {
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
			return e.Name() + "/"
		}
		return e.Name()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(key(a), key(b)) })
	return entries
}

// entry describes a directory entry; with an empty name if it is none of ours.
// Symbolic links are followed, for tables moved to another disk.
func (l *Local) entry(dir string, e fs.DirEntry) (Entry, error) {
	if segmentFault(e.Name()) != "" {
		return Entry{}, nil
	}
	name := dir + e.Name()
	if e.IsDir() {
		return Entry{Name: name + "/"}, nil
	}
	info, err := os.Stat(filepath.Join(l.dir, filepath.FromSlash(name)))
	switch {
	case err != nil:
		return Entry{}, fmt.Errorf("list %s: %w", dir, err)
	case info.IsDir():
		return Entry{Name: name + "/"}, nil
	case info.Mode().IsRegular():
		return Entry{Name: name, Size: info.Size()}, nil
	default:
		return Entry{}, nil
	}
}
