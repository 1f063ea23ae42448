// Package clock provides the time and waiting, so that tests can replace both.
package clock

import (
	"context"
	"time"
)

// Clock is a source of time and a way to wait.
type Clock struct {
	Now  func() time.Time
	Wait func(context.Context, time.Duration) error
}

// System returns the clock of the machine.
func System() Clock { return Clock{Now: time.Now, Wait: Wait} }

// Wait waits for d. It returns the context's error if ctx ends first.
func Wait(ctx context.Context, d time.Duration) error { return WaitOr(ctx, d, nil) }

// WaitOr waits for d, or until wake is closed. It returns the context's error if ctx ends first.
func WaitOr(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-wake:
	case <-t.C:
	}
	return nil
}
