package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/internal/retry"
)

// JointLease is a share in a lease that several processes hold together, one for each holder. While one of them has a share
// nobody else acquires the lease of that name. It is safe for concurrent use.
type JointLease struct {
	bucket Bucket
	name   string
	holder string
	token  string
	ttl    time.Duration
	now    func() time.Time

	mu      sync.Mutex
	expires time.Time // of the share
}

// leaseShare is the share of one holder.
type leaseShare struct {
	Token   string    `json:"token"` // of one acquisition
	Expires time.Time `json:"expires"`
}

// isOf reports whether a lease is the holder's alone, perhaps as the only share: it is left by a process that died.
func (r *leaseRecord) isOf(holder string) bool {
	_, has := r.Shares[holder]
	return r.Holder == holder || has && len(r.Shares) == 1
}

// JoinLease takes a share of a lease, besides the shares of other holders. If another holder has the lease alone, the error matches
// ErrHeld. The share of a process of the same holder that died is taken over.
func JoinLease(ctx context.Context, b Bucket, name, holder string, ttl time.Duration, now func() time.Time) (*JointLease, error) {
	l := &JointLease{bucket: b, name: name, holder: holder, token: rand.Text(), ttl: ttl, now: now}
	err := l.change(ctx, func(r *leaseRecord, at time.Time) error {
		if !r.isOf(holder) && at.Before(r.Expires) {
			if err := r.credible(b, name, ttl, at); err != nil {
				return err
			}
			if r.Shares == nil {
				return r.held(name)
			}
		}
		// A share that seems to be over for a moment may be of a server whose clock is late.
		maps.DeleteFunc(r.Shares, func(_ string, s leaseShare) bool { return at.Sub(s.Expires) > skew*ttl })
		l.add(r, at)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("join lease: %w", err)
	}
	return l, nil
}

// add enters the share, or extends it.
func (l *JointLease) add(r *leaseRecord, at time.Time) {
	if r.Shares == nil {
		r.Shares = map[string]leaseShare{}
	}
	r.Shares[l.holder] = leaseShare{l.token, at.Add(l.ttl)}
}

// errShareLost means that the share is another process's, or that somebody has the lease alone.
var errShareLost = fmt.Errorf("%w: it has no share in it any more", ErrLost)

// Renew extends the share by its time to live. An error that matches ErrLost means that it is lost.
func (l *JointLease) Renew(ctx context.Context) error {
	err := l.change(ctx, func(r *leaseRecord, at time.Time) error {
		if r.Shares[l.holder].Token != l.token {
			return errShareLost
		}
		l.add(r, at)
		return nil
	})
	if err != nil {
		return fmt.Errorf("renew lease: %w", l.judge(err))
	}
	return nil
}

// judge marks an error as a loss if the time of the share is over.
func (l *JointLease) judge(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(err, ErrLost) || l.now().Before(l.expires) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrLost, err)
}

// Confirm checks that the share is held. It writes only if less than half of its time is left, because all holders write the same object.
func (l *JointLease) Confirm(ctx context.Context) error {
	l.mu.Lock()
	left := l.expires.Sub(l.now())
	l.mu.Unlock()
	if left < l.ttl/2 {
		return l.Renew(ctx)
	}
	r, _, err := readLease(ctx, l.bucket, l.name)
	if err == nil && r.Shares[l.holder].Token != l.token {
		err = errShareLost
	}
	if err != nil {
		return fmt.Errorf("confirm lease %s: %w", l.name, l.judge(err))
	}
	return nil
}

// Release gives the share up. It is no error if it is lost already.
func (l *JointLease) Release(ctx context.Context) error {
	err := l.change(ctx, func(r *leaseRecord, _ time.Time) error {
		if r.Shares[l.holder].Token != l.token {
			return errShareLost
		}
		delete(r.Shares, l.holder)
		return nil
	})
	if err != nil && !errors.Is(err, ErrLost) {
		return fmt.Errorf("release lease: %w", err)
	}
	return nil
}

// change edits the record, again and again if others change it, too. Without shares the object goes.
func (l *JointLease) change(ctx context.Context, edit func(r *leaseRecord, at time.Time) error) error {
	again := retry.Loop{Policy: retry.Swap, What: "change lease " + l.name}
	for {
		r, data, err := readLease(ctx, l.bucket, l.name)
		if err != nil {
			return err
		}
		at := l.now()
		if err := edit(&r, at); err != nil {
			return err
		}
		next, err := r.joint(l.token)
		if err != nil {
			return fmt.Errorf("change lease %s: %w", l.name, err)
		}
		err = l.bucket.CompareAndSwap(ctx, l.name, data, next)
		if err == nil {
			l.mu.Lock()
			l.expires = at.Add(l.ttl)
			l.mu.Unlock()
			return nil
		}
		if !errors.Is(err, ErrChanged) {
			return err
		}
		if err := again.Again(ctx, err); err != nil {
			return err
		}
	}
}

// joint encodes the record of a joint lease; nil without shares. Its holder is no server's name, so nobody takes it over.
func (r *leaseRecord) joint(token string) ([]byte, error) {
	if len(r.Shares) == 0 {
		return nil, nil
	}
	r.Holder, r.Token, r.Expires = "together: "+strings.Join(slices.Sorted(maps.Keys(r.Shares)), ", "), token, time.Time{}
	for _, s := range r.Shares {
		if s.Expires.After(r.Expires) {
			r.Expires = s.Expires
		}
	}
	data, err := json.Marshal(r)
	return append(data, '\n'), err
}
