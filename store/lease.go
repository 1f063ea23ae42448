package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"
)

// ErrHeld means another holder has the lease.
var ErrHeld = errors.New("somebody else has the lease")

// Lease is the right to do work that only one process may do at a time, on any machine: an object that names
// its holder and its end. It must be renewed during the work; a process that died loses it when its time is
// over. Clocks of different machines may differ by less than the time to live. It is safe for concurrent use.
type Lease struct {
	bucket Bucket
	name   string
	ttl    time.Duration
	now    func() time.Time

	mu   sync.Mutex
	held leaseRecord
	data []byte // as it is in the bucket
}

type leaseRecord struct {
	Holder  string    `json:"holder"`
	Token   string    `json:"token"` // of one acquisition
	Expires time.Time `json:"expires"`
	// Shares has the shares of a joint lease by holder. The lease expires with the last one.
	Shares map[string]leaseShare `json:"shares,omitempty"`
}

// maxLease is the size of the largest record that is read; a real one has some
// hundred bytes.
const maxLease = 4 << 10

// skew bounds how far in the future, in times to live, the end of a lease may be
// before a clock must be wrong.
const skew = 10

// BadLeaseError means the holder of a lease cannot be read, or the lease would not end: the work that needs it
// is blocked until an operator repairs it.
type BadLeaseError struct {
	Name string // of the object, or of its file
	Why  string
}

func (e *BadLeaseError) Error() string {
	return fmt.Sprintf("lease %s: %s: make sure that no server is at that work, then delete the file", e.Name, e.Why)
}

// AcquireLease takes a lease for a time to live. If another holder has it the error matches ErrHeld and names
// the holder. It takes over a lease of the same holder, left by a process that died: two processes must not use
// the same name. The error is a *BadLeaseError if the lease cannot be read or ends in the far future.
func AcquireLease(ctx context.Context, b Bucket, name, holder string, ttl time.Duration, now func() time.Time) (*Lease, error) {
	l := &Lease{bucket: b, name: name, ttl: ttl, now: now, held: leaseRecord{Holder: holder, Token: rand.Text()}}
	other, data, err := readLease(ctx, b, name)
	if err != nil {
		return nil, fmt.Errorf("acquire lease: %w", err)
	}
	if at := now(); data != nil && !other.isOf(holder) && at.Before(other.Expires) {
		if err := other.credible(b, name, ttl, at); err != nil {
			return nil, fmt.Errorf("acquire lease: %w", err)
		}
		return nil, fmt.Errorf("acquire lease: %w", other.held(name))
	}
	l.data = data
	err = l.Renew(ctx)
	if errors.Is(err, ErrChanged) { // somebody was faster
		err = fmt.Errorf("acquire lease %s: %w", name, ErrHeld)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// credible returns an error if the end of a lease is so far ahead that a clock must be wrong.
func (r *leaseRecord) credible(b Bucket, name string, ttl time.Duration, at time.Time) error {
	ahead := r.Expires.Sub(at)
	if ahead <= skew*ttl {
		return nil
	}
	return &BadLeaseError{Place(b, name), fmt.Sprintf(
		"server %s has it until %s, %v from now, and takes %v at a time: a clock is wrong, there or here; set it right",
		r.Holder, r.Expires.Format(time.RFC3339), ahead.Round(time.Second), ttl)}
}

func (r *leaseRecord) held(name string) error {
	return fmt.Errorf("%s: %w: %s, until %s", name, ErrHeld, r.Holder, r.Expires.Format(time.RFC3339))
}

// readLease reads a lease; data is nil if there is none.
func readLease(ctx context.Context, b Bucket, name string) (r leaseRecord, data []byte, err error) {
	f, err := b.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil, nil
	}
	if err != nil {
		return r, nil, err
	}
	defer f.Close()
	if data, err = io.ReadAll(io.LimitReader(f, maxLease+1)); err != nil {
		return r, nil, fmt.Errorf("read lease %s: %w", name, err)
	}
	why := ""
	switch {
	case len(data) == 0:
		why = "it is empty"
	case len(data) > maxLease:
		why = fmt.Sprintf("it is larger than %d bytes and so none of ours", maxLease)
	case json.Unmarshal(data, &r) != nil:
		why = "it is no JSON of ours"
	case r.Holder == "" || r.Token == "" || r.Expires.IsZero():
		why = "it does not say who has it until when: another version of the program may have written it"
	}
	if why != "" {
		return leaseRecord{}, nil, &BadLeaseError{Place(b, name), why}
	}
	return r, data, nil
}

// LeaseHolder returns the holder of a lease and its end, "" if there is none. The error is a *BadLeaseError if
// the lease cannot be read.
func LeaseHolder(ctx context.Context, b Bucket, name string, now time.Time) (holder string, until time.Time, err error) {
	r, _, err := readLease(ctx, b, name)
	if err != nil || !now.Before(r.Expires) {
		return "", time.Time{}, err
	}
	return r.Holder, r.Expires, nil
}

// ErrLost means another process has, or may have, taken the lease.
var ErrLost = errors.New("the lease was lost: another server may be at the work")

// Renew extends the lease by its time to live. An error that matches ErrLost means that it is lost: another
// process has taken it, or its time is over and another process may have taken it.
func (l *Lease) Renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.held
	next.Expires = l.now().Add(l.ttl)
	data, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("renew lease %s: %w", l.name, err)
	}
	data = append(data, '\n')
	if err := l.bucket.CompareAndSwap(ctx, l.name, l.data, data); err != nil {
		if !l.held.Expires.IsZero() && (errors.Is(err, ErrChanged) || !l.now().Before(l.held.Expires)) {
			err = fmt.Errorf("%w: %w", ErrLost, err)
		}
		return fmt.Errorf("renew lease: %w", err)
	}
	l.held, l.data = next, data
	return nil
}

// Confirm checks that the lease is held, by extending it.
func (l *Lease) Confirm(ctx context.Context) error { return l.Renew(ctx) }

// Release gives the lease up. It is no error if it is lost already.
func (l *Lease) Release(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.bucket.CompareAndSwap(ctx, l.name, l.data, nil)
	if err != nil && !errors.Is(err, ErrChanged) {
		return fmt.Errorf("release lease: %w", err)
	}
	return nil
}
