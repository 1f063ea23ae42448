package loader

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
	"github.com/pingmill/pingmill/tools/generate"
)

func TestDecode(t *testing.T) {
	g, records := population(t, 60, 3)
	want := loaded(t, g)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	rows := v.countPublished()
	v.start()
	v.send(records)
	v.finish()
	sameCounts(t, "archive", archivedCounts(t, s), want)
	sameCounts(t, "direct tables", directCounts(t, s), directRows(want))
	sameCounts(t, "rows that were told of", rows, byTable(directRows(want)))
	rejectedAsSent(t, s, records)
	edges, err := edgestate.ReadProgress(context.Background(), s.Archive)
	if err != nil || len(edges) != 1 || edges[0].Watermark < records[len(records)-1].Timestamp {
		t.Errorf("progress %v, %v", edges, err)
	}
	if left, err := spool.List(v.dir); err != nil || len(left) > 0 {
		t.Errorf("segments left: %v, %v", left, err)
	}
	// The schedule makes complete days once, as runs do.
	closed := v.round()
	days := []string{"20180301", "20180302"}
	for _, table := range s.Direct() {
		for _, day := range days {
			if n := closed[table+" "+day+" committed"]; n != 1 {
				t.Errorf("%s %s was closed %d times: %v", table, day, n, closed)
			}
		}
	}
	sameCounts(t, "direct tables after the end of their days", directCounts(t, s), directRows(want))
	reference := sitetest.Memory(t, s.Archive)
	etltest.Run(t, reference, etl.RunOptions{Tables: s.Direct(), Days: days})
	sameTables(t, s, reference, days)
}

// Whatever operation of the disk fails, and wherever it stops for good and is
// restarted, everything is there once.
func TestDecodeSurvivesFaults(t *testing.T) {
	g, records := population(t, 25, 2)
	want := loaded(t, g)
	half := len(records) / 2
	total := 0
	for at := 1; at == 1 || at < total; at += max(1, total/25) {
		arch, pipe := storetest.NewFaults(store.NewMemory()), storetest.NewFaults(store.NewMemory())
		s := sitetest.Memory(t, arch)
		s.Roots[schema.PipelineRoot] = pipe
		v := newService(t, s)
		v.opts.ArchiveBytes = 1 << 20
		v.start()
		v.send(records[:half])
		arch.FailAt(arch.Ops()+at, errors.New("injected"))
		pipe.FailAt(pipe.Ops()+at/3, errors.New("injected"))
		v.send(records[half:])
		v.finish()
		total = arch.Ops()
		sameCounts(t, fmt.Sprint("archive, fault at ", at), archivedCounts(t, s), want)
		sameCounts(t, fmt.Sprint("direct tables, fault at ", at), directCounts(t, s), directRows(want))
	}
}

// TestStopWhileDecodingFails: a stop ends decoding that fails for good, and what was not decoded is decoded at the next start.
func TestStopWhileDecodingFails(t *testing.T) {
	t.Parallel()
	g, records := population(t, 10, 1)
	arch := storetest.NewFaults(store.NewMemory())
	s := sitetest.Memory(t, arch)
	v := newService(t, s)
	v.start()
	v.send(records)
	arch.StopAfter(0)
	close(v.stop)
	require.ErrorIs(t, <-v.ended, storetest.ErrStopped)
	arch.Revive()
	v.start()
	v.finish()
	sameCounts(t, "archive", archivedCounts(t, s), loaded(t, g))
}

// A submission that comes again after a restart is still known.
func TestDuplicatesSurviveRestart(t *testing.T) {
	_, records := population(t, 20, 1)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	v.start()
	v.send(records)
	v.finish()
	before := archivedCounts(t, s)
	for hours := range 3 {
		v.start()
		for _, r := range records {
			again := *r
			again.Timestamp = time.Date(2018, 3, 2, 1+10*hours, 0, 0, 0, time.UTC).UnixNano()
			v.send([]*spool.Record{&again})
		}
		v.finish()
		if hours == 0 {
			for key, n := range archivedCounts(t, s) {
				if strings.HasPrefix(key, "ping") && before[key] != n {
					t.Errorf("%s: %d pings, %d before the restart", key, n, before[key])
				}
			}
		}
	}
	// The last ones come later than a window after the first.
	var pings, late int
	for key, n := range archivedCounts(t, s) {
		if strings.HasPrefix(key, "ping 20180301") {
			pings += n
		} else if strings.HasPrefix(key, "ping") {
			late += n
		}
	}
	if late == 0 || late > pings {
		t.Errorf("%d pings came again after the window, of %d", late, pings)
	}
}

// A file that is loaded in between does not disturb the direct tables.
func TestDecodeBesideLoads(t *testing.T) {
	g, records := population(t, 30, 1)
	want := loaded(t, g)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	v.opts.PublishEvery, v.opts.ArchiveBytes = time.Nanosecond, 1<<20
	own, rows := byTable(directRows(want)), v.countPublished()
	v.start()
	other, err := generate.New(generate.Config{Seed: 9, Clients: 10, Days: 1, Gzip: true, MeanBytes: 16_000})
	require.NoError(t, err)
	more := loaded(t, other)
	v.send(records[:len(records)/2])
	var b strings.Builder
	if _, err := other.WriteSubmissions(&b, generate.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(context.Background(), s, strings.NewReader(b.String()), LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		t.Fatal(err)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: s.Direct()})
	v.send(records[len(records)/2:])
	v.finish()
	for name, n := range rows { // publications of the run, or of a rebuild after the load, are not reported
		if n > own[name] {
			t.Errorf("told of %d rows of %s: there are %d", n, name, own[name])
		}
	}
	for key, n := range more {
		want[key] += n
	}
	sameCounts(t, "archive", archivedCounts(t, s), want)
	etltest.Run(t, s, etl.RunOptions{Tables: s.Direct()})
	sameCounts(t, "direct tables", directCounts(t, s), directRows(want))
}

// New rows are visible before their pings are in the archive.
func TestDirectRowsAreVisibleAtOnce(t *testing.T) {
	_, records := population(t, 30, 1)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	v.opts.PublishEvery, v.opts.ArchiveEvery = time.Second, 100*time.Hour
	v.start()
	sitetest.WaitFor(t, "progress", func() bool { // published at the start, before the first submission
		edges, err := edgestate.ReadProgress(context.Background(), s.Archive)
		return err == nil && len(edges) == 1
	})
	v.send(records)
	require.NoError(t, v.spool.Seal(context.Background()))
	sitetest.WaitFor(t, "rows", func() bool { return len(directCounts(t, s)) > 0 })
	if days, err := archive.Days(context.Background(), s.Archive); err != nil || len(days) > 0 {
		t.Errorf("in the archive already: %v, %v", days, err)
	}
	v.finish()
}
