package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
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
		require.NoError(t, err)
		if _, err := acquire("two"); !errors.Is(err, store.ErrHeld) {
			t.Errorf("two got it as well: %v", err)
		}
		clock = clock.Add(50 * time.Second)
		assert.NoError(t, one.Renew(ctx))
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
		assert.NoError(t, one.Release(ctx))
		again, err := acquire("two") // after a crash
		require.NoError(t, err)
		if err := two.Renew(ctx); !errors.Is(err, store.ErrChanged) {
			t.Errorf("the lease of the dead process was renewed: %v", err)
		}
		assert.NoError(t, again.Release(ctx))
		if _, err := acquire("three"); err != nil {
			t.Errorf("three, after the release: %v", err)
		}
	}
}

// The error of a lease that says nothing, or does not end, names it; it is
// neither waited for nor taken.
func TestBadLease(t *testing.T) {
	ctx := t.Context()
	clock := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	now := func() time.Time { return clock }
	dir := t.TempDir()
	b := openLocal(t, dir)
	record := func(expires time.Time) string {
		return `{"holder":"one","token":"t","expires":"` + expires.Format(time.RFC3339) + `"}`
	}
	for text, want := range map[string]string{
		"":                              "it is empty",
		"garbage":                       "it is no JSON of ours",
		`{"holder":"one"`:               "it is no JSON of ours",
		`{"lease":2,"who":"one"}`:       "another version",
		`{"holder":"one"}`:              "another version",
		strings.Repeat("x", 1<<20):      "larger than 4096 bytes",
		record(clock.Add(time.Hour)):    "a clock is wrong",
		record(clock.AddDate(80, 0, 0)): "a clock is wrong",
	} {
		require.NoError(t, store.WriteFile(ctx, b, "_leases/x", []byte(text)))
		_, err := store.AcquireLease(ctx, b, "_leases/x", "two", time.Minute, now)
		var bad *store.BadLeaseError
		if !errors.As(err, &bad) || errors.Is(err, store.ErrHeld) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), filepath.Join(dir, "_leases", "x")) || !strings.Contains(err.Error(), "delete the file") {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
		if data, err := store.ReadFile(ctx, b, "_leases/x"); err != nil || string(data) != text {
			t.Errorf("%.40q: it was changed: %v", text, err)
		}
		if strings.Contains(want, "clock") {
			continue
		}
		if _, _, err := store.LeaseHolder(ctx, b, "_leases/x", clock); !errors.As(err, &bad) {
			t.Errorf("%.40q: holder: %v", text, err)
		}
	}
	require.NoError(t, b.Delete(ctx, "_leases/x"))
	held, err := store.AcquireLease(ctx, b, "_leases/x", "two", time.Minute, now)
	require.NoError(t, err)
	// Whose lease was taken away, by hand or by another server, has lost it.
	require.NoError(t, b.Delete(ctx, "_leases/x"))
	if err := held.Renew(ctx); !errors.Is(err, store.ErrLost) {
		t.Errorf("renewed what was deleted: %v", err)
	}
}

// A lease that cannot be renewed is lost when its time is over, not before.
func TestLeaseThatCannotBeRenewed(t *testing.T) {
	ctx := t.Context()
	clock := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	b := storetest.NewFaults(store.NewMemory())
	lease, err := store.AcquireLease(ctx, b, "x", "one", time.Minute, func() time.Time { return clock })
	require.NoError(t, err)
	for _, lost := range []bool{false, false, true} {
		b.FailAt(1, syscall.EIO)
		if err := lease.Renew(ctx); err == nil || errors.Is(err, store.ErrLost) != lost {
			t.Errorf("at %v: %v", clock, err)
		}
		clock = clock.Add(30 * time.Second)
	}
}

// Who hangs in the middle of a swap does not hang the others.
func TestCompareAndSwapBesideAHangingProcess(t *testing.T) {
	dir := t.TempDir()
	b := openLocal(t, dir)
	store.SetSwapWait(b, 10*time.Millisecond)
	lock := flock.New(filepath.Join(dir, ".swap.lock"))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer lock.Close()
	err := b.CompareAndSwap(t.Context(), "x", nil, []byte("new"))
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, ".swap.lock")) || !strings.Contains(err.Error(), "hangs") {
		t.Errorf("got %v", err)
	}
}
