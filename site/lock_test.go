package site

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Work ends when its lease is lost, which renewing finds out, and says so: a partition's, that of all rewriting, and that of a catalog.
func TestLostLeaseEndsWork(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), schema.NewSet(&schema.Probes{}))
	require.NoError(t, err)
	defer s.Close()
	s.Archive = store.NewMemory()
	for root := range s.Roots {
		s.Roots[root] = store.NewMemory()
	}
	s.Sharing = &Sharing{Holder: "one", TTL: 30 * time.Millisecond, Now: time.Now}
	u := job.Unit{Table: "crash_summary", Day: "20180301"}
	lt, err := s.Table(u.Table)
	require.NoError(t, err)
	locks := s.Locks()
	require.NoError(t, locks.Lock(t.Context(), u))
	defer locks.UnlockAll()
	rewriting, err := s.LockRewriting(t.Context())
	require.NoError(t, err)
	defer rewriting.Release()
	following, err := s.LockFollowing(t.Context(), lt)
	require.NoError(t, err)
	defer following.Release()
	for name, l := range map[string]struct {
		lock   *Lock
		bucket store.Bucket
	}{LeaseName(u): {locks.held[u], lt.Bucket()}, "_leases/rewriting": {rewriting, s.Archive},
		"_leases/iceberg/crash_summary": {following, lt.Bucket()}} {
		ctx, explain, stop := l.lock.While(t.Context())
		defer stop()
		if err := explain(ErrLocked); !errors.Is(err, ErrLocked) {
			t.Errorf("%s: while it is held: %v", name, err)
		}
		require.NoError(t, store.WriteFile(t.Context(), l.bucket, name, []byte(`{"holder":"two","token":"t","expires":"2100-01-01T00:00:00Z"}`)))
		<-ctx.Done()
		if err := explain(ctx.Err()); !errors.Is(err, store.ErrLost) || errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that the lease was lost", name, err)
		}
		if err := l.lock.Confirm(t.Context()); !errors.Is(err, store.ErrLost) {
			t.Errorf("%s: confirmed: %v", name, err)
		}
	}
}
