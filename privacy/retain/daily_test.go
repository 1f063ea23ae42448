package retain

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// TestScheduleRetains: once a day, without holding up daily jobs when it fails.
func TestScheduleRetains(t *testing.T) {
	ctx := context.Background()
	pings := storetest.NewFaults(store.NewMemory())
	sitetest.DayPings(t, pings, 1, 6, "20180301", "20180306")
	s := sitetest.Memory(t, pings)
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: []string{"20180301"}})
	s.Keep = site.Retention{Archive: 5}
	c := &sitetest.Clock{}
	c.Set(sitetest.At(8).UnixNano())
	var removed []Item
	runs := 0
	daily := &Daily{Site: s, Done: func(Result) { runs++ }, Options: Options{
		Now: c.Now, Log: slog.New(slog.DiscardHandler), Removed: func(i Item) { removed = append(removed, i) },
	}}
	release, err := s.Ledger.Hold(ctx)
	require.NoError(t, err)
	daily.Round(ctx)
	release()
	if runs != 0 || len(removed) != 0 || !daily.again.IsZero() {
		t.Errorf("beside a run: %d, %v", runs, removed)
	}
	pings.FailAt(1, errors.New("injected"))
	daily.Round(ctx)
	if runs != 0 || daily.again.IsZero() {
		t.Errorf("a failure: %d runs, again at %v", runs, daily.again)
	}
	daily.Round(ctx) // too early
	c.Set(sitetest.At(8).Add(retainPause).UnixNano())
	daily.Round(ctx)
	daily.Round(ctx)
	if runs != 1 || len(removed) != 1 || removed[0].Day != "20180301" {
		t.Errorf("afterwards: %d runs, %v", runs, removed)
	}
	c.Set(sitetest.At(9).UnixNano())
	if daily.Round(ctx); runs != 2 || len(removed) != 1 {
		t.Errorf("the next day: %d runs, %v", runs, removed)
	}
}

// TestServersRetain: where servers share a lake one removes at a time, and a
// partition that another makes stays.
func TestServersRetain(t *testing.T) {
	ctx := t.Context()
	pings := store.NewMemory()
	sitetest.DayPings(t, pings, 1, 6, "20180301")
	c := &sitetest.Clock{}
	c.Set(sitetest.At(8).UnixNano())
	sites := sitetest.Shared(t, pings, c)
	etltest.Run(t, sites[0], etl.RunOptions{Tables: sitetest.AllTables, Days: []string{"20180301"}})
	for _, s := range sites {
		s.Keep = site.Retention{Archive: 5, Tables: 5}
	}
	lease, err := store.AcquireLease(ctx, pings, retentionLease, "one", time.Minute, c.Now)
	require.NoError(t, err)
	if _, err := Apply(ctx, sites[1], Options{Now: c.Now}); !errors.Is(err, store.ErrHeld) {
		t.Errorf("both at once: %v", err)
	}
	require.NoError(t, lease.Release(ctx))
	locks := sites[0].Locks()
	require.NoError(t, locks.Lock(ctx, job.Unit{Table: "addons", Day: "20180301"}))
	removed, waits := mustRetain(t, sites[1], c.Now())
	locks.UnlockAll()
	if len(removed) != 7 || len(waits) != 1 || !strings.Contains(waits[0], "somebody else has the lease") {
		t.Errorf("gone %q, waits %q", removed, waits)
	}
	removed, _ = mustRetain(t, sites[0], c.Now())
	same(t, "the other server", removed, "addons 20180301")
}
