package loader

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// TestDecodeWaitsForNoRun: while somebody holds the direct tables of all days, and
// the ledger, as a run does that closes a day, decoding goes on over midnight; the
// tables have all rows when that is over.
func TestDecodeWaitsForNoRun(t *testing.T) {
	g, records := population(t, 40, 2)
	want := loaded(t, g)
	s := sitetest.Memory(t, store.NewMemory())
	release, err := s.Ledger.Hold(t.Context())
	require.NoError(t, err)
	held := s.Locks()
	for _, table := range s.Direct() {
		for _, day := range []string{"20180301", "20180302"} {
			require.NoError(t, held.Lock(t.Context(), job.Unit{Table: table, Day: day}))
		}
	}
	v := newService(t, s)
	v.opts.PublishEvery, v.opts.ArchiveBytes = time.Nanosecond, 1<<20
	v.start()
	v.send(records)
	v.clock.Set(time.Date(2018, 3, 3, 0, 0, 20, 0, time.UTC).UnixNano())
	sitetest.WaitFor(t, "progress", func() bool {
		edges, err := edgestate.ReadProgress(context.Background(), s.Archive)
		v.clock.Ns.Add(int64(time.Second))
		return err == nil && len(edges) == 1 && edgestate.Complete("20180302", edges)
	})
	sameCounts(t, "archive", archivedCounts(t, s), want)
	if n := directCounts(t, s); len(n) > 0 {
		t.Errorf("published while another holds the days: %v", n)
	}
	held.UnlockAll()
	sitetest.WaitFor(t, "rows", func() bool {
		v.clock.Ns.Add(int64(time.Second))
		return len(directCounts(t, s)) == len(directRows(want))
	})
	v.finish()
	release()
	v.round()
	sameCounts(t, "direct tables", directCounts(t, s), directRows(want))
}

// TestDecodeWithoutDirectTables: where the direct tables cannot be written for long, decoding continues and others are
// notified; afterwards all rows are there.
func TestDecodeWithoutDirectTables(t *testing.T) {
	g, records := population(t, 30, 1)
	want := loaded(t, g)
	pipe := storetest.NewFaults(store.NewMemory())
	s := sitetest.Memory(t, store.NewMemory())
	s.Roots[schema.PipelineRoot] = pipe
	v := newService(t, s)
	v.opts.PublishEvery, v.opts.ArchiveBytes = time.Nanosecond, 1<<20
	troubles := func() []edgestate.Trouble {
		all, err := edgestate.ReadTroubles(context.Background(), s.Archive)
		require.NoError(t, err)
		return all
	}
	pipe.FullAfter(0)
	v.start()
	v.send(records)
	sitetest.WaitFor(t, "progress", func() bool {
		v.clock.Ns.Add(int64(10 * time.Second))
		edges, err := edgestate.ReadProgress(context.Background(), s.Archive)
		return err == nil && len(edges) == 1 && edges[0].Watermark >= records[len(records)-1].Timestamp
	})
	sameCounts(t, "archive", archivedCounts(t, s), want)
	if all := troubles(); len(all) != 1 || all[0].What != edgestate.TroublePublish || all[0].Edge != "e1" || all[0].Error == "" {
		t.Errorf("told is %+v", all)
	}
	pipe.FullAfter(1 << 60)
	sitetest.WaitFor(t, "rows", func() bool { v.clock.Ns.Add(int64(time.Second)); return len(troubles()) == 0 })
	v.finish()
	sameCounts(t, "direct tables", directCounts(t, s), directRows(want))
}

// TestTroubleIsTold: while the archive cannot be written decoding says so where it
// can, and takes it back.
func TestTroubleIsTold(t *testing.T) {
	g, records := population(t, 20, 1)
	want := loaded(t, g)
	arch := storetest.NewFaults(store.NewMemory())
	s := sitetest.Memory(t, arch)
	v := newService(t, s)
	v.start()
	v.send(records[:len(records)/2])
	arch.FailAt(20, errors.New("injected"))
	v.send(records[len(records)/2:])
	v.finish()
	sameCounts(t, "archive", archivedCounts(t, s), want)
	if all, err := edgestate.ReadTroubles(context.Background(), s.Archive); err != nil || len(all) != 0 {
		t.Errorf("told is %+v, %v", all, err)
	}
}
