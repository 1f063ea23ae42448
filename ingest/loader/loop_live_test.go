package loader

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// liveTables are those that are live in tests.
var liveTables = []string{"main_summary", "crash_summary"}

// liveService returns a service whose rows are live at once, and which commits often.
func liveService(t *testing.T, s *site.Site) *service {
	v := newService(t, s)
	v.opts.PublishEvery, v.opts.ArchiveBytes = time.Hour, 1<<20
	v.opts.Live.Tables, v.opts.Live.Every = liveTables, time.Nanosecond
	return v
}

// partition returns the published partition of a table's day, or nil.
func partition(t testing.TB, s *site.Site, table, day string) *lake.Manifest {
	t.Helper()
	lt, err := s.Table(table)
	require.NoError(t, err)
	m, err := lt.Partition(context.Background(), day)
	if err != nil {
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	return m
}

// rowTexts returns the rows of a table's day, sorted.
func rowTexts(t *testing.T, s *site.Site, table, day string) (all []string) {
	t.Helper()
	for _, row := range sitetest.RowsOf(t, s, table, day) {
		text, err := json.Marshal(row)
		require.NoError(t, err)
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

// sameAsWithoutLive checks that the tables of days are those that another installation makes of the same archive.
func sameAsWithoutLive(t *testing.T, s *site.Site, now func() time.Time, days ...string) {
	t.Helper()
	other := sitetest.Memory(t, s.Archive)
	if store.HasDirs(s.Roots[s.Tables[0].Root]) { // else a bucket's manifests differ
		other = sitetest.Local(t)
		other.Archive = s.Archive
	}
	etltest.Rounds(t, other, etl.ScheduleOptions{Clock: clock.Clock{Now: now}}, 1)
	for _, table := range liveTables {
		for _, day := range days {
			got, want := partition(t, s, table, day), partition(t, other, table, day)
			require.NotNil(t, got)
			require.NotEmpty(t, got.Parts)
			assert.Equal(t, want, got, "%s %s", table, day)
		}
	}
}

// TestLiveRows: rows of a day are visible while it lasts, each once, with all columns; and the day is made as if there
// had been none.
func TestLiveRows(t *testing.T) {
	g, records := population(t, 40, 2)
	want := loaded(t, g)
	for name, open := range map[string]func() *site.Site{
		"disk":   func() *site.Site { return sitetest.Local(t) },
		"bucket": func() *site.Site { return sitetest.Memory(t, store.NewMemory()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open()
			v := liveService(t, s)
			v.start()
			first := slices.IndexFunc(records, func(r *spool.Record) bool { return time.Unix(0, r.Timestamp).UTC().Day() == 2 })
			v.send(records[:first])
			mains, crashes := want["ping 20180301 main"], want["ping 20180301 crash"]
			t.Cleanup(func() {
				if t.Failed() {
					for _, table := range liveTables {
						t.Logf("%s: %+v", table, partition(t, s, table, "20180301"))
					}
				}
			})
			sitetest.WaitFor(t, "live rows", func() bool {
				v.clock.Ns.Add(int64(time.Second))
				m, c := partition(t, s, "main_summary", "20180301"), partition(t, s, "crash_summary", "20180301")
				return m != nil && int(m.Rows) == mains && (crashes == 0 || c != nil && int(c.Rows) == crashes)
			})
			m := partition(t, s, "main_summary", "20180301")
			if m.Parts != nil || m.Live == nil || len(m.Files) > 40 {
				t.Errorf("published %d files, %d parts, %+v", len(m.Files), len(m.Parts), m.Live)
			}
			v.send(records[first:])
			v.clock.Set(time.Date(2018, 3, 3, 0, 1, 0, 0, time.UTC).UnixNano())
			v.finish()
			live := rowTexts(t, s, "main_summary", "20180301")
			v.round()
			sameCounts(t, "archive", archivedCounts(t, s), want)
			assert.Equal(t, rowTexts(t, s, "main_summary", "20180301"), live)
			sameAsWithoutLive(t, s, v.clock.Now, "20180301", "20180302")
		})
	}
}

// cutShort sends records in parts. Decoding ends amid each part, and then once with all of them.
func (v *service) cutShort(records []*spool.Record) {
	t := v.t
	t.Helper()
	for part := range slices.Chunk(records, len(records)/4) {
		ctx, kill := context.WithCancel(t.Context())
		v.startUntil(ctx)
		v.send(part)
		v.clock.Ns.Add(int64(30 * time.Second))
		time.Sleep(50 * time.Millisecond) // amid anything
		kill()
		require.NoError(t, <-v.ended)
	}
	v.start()
	v.clock.Ns.Add(int64(30 * time.Second))
	v.finish()
}

// TestLiveRowsSurviveKills: decoding that is cut short again and again leaves each row there once.
func TestLiveRowsSurviveKills(t *testing.T) {
	g, records := population(t, 20, 1)
	want := loaded(t, g)
	s := sitetest.Local(t)
	v := liveService(t, s)
	v.opts.ArchiveBytes = 64 << 10
	v.cutShort(records)
	v.start()
	sitetest.WaitFor(t, "rows of loads that were cut short", func() bool {
		v.clock.Ns.Add(int64(time.Second))
		m := partition(t, s, "main_summary", "20180301")
		return m != nil && int(m.Rows) == want["ping 20180301 main"]
	})
	v.finish()
	live := rowTexts(t, s, "main_summary", "20180301")
	v.clock.Set(time.Date(2018, 3, 2, 0, 1, 0, 0, time.UTC).UnixNano())
	v.start()
	v.finish()
	v.round()
	assert.Equal(t, rowTexts(t, s, "main_summary", "20180301"), live)
}

// TestLiveRowsOfSeveralEdges: rows of documents that come to several edges are there once, with their loads.
func TestLiveRowsOfSeveralEdges(t *testing.T) {
	all := edges(t, "e1", "e2")
	byEdge, _ := retried(t, len(all), 15)
	var sending sync.WaitGroup
	for i, v := range all {
		v.opts.Live.Tables, v.opts.Live.Every = liveTables, time.Nanosecond
		v.start()
		sending.Go(func() { v.send(byEdge[i]) })
	}
	sending.Wait()
	for _, v := range all {
		v.finish()
	}
	s := all[0].site
	want := archivedCounts(t, s)["ping 20180302 main"]
	all[0].start()
	sitetest.WaitFor(t, "rows of all loads", func() bool {
		all[0].clock.Ns.Add(int64(time.Second))
		m := partition(t, s, "main_summary", "20180302")
		return m != nil && int(m.Rows) == want
	})
	all[0].finish()
	m := partition(t, s, "main_summary", "20180302")
	for _, f := range m.Files {
		if f.OpenFor != "" {
			t.Errorf("open file %+v", f)
		}
	}
	assert.Equal(t, int64(want), m.Rows)
}
