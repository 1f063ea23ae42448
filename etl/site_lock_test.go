package etl

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/store"
)

// Work ends when its lease is lost, and says so: a partition's, and that of all
// rewriting.
func TestLostLeaseEndsWork(t *testing.T) {
	s := memorySite(t, store.NewMemory())
	s.Sharing = &Sharing{Holder: "one", TTL: 30 * time.Millisecond, Now: time.Now}
	u := job.Unit{Table: "crash_summary", Day: testDay}
	lt, err := s.Table(u.Table)
	if err != nil {
		t.Fatal(err)
	}
	locks := s.unitLocks()
	if err := locks.lock(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	defer locks.unlockAll()
	rewriting, err := s.lockRewriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer rewriting.release()
	for name, l := range map[string]struct {
		lock   *unitLock
		bucket store.Bucket
	}{leaseName(u): {locks.held[u], lt.Bucket()}, "_leases/rewriting": {rewriting, s.Archive}} {
		ctx, explain, stop := l.lock.while(t.Context())
		defer stop()
		if err := explain(errLocked); !errors.Is(err, errLocked) {
			t.Errorf("%s: while it is held: %v", name, err)
		}
		if err := store.WriteFile(t.Context(), l.bucket, name, []byte(`{"holder":"two","token":"t","expires":"2100-01-01T00:00:00Z"}`)); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		if err := explain(ctx.Err()); !errors.Is(err, store.ErrLost) || errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that the lease was lost", name, err)
		}
		if err := l.lock.confirm(t.Context()); !errors.Is(err, store.ErrLost) {
			t.Errorf("%s: confirmed: %v", name, err)
		}
	}
}
