package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// compareAndSwap implements CompareAndSwap for a caller that excludes all other writers.
func compareAndSwap(ctx context.Context, b Bucket, name string, old, new []byte) error {
	now, err := ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		now, err = nil, nil
	}
	switch {
	case err != nil:
		return fmt.Errorf("compare and swap %s: %w", name, err)
	case (now == nil) != (old == nil) || !bytes.Equal(now, old):
		return fmt.Errorf("compare and swap %s: %w", name, ErrChanged)
	case new == nil:
		return b.Delete(ctx, name)
	}
	return WriteFile(ctx, b, name, new)
}

// CompareAndSwap implements Bucket.
func (m *Memory) CompareAndSwap(ctx context.Context, name string, old, new []byte) error {
	m.swapping.Lock()
	defer m.swapping.Unlock()
	return compareAndSwap(ctx, m, name, old, new)
}

// swapLock is the file that processes lock for a CompareAndSwap; no object can have its name.
const swapLock = ".swap.lock"

// swapPause is the pause between two attempts to get the lock, and swapWait the longest wait. A
// compare-and-swap takes milliseconds, but a process that is stopped in the middle of one holds the lock.
const (
	swapPause = 5 * time.Millisecond
	swapWait  = 20 * time.Second
)

// CompareAndSwap implements Bucket. A lock of the bucket's folder excludes other processes, also on other
// machines if the file system supports locks.
func (l *Local) CompareAndSwap(ctx context.Context, name string, old, new []byte) error {
	if err := l.makeDirs(l.dir); err != nil {
		return fmt.Errorf("compare and swap %s: %w", name, err)
	}
	lock := flock.New(filepath.Join(l.dir, swapLock))
	defer lock.Close()
	waiting, stop := context.WithTimeout(ctx, l.swapWait)
	_, err := lock.TryLockContext(waiting, swapPause)
	stop()
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("another process has it for more than %v: continue or end the one that hangs (see lsof or fuser)", l.swapWait)
	}
	if err != nil {
		return fmt.Errorf("compare and swap %s: lock %s: %w", name, lock.Path(), err)
	}
	return compareAndSwap(ctx, l, name, old, new)
}
