package etl

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// Two servers that make the same day at once make it once, and right.
func TestServersShareALake(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 4, 300)
	alone := sitetest.Memory(t, pings)
	mustRun(t, alone, RunOptions{Tables: sitetest.AllTables})
	want := sitetest.Contents(t, alone)
	sites := sitetest.Shared(t, pings, &sitetest.Clock{})
	var wg sync.WaitGroup
	var published atomic.Int64
	count := func(e job.Event) {
		if e.Kind == job.UnitEnded && e.Outcome == job.Committed {
			published.Add(1)
		}
	}
	for _, s := range sites {
		wg.Go(func() {
			_, err := Run(context.Background(), s,
				RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day}, Now: time.Now, Progress: count})
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	for _, s := range sites { // what one did not get, the next run finds current or makes
		mustRun(t, s, RunOptions{Tables: sitetest.AllTables, Progress: count})
	}
	if n := published.Load(); n != int64(len(sitetest.AllTables)) {
		t.Errorf("%d publications of %d tables", n, len(sitetest.AllTables))
	}
	if got := sitetest.Contents(t, sites[0]); !maps.Equal(got, want) {
		sitetest.SameContents(t, got, want)
	}
}

// A server that died keeps its partitions until its leases have ended; and one
// that lost its lease meanwhile does not publish.
func TestLeaseOutlivesItsServer(t *testing.T) {
	ctx := context.Background()
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 4, 50)
	c := &sitetest.Clock{}
	now := time.Date(2018, 3, 2, 0, 1, 0, 0, time.UTC)
	c.Set(now.UnixNano())
	sites := sitetest.Shared(t, pings, c)
	u := job.Unit{Table: "crash_summary", Day: sitetest.Day}
	dead := sites[0].Locks()
	require.NoError(t, dead.Lock(ctx, u))
	run := func() job.UnitReport {
		return mustRun(t, sites[1], RunOptions{Tables: []string{u.Table}}).Units[0]
	}
	state := func() partitionState {
		return readStates(t, sites[1], c.Now(), []string{u.Table}, sitetest.Day).Partitions[0]
	}
	if r := run(); r.Outcome != job.Skipped || !strings.Contains(r.Reason, "another server is making it") ||
		!strings.Contains(r.Reason, "one") {
		t.Errorf("the other server's run: %+v", r)
	}
	if p := state(); p.State != stateRunning || !strings.Contains(strings.Join(p.Reasons, " "), "server one") {
		t.Errorf("the status: %+v", p)
	}
	c.Set(now.Add(2 * time.Hour).UnixNano())
	if p := state(); p.State != stateMissing {
		t.Errorf("the status after the time: %+v", p)
	}
	if r := run(); r.Outcome != job.Committed {
		t.Errorf("after the time: %+v", r)
	}
	if err := dead.Confirm(ctx, u); !errors.Is(err, store.ErrChanged) {
		t.Errorf("the dead server would publish: %v", err)
	}
}

// A lease that is no lease fails the unit, with the name of the object.
func TestBadLeaseFailsTheUnit(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 4, 50)
	s := sitetest.Memory(t, pings)
	s.Sharing = &site.Sharing{Holder: "one", TTL: time.Minute, Now: time.Now}
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	name := site.LeaseName(job.Unit{Table: "crash_summary", Day: sitetest.Day})
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), name, []byte("garbage")))
	o := RunOptions{Tables: []string{"crash_summary"}, Days: []string{sitetest.Day}, Now: time.Now}
	if _, err := Run(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), name) ||
		!strings.Contains(err.Error(), "delete the file") {
		t.Errorf("got %v", err)
	}
	st := readStates(t, s, time.Now(), o.Tables, o.Days...)
	if !st.Partitions[0].Wrong || !strings.Contains(strings.Join(st.Partitions[0].Reasons, " "), name) {
		t.Errorf("status: %+v", st.Partitions[0])
	}
	require.NoError(t, lt.Bucket().Delete(t.Context(), name))
	if r := mustRun(t, s, o).Units[0]; r.Outcome != job.Committed {
		t.Errorf("afterwards: %+v", r)
	}
}
