package loader

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/generate"
)

// population returns a generator with its submissions kept.
func population(t testing.TB, clients, days int) (*generate.Generator, []*spool.Record) {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: 3, Clients: clients, Days: days, Gzip: true, MeanBytes: 16_000, Duplicates: 0.05,
		Damaged: 0.1})
	require.NoError(t, err)
	var all []*spool.Record
	for s := range g.Submissions() {
		all = append(all, spoolRecord(s))
	}
	return g, all
}

// spoolRecord returns the spool record of a submission.
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
	v.opts = DecodeOptions{Edge: "e1", Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Decode: ingest.DefaultConfig(), Buffer: 8 << 20,
		Prepared: []string{"main_summary", "crash_summary", "glean"}}
	return v
}

func (v *service) start() {
	v.t.Helper()
	v.startUntil(context.Background())
}

// startUntil starts a service whose decoding is cut short when the context ends.
func (v *service) startUntil(ctx context.Context) {
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
	go func() { v.ended <- Decode(ctx, v.site, o) }()
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

// round makes what the schedule makes at that time, and counts the outcomes of units.
func (v *service) round() map[string]int {
	v.t.Helper()
	ended := map[string]int{}
	etltest.Rounds(v.t, v.site, etl.ScheduleOptions{Clock: clock.Clock{Now: v.clock.Now}, Progress: func(e job.Event) {
		if e.Kind == job.UnitEnded {
			ended[fmt.Sprintf("%s %s", e.Unit, e.Outcome)]++
		}
	}}, 1)
	return ended
}

// countPublished counts the rows that the decode loop reports, by table. It is to be read after the end.
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
