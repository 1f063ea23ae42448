package etl

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/store"
)

// shared makes two servers with ledgers of their own that publish into one lake.
func shared(t *testing.T, pings store.Bucket, c *clock) (sites [2]*Site) {
	t.Helper()
	for i, name := range []string{"one", "two"} {
		s := memorySite(t, pings)
		if i > 0 {
			s.Roots = sites[0].Roots
		}
		s.Sharing = &Sharing{Holder: name, TTL: time.Minute, Now: c.now}
		sites[i] = s
	}
	return sites
}

// Two servers that make the same day at once make it once, and right.
func TestServersShareALake(t *testing.T) {
	pings := store.NewMemory()
	testPings(t, pings, 4, 300)
	alone := memorySite(t, pings)
	alone.mustRun(t, RunOptions{Tables: allTables})
	want := contents(t, alone)
	sites := shared(t, pings, &clock{})
	var wg sync.WaitGroup
	for _, s := range sites {
		wg.Go(func() {
			_, err := s.Run(context.Background(), RunOptions{Tables: allTables, Days: []string{testDay}, Now: time.Now})
			if err != nil && !errors.Is(err, store.ErrHeld) && !strings.Contains(err.Error(), "lease") {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, s := range sites { // what one did not get, the next run finds current or makes
		s.mustRun(t, RunOptions{Tables: allTables})
	}
	if got := contents(t, sites[0]); !maps.Equal(got, want) {
		sameContents(t, got, want)
	}
}

// A server that died keeps its partitions until its leases have ended; and one
// that lost its lease meanwhile does not publish.
func TestLeaseOutlivesItsServer(t *testing.T) {
	ctx := context.Background()
	pings := store.NewMemory()
	testPings(t, pings, 4, 50)
	c := &clock{}
	sites := shared(t, pings, c)
	u := job.Unit{Table: "crash_summary", Day: testDay}
	dead := &unitLocks{site: sites[0]}
	if err := dead.lock(ctx, u); err != nil {
		t.Fatal(err)
	}
	dead.held[u].stop() // it renews no more
	run := func() error {
		_, err := sites[1].Run(ctx, RunOptions{Tables: []string{u.Table}, Days: []string{testDay}, Now: time.Now})
		return err
	}
	if err := run(); !errors.Is(err, store.ErrHeld) {
		t.Errorf("the other server's run: %v", err)
	}
	c.set(int64(2 * time.Minute))
	if err := run(); err != nil {
		t.Errorf("after the time: %v", err)
	}
	if err := dead.confirm(ctx, u); !errors.Is(err, store.ErrChanged) {
		t.Errorf("the dead server would publish: %v", err)
	}
}
