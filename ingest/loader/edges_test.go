package loader

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/order"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
	"github.com/pingmill/pingmill/tools/generate"
)

// edges returns servers with a spool each and one archive.
func edges(t *testing.T, names ...string) (all []*service) {
	t.Helper()
	arch := store.NewMemory()
	lakes := sitetest.Memory(t, arch).Roots
	clock := &sitetest.Clock{}
	clock.Set(time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC).UnixNano())
	for _, name := range names {
		s := sitetest.Memory(t, arch)
		s.Roots = lakes
		s.Sharing = &site.Sharing{Holder: "server_" + name, TTL: time.Hour, Now: clock.Now}
		v := newService(t, s)
		v.opts.Edge, v.opts.ArchiveBytes, v.opts.PublishEvery = name, 200<<10, time.Nanosecond
		v.opts.Log = slog.New(slog.NewTextHandler(t.Output(), nil)).With("edge", name)
		all = append(all, v)
	}
	return all
}

// retried returns submissions of two days of which many come to several edges, some of them on either side of midnight:
// for each edge what it gets, in order.
func retried(t *testing.T, edges, clients int) (byEdge [][]*spool.Record, ids map[string]bool) {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: 5, Clients: clients, Days: 2, Gzip: true, MeanBytes: 16_000})
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(5, 5))
	byEdge, ids = make([][]*spool.Record, edges), map[string]bool{}
	for s := range g.Submissions() {
		rec := spoolRecord(s)
		ids[documentOf(rec.URI)] = true
		for n := 1 + r.IntN(3); n > 0; n-- {
			to := r.IntN(edges)
			again := *rec
			byEdge[to] = append(byEdge[to], &again)
			rec.Timestamp += r.Int64N(int64(90 * time.Second))
		}
	}
	return byEdge, ids
}

// documentOf returns the document id in a path: /submit/telemetry/ID/…
func documentOf(uri []byte) string {
	const before = len("/submit/telemetry/")
	return string(uri[before : before+36])
}

// pingsOf counts the pings of each document id, and those of the direct tables.
func pingsOf(t *testing.T, s *site.Site) (all map[string]int, direct map[string]int64) {
	t.Helper()
	all, direct = map[string]int{}, map[string]int64{}
	days, err := archive.Days(context.Background(), s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		day, err := archive.OpenDay(context.Background(), s.Archive, d.Day, d.DocType)
		require.NoError(t, err)
		for id, err := range day.Documents(context.Background(), nil) {
			require.NoError(t, err)
			all[string(id)]++
		}
		for _, table := range s.Tables {
			if table.Direct && table.Kind() == d.DocType {
				direct[table.Name+" "+string(d.Day)] = d.Rows
			}
		}
	}
	return all, direct
}

// Documents that come to several edges are archived once, by whichever edge commits
// them first, and are once in every table, at every moment.
func TestDocumentsOfSeveralEdges(t *testing.T) {
	all := edges(t, "e1", "e2", "e3", "e4")
	byEdge, ids := retried(t, len(all), 40)
	var sending sync.WaitGroup
	for i, v := range all {
		v.start()
		sending.Go(func() { v.send(byEdge[i]) })
	}
	sending.Wait()
	for _, v := range all {
		v.finish()
	}
	s := all[0].site
	got, rows := pingsOf(t, s)
	for id := range ids {
		if got[id] != 1 {
			t.Errorf("document %s is there %d times", id, got[id])
		}
	}
	assert.Len(t, got, len(ids))
	sameCounts(t, "direct tables", directCounts(t, s), rows)
	l, err := order.Open(t.Context(), s.Archive, order.Options{By: "test"})
	require.NoError(t, err)
	commits, err := l.News(t.Context())
	require.NoError(t, err)
	loads, err := archive.Loads(t.Context(), s.Archive, "spool.")
	require.NoError(t, err)
	assert.Len(t, commits, len(loads))
	days := []string{"20180301", "20180302"}
	etltest.Run(t, s, etl.RunOptions{Tables: s.Direct(), Days: days})
	sameCounts(t, "direct tables, made again", directCounts(t, s), rows)
}

// A server dies at any operation of its commit and comes again later. The others go on,
// what had its turn is archived, and all other documents can come by another edge.
func TestEdgesSurviveTheDeathOfOne(t *testing.T) {
	byEdge, ids := retried(t, 2, 12)
	died := 0
	for at := 5; ; at += 15 {
		all := edges(t, "e1", "e2")
		one, two := all[0], all[1]
		two.opts.turnPause = time.Microsecond
		faults := storetest.NewFaults(one.site.Archive)
		one.site.Archive = faults
		faults.StopAfter(at)
		ctx, kill := context.WithCancel(t.Context())
		one.startUntil(ctx)
		one.send(byEdge[0])
		require.NoError(t, one.spool.Seal(t.Context()))
		sitetest.WaitFor(t, "death, or all", func() bool { return faults.Stopped() || one.decoded() })
		kill()
		<-one.ended
		whole := !faults.Stopped()
		if !whole {
			died++
		}
		two.start()
		two.send(byEdge[1])
		two.finish()
		faults.Revive()
		one.start()
		one.finish()
		got, rows := pingsOf(t, two.site)
		for id := range ids {
			if got[id] != 1 {
				t.Errorf("death at %d: document %s is there %d times", at, id, got[id])
			}
		}
		sameCounts(t, fmt.Sprint("direct tables, death at ", at), directCounts(t, two.site), rows)
		if whole { // it lived for fewer operations
			break
		}
	}
	assert.Greater(t, died, 2)
}

// decoded reports whether no segment waits.
func (v *service) decoded() bool {
	left, err := spool.List(v.dir)
	return err == nil && len(left) == 0
}

// Two processes for one name: the second one is refused, by name, until the first has ended.
func TestEdgesNeedTheirNames(t *testing.T) {
	all := edges(t, "e1", "e1")
	all[1].site.Sharing.Holder = "server_two"
	all[0].start()
	sitetest.WaitFor(t, "lease", func() bool {
		_, err := store.ReadFile(t.Context(), all[0].site.Archive, "_leases/decode/e1")
		return err == nil
	})
	all[1].start()
	err := <-all[1].ended
	require.ErrorIs(t, err, store.ErrHeld)
	assert.ErrorContains(t, err, "server_e1")
	assert.ErrorContains(t, err, "edge.name")
	all[0].finish()
	require.NoError(t, all[1].spool.Close())
	all[1].spool = nil
	all[1].start()
	all[1].finish()
	assert.Equal(t, ping.Day("20180301"), ping.DayOf(all[0].clock.Ns.Load()))
}

// A second spool comes under the name of an edge: segments with the numbers of archived
// ones are not taken for these, and nothing of it is lost.
func TestAnotherSpoolOfTheEdge(t *testing.T) {
	all := edges(t, "e1", "e1")
	one, two := all[0], all[1]
	two.site = one.site
	byEdge, ids := retried(t, 1, 4)
	half := len(byEdge[0]) / 2
	one.start()
	one.send(byEdge[0][:half])
	one.finish()
	two.start()
	two.send(byEdge[0][half:])
	two.finish()
	got, _ := pingsOf(t, one.site)
	for id := range ids {
		assert.Equal(t, 1, got[id], "document %s", id)
	}
	progress, err := edgestate.ReadProgress(t.Context(), one.site.Archive)
	require.NoError(t, err)
	require.Len(t, progress, 2)
	assert.Regexp(t, "^e1_[a-z0-9]{8}$", progress[1].Edge)
	for _, again := range []*service{two, one} { // each goes on as before
		again.start()
		again.send([]*spool.Record{byEdge[0][half]})
		again.finish()
	}
	got, _ = pingsOf(t, one.site)
	assert.Len(t, got, len(ids))
}
