package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
)

// Follower reads and removes the sealed segments of a folder that another process writes. Only one Follower may
// use a folder. It may start before the writer.
type Follower struct {
	dir, edge string
	lock      *flock.Flock
	pool      *pool

	mu    sync.Mutex
	known map[string]Segment // by file name
	mark  mark               // as it was last read
}

// Follow locks the segments of an edge for this process and creates the folder if needed. It returns an error
// if another process decodes the spool.
func Follow(dir, edge string) (*Follower, error) {
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("follow spool: %w", err)
	}
	held, err := lockDecoding(dir)
	if err != nil {
		return nil, fmt.Errorf("follow spool %s: %w", dir, err)
	}
	return &Follower{dir: dir, edge: edge, lock: held, pool: newPool(0, nil, nil), known: map[string]Segment{}}, nil
}

// lockDecoding takes the lock of the process that decodes and removes segments.
func lockDecoding(dir string) (*flock.Flock, error) {
	return lock(filepath.Join(dir, readLockName), errDecoded)
}

// lock takes a lock that ends with the process, however that ends.
func lock(path string, taken error) (*flock.Flock, error) {
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", path, err)
	case !ok:
		return nil, taken
	}
	return l, nil
}

// Close releases the segments.
func (f *Follower) Close() error { return errors.Join(f.pool.close(), f.lock.Close()) }

// Changed never receives: the caller of a Follower must poll.
func (f *Follower) Changed() <-chan struct{} { return nil }

// Sealed lists the sealed segments, oldest first.
func (f *Follower) Sealed() ([]Segment, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := listSealed(f.dir, f.known)
	if err != nil {
		return nil, err
	}
	for _, g := range all {
		if g.Edge != f.edge {
			return nil, fmt.Errorf("%s is of edge %q, not %q: who decodes has to use the edge's name", g.Path, g.Edge, f.edge)
		}
	}
	return all, nil
}

// Watermark returns the last watermark that the writer stored, usually no older than Options.SegmentAge: every
// later record is above it, every earlier one was in a sealed segment. Without a writer so far it is 0.
func (f *Follower) Watermark(ctx context.Context) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.look(); err != nil {
		return 0, err
	}
	return f.mark.watermark, nil
}

func (f *Follower) look() error {
	m, _, err := readFloorFile(filepath.Join(f.dir, floorName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the floor: %w", err)
	}
	f.mark = f.mark.or(m)
	return nil
}

// Remove deletes a sealed segment whose records are in the archive. A missing segment is not an error.
func (f *Follower) Remove(g Segment) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.mark.number < g.Number {
		if err := f.look(); err != nil {
			return fmt.Errorf("remove segment %s: %w", g.Path, err)
		}
	}
	if f.mark.number < g.Number {
		return fmt.Errorf("remove segment %s: the floor file does not have its number, which might be used again: start the edge", g.Path)
	}
	if err := f.pool.removeSegment(g, false); err != nil {
		return fmt.Errorf("remove segment %s: %w", g.Path, err)
	}
	delete(f.known, filepath.Base(g.Path))
	return nil
}
