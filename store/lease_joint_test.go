package store_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

const jointName = "_leases/x"

// jointClock is a time that a test sets.
type jointClock struct{ at time.Time }

func (c *jointClock) now() time.Time { return c.at }

func (c *jointClock) join(t *testing.T, b store.Bucket, holder string) *store.JointLease {
	t.Helper()
	l, err := store.JoinLease(t.Context(), b, jointName, holder, time.Minute, c.now)
	require.NoError(t, err)
	return l
}

// alone tries to acquire the lease for one holder.
func (c *jointClock) alone(t *testing.T, b store.Bucket, holder string) (*store.Lease, error) {
	return store.AcquireLease(t.Context(), b, jointName, holder, time.Minute, c.now)
}

func TestJointLease(t *testing.T) {
	for _, b := range []store.Bucket{store.NewMemory(), openLocal(t, filepath.Join(t.TempDir(), "b"))} {
		c := &jointClock{time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)}
		ctx := t.Context()
		exclusive, err := c.alone(t, b, "three")
		require.NoError(t, err)
		_, err = store.JoinLease(ctx, b, jointName, "one", time.Minute, c.now)
		require.ErrorIs(t, err, store.ErrHeld)
		require.NoError(t, exclusive.Release(ctx))

		one, two := c.join(t, b, "one"), c.join(t, b, "two")
		for _, holder := range []string{"three", "one"} {
			_, err = c.alone(t, b, holder)
			require.ErrorIs(t, err, store.ErrHeld, holder)
		}
		require.ErrorContains(t, err, "together: one, two")
		c.at = c.at.Add(40 * time.Second)
		require.NoError(t, one.Confirm(ctx)) // which renews it: less than half is left
		c.at = c.at.Add(40 * time.Second)
		require.NoError(t, one.Confirm(ctx))
		_, err = c.alone(t, b, "three")
		require.ErrorIs(t, err, store.ErrHeld, "one share is renewed")
		require.NoError(t, two.Renew(ctx), "nobody else has it alone")
		require.NoError(t, two.Release(ctx))
		require.NoError(t, two.Release(ctx))
		require.ErrorIs(t, two.Renew(ctx), store.ErrLost)
		_, err = c.alone(t, b, "three")
		require.ErrorIs(t, err, store.ErrHeld)
		require.NoError(t, one.Release(ctx))
		exclusive, err = c.alone(t, b, "three")
		require.NoError(t, err)
		require.NoError(t, exclusive.Release(ctx))
	}
}

// TestJointLeaseLost: a share ends with its time, also if its holder does not know it, and with the next process of its holder.
func TestJointLeaseLost(t *testing.T) {
	b, ctx := store.NewMemory(), t.Context()
	c := &jointClock{time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)}
	dead := c.join(t, b, "one")
	one := c.join(t, b, "one")
	require.ErrorIs(t, dead.Confirm(ctx), store.ErrLost)
	require.ErrorIs(t, dead.Renew(ctx), store.ErrLost)
	require.NoError(t, dead.Release(ctx))
	require.NoError(t, one.Confirm(ctx), "the dead one released what is not its own")

	again, err := c.alone(t, b, "one") // the only share is the same holder's
	require.NoError(t, err)
	require.ErrorIs(t, one.Confirm(ctx), store.ErrLost)
	require.NoError(t, again.Release(ctx))

	one, two := c.join(t, b, "one"), c.join(t, b, "two")
	c.at = c.at.Add(61 * time.Second)
	three, err := c.alone(t, b, "three")
	require.NoError(t, err)
	for _, l := range []*store.JointLease{one, two} {
		require.ErrorIs(t, l.Confirm(ctx), store.ErrLost)
		require.NoError(t, l.Release(ctx))
	}
	require.NoError(t, three.Confirm(ctx))
}

// TestJointLeaseClocks: a holder whose clock is ten minutes ahead or late takes no share away, neither by joining nor by leaving.
func TestJointLeaseClocks(t *testing.T) {
	for _, off := range []time.Duration{10 * time.Minute, -10 * time.Minute} {
		b, ctx := store.NewMemory(), t.Context()
		c := &jointClock{time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)}
		wrong := &jointClock{c.at.Add(off)}
		one := c.join(t, b, "one")
		two, err := store.JoinLease(ctx, b, jointName, "two", time.Minute, wrong.now)
		if off < 0 { // the end of the other's share is too far ahead for it
			var bad *store.BadLeaseError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, "a clock is wrong")
			require.NoError(t, one.Confirm(ctx))
			continue
		}
		require.NoError(t, err)
		require.NoError(t, one.Renew(ctx))
		require.NoError(t, two.Renew(ctx))
		require.NoError(t, one.Confirm(ctx))
		require.NoError(t, two.Release(ctx))
		require.NoError(t, one.Confirm(ctx))
		_, err = c.alone(t, b, "three")
		require.ErrorIs(t, err, store.ErrHeld)
	}
}

// TestJointLeaseTogether: many holders join, renew and leave at the same time.
func TestJointLeaseTogether(t *testing.T) {
	b := store.NewMemory()
	var all sync.WaitGroup
	errs := make(chan error, 100)
	for i := range 8 {
		all.Go(func() {
			l, err := store.JoinLease(t.Context(), b, jointName, fmt.Sprint("server_", i), time.Minute, time.Now)
			if err != nil {
				errs <- err
				return
			}
			for range 3 {
				errs <- l.Renew(t.Context())
				errs <- l.Confirm(t.Context())
			}
			errs <- l.Release(t.Context())
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	_, err := store.AcquireLease(t.Context(), b, jointName, "alone", time.Minute, time.Now)
	require.NoError(t, err)
}
