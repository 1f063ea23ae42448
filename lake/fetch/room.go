package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Folders of the cache besides the folders of files.
const (
	lockDir = ".locks" // one lock for several files, never removed
	pinDir  = ".pins"  // one file, locked, for each query that runs; its time is when that began
)

// shards is the number of locks.
const shards = 1 << 10

// lockPause is the pause before a lock is tried again.
const lockPause = 5 * time.Millisecond

// lock excludes other goroutines and processes from a file.
func (c *Cache) lock(ctx context.Context, place string) (unlock func(), err error) {
	l, err := c.lockOf(place)
	if err != nil {
		return nil, err
	}
	if _, err := l.TryLockContext(ctx, lockPause); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return func() { _ = l.Close() }, nil
}

func (c *Cache) lockOf(place string) (*flock.Flock, error) {
	dir := filepath.Join(c.dir, lockDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(place))
	return flock.New(filepath.Join(dir, fmt.Sprintf("%03x", h.Sum32()%shards))), nil
}

// pin protects files used from now on from eviction until the context ends.
func (c *Cache) pin(ctx context.Context) error {
	if ctx.Done() == nil {
		return nil // nobody would say when it ends
	}
	dir := filepath.Join(c.dir, pinDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "")
	if err != nil {
		return err
	}
	name, at := f.Name(), c.now()
	l := flock.New(name)
	if err := errors.Join(f.Close(), l.Lock(), os.Chtimes(name, at, at)); err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _, _ = os.Remove(name), l.Close() })
	return nil
}

// pinned returns the start of the oldest active query, or now if there is none.
func (c *Cache) pinned() time.Time {
	oldest := c.now()
	entries, _ := os.ReadDir(filepath.Join(c.dir, pinDir))
	for _, e := range entries {
		name := filepath.Join(c.dir, pinDir, e.Name())
		info, err := e.Info()
		if err != nil {
			continue
		}
		l := flock.New(name)
		if free, err := l.TryLock(); err == nil && free {
			if c.now().Sub(info.ModTime()) > time.Minute { // its process is dead
				_ = os.Remove(name)
			}
		} else if info.ModTime().Before(oldest) {
			oldest = info.ModTime()
		}
		_ = l.Close()
	}
	return oldest
}

// room is the known size of the cache.
type room struct {
	mu      sync.Mutex
	used    int64
	counted time.Time
}

// countAgain is the age at which the size is computed again, because other processes add files too.
const countAgain = 30 * time.Second

// makeRoom frees space for the given number of bytes.
func (c *Cache) makeRoom(ctx context.Context, need int64) error {
	r := &c.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := c.now(); r.counted.IsZero() || at.Sub(r.counted) > countAgain || r.used+need > c.size {
		used, err := c.evict(ctx, need)
		if err != nil {
			return err
		}
		r.used, r.counted = used, at
	}
	if r.used+need > c.size {
		return c.noRoom(need, r.used)
	}
	r.used += need
	return nil
}

// user is a file of the cache with cached parts.
type user struct {
	place string
	bytes int64
	last  time.Time
}

// evict removes the least recently used files until there is enough space. It returns the size of the rest.
func (c *Cache) evict(ctx context.Context, need int64) (used int64, err error) {
	all, err := c.users()
	if err != nil {
		return 0, err
	}
	for _, u := range all {
		used += u.bytes
	}
	if used+need <= c.size {
		return used, nil
	}
	pinned := c.pinned()
	slices.SortFunc(all, func(a, b user) int { return cmp.Or(a.last.Compare(b.last), strings.Compare(a.place, b.place)) })
	for _, u := range all {
		if used+need <= c.size*9/10 || !u.last.Before(pinned) || ctx.Err() != nil {
			break
		}
		cleared, err := c.clear(u)
		if err != nil {
			return used, err
		}
		if cleared {
			used -= u.bytes
		}
	}
	return used, nil
}

// users lists the files with cached parts, and removes holes that were not filled for a day.
func (c *Cache) users() (all []user, err error) {
	old := c.pinned().Add(-24 * time.Hour)
	err = filepath.WalkDir(c.dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // somebody else was faster
			return nil
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case e.IsDir():
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return nil
		}
		data, is := strings.CutSuffix(path, recordSuffix)
		if !is {
			if _, err := os.Stat(path + recordSuffix); errors.Is(err, fs.ErrNotExist) && info.ModTime().Before(old) {
				_ = os.Remove(path)
			}
			return nil
		}
		place, err := filepath.Rel(c.dir, data)
		if err != nil {
			return err
		}
		size, err := os.Stat(data)
		if err != nil {
			return nil
		}
		have := readRecord(data, size.Size())
		all = append(all, user{filepath.ToSlash(place), have.bytes(), info.ModTime()})
		return nil
	})
	return all, err
}

// clear turns a file into a hole again, unless it is locked.
func (c *Cache) clear(u user) (cleared bool, err error) {
	l, err := c.lockOf(u.place)
	if err != nil {
		return false, err
	}
	defer l.Close()
	if free, err := l.TryLock(); err != nil || !free {
		return false, err
	}
	path := c.path(&File{Place: u.place})
	info, err := os.Stat(path)
	if err == nil {
		err = os.Remove(path + recordSuffix)
	}
	if err == nil {
		err = os.Truncate(path, 0)
	}
	if err == nil {
		err = os.Truncate(path, info.Size())
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err == nil, err
}
