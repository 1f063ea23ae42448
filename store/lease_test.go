package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pingmill/pingmill/store"
)

func TestLease(t *testing.T) {
	ctx := context.Background()
	for _, b := range []store.Bucket{store.NewMemory(), openLocal(t, t.TempDir())} {
		clock := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
		now := func() time.Time { return clock }
		acquire := func(holder string) (*store.Lease, error) {
			return store.AcquireLease(ctx, b, "leases/x", holder, time.Minute, now)
		}
		one, err := acquire("one")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := acquire("two"); !errors.Is(err, store.ErrHeld) {
			t.Errorf("two got it as well: %v", err)
		}
		clock = clock.Add(50 * time.Second)
		if err := one.Renew(ctx); err != nil {
			t.Error(err)
		}
		clock = clock.Add(50 * time.Second)
		if _, err := acquire("two"); !errors.Is(err, store.ErrHeld) {
			t.Errorf("two got a renewed one: %v", err)
		}
		clock = clock.Add(11 * time.Second)
		two, err := acquire("two")
		if err != nil {
			t.Fatalf("two, after the time: %v", err)
		}
		if err := one.Renew(ctx); !errors.Is(err, store.ErrChanged) {
			t.Errorf("one renewed a lost lease: %v", err)
		}
		if err := one.Release(ctx); err != nil {
			t.Error(err)
		}
		again, err := acquire("two") // after a crash
		if err != nil {
			t.Fatal(err)
		}
		if err := two.Renew(ctx); !errors.Is(err, store.ErrChanged) {
			t.Errorf("the lease of the dead process was renewed: %v", err)
		}
		if err := again.Release(ctx); err != nil {
			t.Error(err)
		}
		if _, err := acquire("three"); err != nil {
			t.Errorf("three, after the release: %v", err)
		}
	}
}
