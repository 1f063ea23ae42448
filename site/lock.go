package site

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Sharing says that several servers publish into one lake: each takes a lease in
// the bucket for every partition that it makes.
type Sharing struct {
	Holder string        // names this server: the same for ever, and no other's
	TTL    time.Duration // how long a lease outlives its server: a minute
	Now    func() time.Time
}

// Locks are the partitions that this process is making. Besides the runs
// that hold the ledger, the service adds to tables while pings
// arrive, so each partition of those that are made from pings has a lock of its own, a file in the
// installation; and where servers share a lake, every partition has a lease.
type Locks struct {
	data   *Data
	files  LockFiles
	lender *Locks // nil, or the owner of all of them, which keeps them
	NoWait bool   // none is waited for

	mu   sync.Mutex
	held map[job.Unit]*Lock
}

// Lock holds one partition: its lock and its lease.
type Lock struct {
	file  *flock.Flock    // nil: none is needed
	lease *store.Lease    // nil: the lake is not shared
	stop  func()          // ends the renewing
	lost  context.Context // ends when the lease is lost; nil without one
}

// lockPause is how long to wait before asking for a lock again.
const lockPause = 20 * time.Millisecond

// Lock waits, unless it must not, until nobody else in the installation makes the
// partition, and fails if another server does. A partition that is locked already stays so.
func (l *Locks) Lock(ctx context.Context, u job.Unit) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lender != nil || l.held[u] != nil {
		return nil
	}
	h := &Lock{stop: func() {}}
	if err := h.take(ctx, l, u); err != nil {
		h.Release()
		return fmt.Errorf("lock %v: %w", u, err)
	}
	if l.held == nil {
		l.held = map[job.Unit]*Lock{}
	}
	l.held[u] = h
	return nil
}

func (h *Lock) take(ctx context.Context, l *Locks, u job.Unit) (err error) {
	if t, err := schema.Find(l.data.Tables, u.Table); err == nil && t.Grows() {
		name := u.Table + "-" + u.Day
		if l.NoWait {
			h.file, err = l.files.TryLock(name)
		} else {
			h.file, err = l.files.WaitLock(ctx, name)
		}
		if err != nil {
			return err
		}
	}
	if l.data.Sharing == nil {
		return nil
	}
	t, err := l.data.Table(u.Table)
	if err != nil {
		return err
	}
	return h.share(ctx, l.data.Sharing, t.Bucket(), LeaseName(u))
}

// share takes a lease if servers share the lake, and keeps it until the release.
func (h *Lock) share(ctx context.Context, s *Sharing, b store.Bucket, name string) (err error) {
	if s == nil {
		return nil
	}
	ttl := s.TTL
	if ttl <= 0 {
		ttl = time.Minute
	}
	if h.lease, err = store.AcquireLease(ctx, b, name, s.Holder, ttl, s.Now); err != nil {
		return err
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	lost, lose := context.WithCancelCause(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	h.stop, h.lost = func() { stop(); <-ended; lose(nil) }, lost
	go func() {
		defer close(ended)
		if err := h.renew(renewing, ttl/3); err != nil {
			lose(err)
		}
	}()
	return nil
}

// LeaseName is the object with the lease of a partition.
func LeaseName(u job.Unit) string { return "_leases/" + u.Table + "/" + u.Day }

// renew keeps the lease. What fails is tried again, until the lease is lost: that
// is the error.
func (h *Lock) renew(ctx context.Context, every time.Duration) error {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := h.lease.Renew(ctx); errors.Is(err, store.ErrLost) && ctx.Err() == nil {
				return err
			}
		}
	}
}

// While is the context of work that is pointless without the lease: it ends when
// that is lost. explain makes the work's error say so.
func (h *Lock) While(ctx context.Context) (working context.Context, explain func(error) error, stop func()) {
	if h == nil || h.lost == nil {
		return ctx, func(err error) error { return err }, func() {}
	}
	working, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(h.lost, func() { cancel(context.Cause(h.lost)) })
	explain = func(err error) error {
		if err == nil || errors.Is(err, store.ErrLost) {
			return err
		}
		lost := context.Cause(h.lost)
		if lost == nil { // the renewing may not have noticed yet
			lost = h.Confirm(context.WithoutCancel(ctx))
		}
		if errors.Is(lost, store.ErrLost) {
			return fmt.Errorf("%w (%v)", lost, err) //nolint:errorlint // not cancelled, whatever err says of it
		}
		return err
	}
	return working, explain, func() { unhook(); cancel(nil) }
}

// While is Lock.While of a unit.
func (l *Locks) While(ctx context.Context, u job.Unit) (context.Context, func(error) error, func()) {
	if l.lender != nil {
		return l.lender.While(ctx, u)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[u].While(ctx)
}

func (h *Lock) Release() {
	h.stop()
	if h.lease != nil {
		_ = h.lease.Release(context.Background()) // else it ends by itself
	}
	if h.file != nil {
		_ = h.file.Close() // the system gives up the lock with the file
	}
}

// LockFiles are the locks of the installation between processes of this machine.
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

// TryLock takes a lock of the installation, and does not wait for another
// process that has it.
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

// Confirming makes a table of the lake ask, before and after it publishes, whether
// the partition is ours still, where servers share the lake. Without locks the table is only read.
func (l *Locks) Confirming(lt *lake.Table) {
	if l != nil && l.data.Sharing != nil {
		lt.Confirm = func(ctx context.Context, day string) error {
			return l.Confirm(ctx, job.Unit{Table: lt.Schema.Name, Day: day})
		}
	}
}

// Confirm makes sure, when something is published, that the partition is still
// ours.
func (l *Locks) Confirm(ctx context.Context, u job.Unit) error {
	if l.lender != nil {
		return l.lender.Confirm(ctx, u)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.held[u]; h != nil {
		if err := h.Confirm(ctx); err != nil {
			return fmt.Errorf("publish %v: %w", u, err)
		}
	}
	return nil
}

// Confirm makes sure that the lease, if there is one, is still ours.
func (h *Lock) Confirm(ctx context.Context) error {
	if h.lease == nil {
		return nil
	}
	return h.lease.Renew(ctx)
}

func (l *Locks) Unlock(u job.Unit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.held[u]; h != nil {
		h.Release()
		delete(l.held, u)
	}
}

func (l *Locks) UnlockAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for u, h := range l.held {
		h.Release()
		delete(l.held, u)
	}
}
