package intake

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/generate"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// population is a generator with its submissions kept.
func population(t testing.TB, clients, days int) (*generate.Generator, []*spool.Record) {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: 3, Clients: clients, Days: days, Gzip: true, MeanBytes: 16_000, Duplicates: 0.05, Damaged: 0.1})
	require.NoError(t, err)
	var all []*spool.Record
	for s := range g.Submissions() {
		all = append(all, spoolRecord(s))
	}
	return g, all
}

// spoolRecord is what an edge would keep of a submission.
func spoolRecord(s *generate.Submission) *spool.Record {
	r := &spool.Record{Timestamp: s.Timestamp, URI: slices.Clone(s.URI), RemoteAddr: []byte(s.RemoteAddr), Body: slices.Clone(s.Body)}
	for _, h := range s.Headers {
		r.Headers = append(r.Headers, spool.Header{Name: []byte(h.Name), Value: []byte(h.Value)})
	}
	return r
}

// service is a spool and the decoding of it.
type service struct {
	t     *testing.T
	site  *site.Site
	dir   string
	clock *sitetest.Clock
	spool *spool.Spool
	opts  DecodeOptions
	stop  chan struct{}
	ended chan error
}

func newService(t *testing.T, s *site.Site) *service {
	c := &sitetest.Clock{}
	c.Set(time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC).UnixNano())
	v := &service{t: t, site: s, dir: t.TempDir(), clock: c}
	v.opts = DecodeOptions{Edge: "e1", Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Decode: ingest.DefaultConfig(), Buffer: 8 << 20}
	return v
}

func (v *service) start() {
	v.t.Helper()
	var err error
	if v.spool == nil {
		v.spool, err = spool.Open(v.dir, spool.Options{Edge: v.opts.Edge, SegmentBytes: 1 << 20, MinFree: -1, Now: v.clock.Now})
		require.NoError(v.t, err)
	}
	o := v.opts
	o.Spool, o.Now = v.spool, v.clock.Now
	v.stop, v.ended = make(chan struct{}), make(chan error, 1)
	o.Stop = v.stop
	go func() { v.ended <- Decode(context.Background(), v.site, o) }()
}

// finish waits until all is in the archive and closes the spool.
func (v *service) finish() {
	v.t.Helper()
	close(v.stop)
	assert.NoError(v.t, <-v.ended)
	assert.NoError(v.t, v.spool.Close())
	v.spool = nil
}

func (v *service) send(records []*spool.Record) {
	v.t.Helper()
	for _, r := range records {
		v.clock.Set(r.Timestamp)
		require.NoError(v.t, v.spool.Append(context.Background(), r))
	}
}

// kept counts what is in the archive by what it is: "ping main", "error json".
func kept(t testing.TB, s *site.Site) map[string]int {
	t.Helper()
	ctx := context.Background()
	counts := map[string]int{}
	days, err := archive.Days(ctx, s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		counts["ping "+string(d.Day)+" "+string(d.DocType)] += int(d.Rows)
	}
	days, err = archive.ErrorDays(ctx, s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		e, err := archive.OpenErrors(ctx, s.Archive, d.Day)
		require.NoError(t, err)
		for r, err := range e.All(ctx) {
			require.NoError(t, err)
			counts["error "+string(d.Day)+" "+r.Class]++
		}
	}
	return counts
}

// loaded is what loading the same submissions from a file gives: the standard
// that decoding a spool is held to.
func loaded(t testing.TB, g *generate.Generator) map[string]int {
	t.Helper()
	var b strings.Builder
	if _, err := g.WriteSubmissions(&b, generate.Options{}); err != nil {
		t.Fatal(err)
	}
	s := sitetest.Memory(t, store.NewMemory())
	if _, err := Load(context.Background(), s, strings.NewReader(b.String()), LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		t.Fatal(err)
	}
	return kept(t, s)
}

// directCounts counts the rows of the direct tables' partitions, as readers see them.
func directCounts(t testing.TB, s *site.Site) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for _, name := range s.Direct() {
		lt, err := s.Table(name)
		require.NoError(t, err)
		all, err := lt.Partitions(context.Background())
		require.NoError(t, err)
		for _, m := range all {
			if m.Rows > 0 { // a closed day may be empty
				counts[name+" "+m.Day] = m.Rows
			}
		}
	}
	return counts
}

func sameCounts[V int | int64](t testing.TB, what string, got, want map[string]V) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// directRows are the rows that the direct tables must have.
func directRows(counts map[string]int) map[string]int64 {
	rows := map[string]int64{}
	for key, n := range counts {
		for docType, table := range map[string]string{"new-profile": "telemetry_new_profile_parquet", "update": "telemetry_update_parquet"} {
			if f := strings.Fields(key); f[0] == "ping" && f[2] == docType {
				rows[table+" "+f[1]] = int64(n)
			}
		}
	}
	return rows
}

func TestDrain(t *testing.T) {
	g, records := population(t, 60, 3)
	want := loaded(t, g)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	rows := v.countPublished()
	v.start()
	v.send(records)
	v.finish()
	sameCounts(t, "archive", kept(t, s), want)
	sameCounts(t, "direct tables", directCounts(t, s), directRows(want))
	sameCounts(t, "rows that were told of", rows, byTable(directRows(want)))
	rejectedAsSent(t, s, records)
	edges, err := archive.ReadProgress(context.Background(), s.Archive)
	if err != nil || len(edges) != 1 || edges[0].Watermark < records[len(records)-1].Timestamp {
		t.Errorf("progress %v, %v", edges, err)
	}
	if left, err := spool.List(v.dir); err != nil || len(left) > 0 {
		t.Errorf("segments left: %v, %v", left, err)
	}
	// The days that are over are what runs of them make: the schedule sees to it, once.
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

// round makes what the schedule makes at that time, and counts the outcomes of units.
func (v *service) round() map[string]int {
	v.t.Helper()
	ended := map[string]int{}
	etltest.Rounds(v.t, v.site, etl.ScheduleOptions{Now: v.clock.Now, Progress: func(e job.Event) {
		if e.Kind == job.UnitEnded {
			ended[fmt.Sprintf("%s %s", e.Unit, e.Outcome)]++
		}
	}}, 1)
	return ended
}

// countPublished counts the rows that the decoding tells of, by table. It is to
// be read after the end.
func (v *service) countPublished() map[string]int64 {
	all := map[string]int64{}
	v.opts.Published = func(table string, rows, bytes int64) {
		if rows < 0 || bytes <= 0 {
			v.t.Errorf("%s: %d rows, %d bytes", table, rows, bytes)
		}
		all[table] += rows
	}
	return all
}

// byTable sums up counts by table and day.
func byTable(counts map[string]int64) map[string]int64 {
	all := map[string]int64{}
	for key, n := range counts {
		table, _, _ := strings.Cut(key, " ")
		all[table] += n
	}
	return all
}

// rejectedAsSent checks that rejected submissions and duplicates are kept with
// what the client sent, but for its address.
func rejectedAsSent(t testing.TB, s *site.Site, records []*spool.Record) {
	t.Helper()
	sent := map[string]*spool.Record{}
	for _, r := range records {
		sent[string(r.URI)+string(r.Body)] = r
	}
	days, err := archive.ErrorDays(context.Background(), s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		e, err := archive.OpenErrors(context.Background(), s.Archive, d.Day)
		require.NoError(t, err)
		for r, err := range e.All(context.Background()) {
			require.NoError(t, err)
			was := sent[r.Path+string(r.Body)]
			if was == nil {
				t.Errorf("%s %s: nobody sent this path and body", r.Class, r.Path)
				continue
			}
			for _, h := range was.Headers {
				if got, want := r.Headers[string(h.Name)], string(h.Value); got != want && string(h.Name) != "X-Forwarded-For" {
					t.Errorf("%s %s: header %s is %q, want %q", r.Class, r.Path, h.Name, got, want)
				}
			}
			if _, ok := r.Headers["X-Forwarded-For"]; ok {
				t.Errorf("%s %s: the address is kept", r.Class, r.Path)
			}
		}
	}
}

// sameTables compares the rows of the direct tables' closed days, byte by byte.
func sameTables(t testing.TB, got, want *site.Site, days []string) {
	t.Helper()
	sums := func(s *site.Site) map[string]string {
		all := map[string]string{}
		for _, name := range s.Direct() {
			lt, err := s.Table(name)
			require.NoError(t, err)
			for _, d := range days {
				m, err := lt.Partition(context.Background(), d)
				require.NoError(t, err)
				for i, f := range m.Files {
					all[fmt.Sprint(name, d, i)] = f.SHA256
				}
				if len(m.Parts) == 0 {
					t.Errorf("%s %s was not closed", name, d)
				}
			}
		}
		return all
	}
	if g, w := sums(got), sums(want); !maps.Equal(g, w) {
		t.Errorf("direct tables: got %v, want %v", g, w)
	}
}

// Whatever operation of the disk fails, and wherever it stops for good and is
// started anew, everything is there once.
func TestDrainSurvivesFaults(t *testing.T) {
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
		sameCounts(t, fmt.Sprint("archive, fault at ", at), kept(t, s), want)
		sameCounts(t, fmt.Sprint("direct tables, fault at ", at), directCounts(t, s), directRows(want))
	}
}

// A submission that comes again after a restart is still known.
func TestDuplicatesSurviveRestart(t *testing.T) {
	_, records := population(t, 20, 1)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	v.start()
	v.send(records)
	v.finish()
	before := kept(t, s)
	for hours := range 3 {
		v.start()
		for _, r := range records {
			again := *r
			again.Timestamp = time.Date(2018, 3, 2, 1+10*hours, 0, 0, 0, time.UTC).UnixNano()
			v.send([]*spool.Record{&again})
		}
		v.finish()
		if hours == 0 {
			for key, n := range kept(t, s) {
				if strings.HasPrefix(key, "ping") && before[key] != n {
					t.Errorf("%s: %d pings, %d before the restart", key, n, before[key])
				}
			}
		}
	}
	// The last ones come later than a window after the first.
	var pings, late int
	for key, n := range kept(t, s) {
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
func TestDrainBesideLoads(t *testing.T) {
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
	sameCounts(t, "rows that were told of", rows, own)
	for key, n := range more {
		want[key] += n
	}
	sameCounts(t, "archive", kept(t, s), want)
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
		edges, err := archive.ReadProgress(context.Background(), s.Archive)
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
