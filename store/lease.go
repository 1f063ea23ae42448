package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrHeld says that somebody else has a lease.
var ErrHeld = errors.New("somebody else has the lease")

// Lease is the right to do something that one process at a time may do,
// wherever the processes run: an object that says who has it until when. It is
// renewed while the work goes on; whose process died loses it when the time is
// over. Clocks of different machines may differ by less than the time to live.
// It is safe for concurrent use.
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
}

// AcquireLease takes a lease for a time to live. If another holder has it the
// error matches ErrHeld and names it. A holder's own lease, left by a process
// that died, is taken over: two processes may not have the same name for
// themselves.
func AcquireLease(ctx context.Context, b Bucket, name, holder string, ttl time.Duration, now func() time.Time) (*Lease, error) {
	l := &Lease{bucket: b, name: name, ttl: ttl, now: now, held: leaseRecord{Holder: holder, Token: rand.Text()}}
	data, err := content(ctx, b, name)
	if err != nil {
		return nil, fmt.Errorf("acquire lease: %w", err)
	}
	var other leaseRecord
	if data != nil && json.Unmarshal(data, &other) == nil && other.Holder != holder && now().Before(other.Expires) {
		return nil, fmt.Errorf("acquire lease %s: %w: %s, until %s", name, ErrHeld, other.Holder, other.Expires.Format(time.RFC3339))
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

// LeaseHolder tells who has a lease until when; "" if nobody has.
func LeaseHolder(ctx context.Context, b Bucket, name string, now time.Time) (holder string, until time.Time, err error) {
	data, err := content(ctx, b, name)
	if err != nil {
		return "", until, fmt.Errorf("read lease: %w", err)
	}
	var r leaseRecord
	if data == nil {
		return "", until, nil
	}
	// One that cannot be read is nobody's, as for AcquireLease.
	if json.Unmarshal(data, &r) == nil && now.Before(r.Expires) {
		holder, until = r.Holder, r.Expires
	}
	return holder, until, nil
}

// Renew prolongs the lease by its time to live. An error that matches
// ErrChanged says that it is lost.
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
	if err := Swap(ctx, l.bucket, l.name, l.data, data); err != nil {
		return fmt.Errorf("renew lease: %w", err)
	}
	l.held, l.data = next, data
	return nil
}

// Release gives the lease up. It is no error if it is lost already.
func (l *Lease) Release(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := Swap(ctx, l.bucket, l.name, l.data, nil)
	if err != nil && !errors.Is(err, ErrChanged) {
		return fmt.Errorf("release lease: %w", err)
	}
	return nil
}
