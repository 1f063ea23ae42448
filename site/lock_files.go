package site

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// LockFiles provides locks between the processes of this machine that use the installation.
type LockFiles struct{ dir string }

func (f LockFiles) open(name string) (*flock.Flock, error) {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return nil, err
	}
	return flock.New(filepath.Join(f.dir, name+".lock")), nil
}

// WaitLock waits until no other process has a lock of the installation.
func (f LockFiles) WaitLock(ctx context.Context, name string) (*flock.Flock, error) {
	lock, err := f.open(name)
	if err != nil {
		return nil, err
	}
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		_ = lock.Close()
		return nil, err
	}
	return lock, nil
}

var ErrLocked = errors.New("another process is at it")

// TryLock takes a lock of the installation. It does not wait if another process holds it.
func (f LockFiles) TryLock(name string) (*flock.Flock, error) {
	lock, err := f.open(name)
	if err != nil {
		return nil, err
	}
	ok, err := lock.TryLock()
	if err == nil && !ok {
		err = fmt.Errorf("%w: %s is locked", ErrLocked, lock.Path())
	}
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return lock, nil
}
