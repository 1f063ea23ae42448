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

// Swapper is a Bucket that can replace a small object only if it is still what
// it was. See Swap.
type Swapper interface {
	Swap(ctx context.Context, name string, old, new []byte) error
}

// ErrChanged says that an object was not what the caller of Swap took it for.
var ErrChanged = errors.New("the object has changed meanwhile")

// Swap replaces the content of a small object in one step, if it is old; nil is
// an absent object, for either. Otherwise the error matches ErrChanged, or
// errors.ErrUnsupported if b cannot. Everybody who changes such an object, in
// whichever process, has to use Swap for it.
func Swap(ctx context.Context, b Bucket, name string, old, new []byte) error {
	if s, ok := b.(Swapper); ok {
		return s.Swap(ctx, name, old, new)
	}
	return fmt.Errorf("swap %s: %w", name, errors.ErrUnsupported)
}

// content is what an object holds, nil if it is absent.
func content(ctx context.Context, b Bucket, name string) ([]byte, error) {
	data, err := ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// swap is Swap for who has made sure that nobody else does it.
func swap(ctx context.Context, b Bucket, name string, old, new []byte) error {
	now, err := content(ctx, b, name)
	switch {
	case err != nil:
		return fmt.Errorf("swap %s: %w", name, err)
	case (now == nil) != (old == nil) || !bytes.Equal(now, old):
		return fmt.Errorf("swap %s: %w", name, ErrChanged)
	case new == nil:
		return b.Delete(ctx, name)
	}
	return WriteFile(ctx, b, name, new)
}

// Swap implements Swapper.
func (m *Memory) Swap(ctx context.Context, name string, old, new []byte) error {
	m.swapping.Lock()
	defer m.swapping.Unlock()
	return swap(ctx, m, name, old, new)
}

// swapLock is the file that processes lock to swap; no object can have its name.
const swapLock = ".swap.lock"

// swapPause is how long to wait before asking for the lock again, and swapWait
// for how long at most: a swap takes milliseconds, but a process that is stopped
// in the middle of one keeps the lock.
const (
	swapPause = 5 * time.Millisecond
	swapWait  = 20 * time.Second
)

// Swap implements Swapper. Other processes, also on other machines where the
// file system has locks, are kept out by a lock of the bucket's folder.
func (l *Local) Swap(ctx context.Context, name string, old, new []byte) error {
	if err := l.makeDirs(l.dir); err != nil {
		return fmt.Errorf("swap %s: %w", name, err)
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
		return fmt.Errorf("swap %s: lock %s: %w", name, lock.Path(), err)
	}
	return swap(ctx, l, name, old, new)
}
