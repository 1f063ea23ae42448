package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Sharing configures several servers that publish into one lake: each takes a lease in the bucket for every
// partition that it makes.
type Sharing struct {
	Holder string        // names this server: it never changes and is unique
	TTL    time.Duration // the time after which the lease of a dead server ends: a minute
	Now    func() time.Time
}

// Locks holds the partitions that this process is making. Runs hold the ledger, but the service also adds to
// tables while pings arrive. So each partition of the tables made from pings has its own lock, a file in the
// installation; if servers share a lake, every partition also has a lease.
type Locks struct {
	data   *Data
	files  LockFiles
	lender *Locks // nil, or the Locks that own and hold all of them
	NoWait bool   // none is waited for

	mu   sync.Mutex
	held map[job.Unit]*Lock
}

// Lock holds one partition: its lock and its lease.
type Lock struct {
	file  *flock.Flock    // nil: none is needed
	lease lease           // nil: the lake is not shared
	stop  func()          // ends the renewing
	lost  context.Context // ends when the lease is lost; nil without one
}

// lease is a store.Lease or a store.JointLease.
type lease interface {
	Renew(ctx context.Context) error
	Confirm(ctx context.Context) error
	Release(ctx context.Context) error
}

// lockPause is the pause between two attempts to get a lock.
const lockPause = 20 * time.Millisecond

// Lock waits until no other process of the installation makes the partition, unless waiting is not allowed. It
// returns an error if another server makes the partition. It does nothing if the partition is locked already.
func (l *Locks) Lock(ctx context.Context, u job.Unit) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lender != nil || l.held[u] != nil {
		return nil
	}
	h, err := l.take(ctx, u)
	if err != nil {
		return fmt.Errorf("lock %v: %w", u, err)
	}
	if l.held == nil {
		l.held = map[job.Unit]*Lock{}
	}
	l.held[u] = h
	return nil
}

func (l *Locks) take(ctx context.Context, u job.Unit) (*Lock, error) {
	var w wanted
	if t, err := schema.Find(l.data.Tables, u.Table); err == nil && t.Grows() {
		name := u.Table + "-" + u.Day
		w.file = func() (*flock.Flock, error) { return l.files.WaitLock(ctx, name) }
		if l.NoWait {
			w.file = func() (*flock.Flock, error) { return l.files.TryLock(name) }
		}
	}
	if l.data.Sharing != nil {
		t, err := l.data.Table(u.Table)
		if err != nil {
			return nil, err
		}
		w.bucket, w.lease = t.Bucket(), LeaseName(u)
	}
	return l.data.lock(ctx, w)
}

// wanted describes a lock.
type wanted struct {
	file   func() (*flock.Flock, error) // excludes processes of this machine; nil: not needed
	bucket store.Bucket                 // of the lease, which excludes other servers
	lease  string
	times  time.Duration // the time to live of the lease, in those of Sharing; 0: once
	joint  bool          // the lease is shared with others who join it
}

// lock takes a lock, unless the installation is one that this program must not change.
func (d *Data) lock(ctx context.Context, w wanted) (*Lock, error) {
	if err := d.MayWrite(ctx); err != nil {
		return nil, err
	}
	h := &Lock{stop: func() {}}
	if w.file != nil {
		file, err := w.file()
		if err != nil {
			return nil, err
		}
		h.file = file
	}
	if d.Sharing == nil {
		return h, nil
	}
	if err := h.share(ctx, d.Sharing, w); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// share takes the lease, and keeps it until the release.
func (h *Lock) share(ctx context.Context, s *Sharing, w wanted) (err error) {
	ttl := cmp.Or(max(0, s.TTL), time.Minute) * cmp.Or(w.times, 1)
	if h.lease, err = acquire(ctx, s, w, ttl); err != nil {
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

func acquire(ctx context.Context, s *Sharing, w wanted, ttl time.Duration) (lease, error) {
	if w.joint {
		l, err := store.JoinLease(ctx, w.bucket, w.lease, s.Holder, ttl, s.Now)
		if err != nil {
			return nil, err // not a lease that is nil
		}
		return l, nil
	}
	l, err := store.AcquireLease(ctx, w.bucket, w.lease, s.Holder, ttl, s.Now)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// LeaseName returns the name of the object with the lease of a partition.
func LeaseName(u job.Unit) string { return "_leases/" + u.Table + "/" + u.Day }

// renew renews the lease regularly. It retries failures until the lease is lost, and then returns that as the
// error.
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

// While returns the context for work that needs the lease: it ends if the lease is lost. explain then adds that
// reason to the work's error.
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

// While works like Lock.While, for a unit.
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

// Confirming makes a table confirm the partition's lease before and after it publishes, if servers share the
// lake. Without locks the table is only read.
func (l *Locks) Confirming(lt *lake.Table) {
	if l != nil && l.data.Sharing != nil {
		lt.Confirm = func(ctx context.Context, day string) error {
			return l.Confirm(ctx, job.Unit{Table: lt.Schema.Name, Day: day})
		}
	}
}

// Confirm checks, before and after publishing, that this process still holds the partition.
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

// Confirm checks that this process still holds the lease, if there is one.
func (h *Lock) Confirm(ctx context.Context) error {
	if h.lease == nil {
		return nil
	}
	return h.lease.Confirm(ctx)
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
