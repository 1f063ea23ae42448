package main

import (
	"context"
	"flag"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

var (
	steadyTook = flag.Duration("steady.took", 24*time.Second, "how long TestSteadyLoad takes for its 24 hours")
	steadyRate = flag.Float64("steady.rate", 150, "submissions a real second of TestSteadyLoad")
)

// TestSteadyLoad runs edge, spool and decoding for a day and some hours, in
// compressed time, under a steady load. Memory stays flat: what is alive in the
// second half is no more than in the first, but for the identities of
// submissions that the duplicate check has to remember. It measures this process, so no other test runs beside it.
func TestSteadyLoad(t *testing.T) {
	dir := t.TempDir()
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	site, err := site.Open(context.Background(), dir, schema.NewSet(p))
	require.NoError(t, err)
	defer site.Close()
	began := time.Now()
	first := time.Date(2018, 3, 1, 20, 0, 0, 0, time.UTC)
	speed := float64(24*time.Hour) / float64(*steadyTook)
	now := func() time.Time { return first.Add(time.Duration(float64(time.Since(began)) * speed)) }

	sp, err := spool.Open(filepath.Join(dir, "spool"), spool.Options{Now: now, SegmentBytes: 4 << 20, SegmentAge: 50 * time.Millisecond})
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server, err := edge.New(edge.Config{Spool: sp, Now: time.Now})
	require.NoError(t, err)
	stop, ended := make(chan struct{}), make(chan error, 2)
	go func() { ended <- server.Serve(context.Background(), l) }()
	go func() {
		ended <- loader.Decode(context.Background(), site, loader.DecodeOptions{
			Spool: sp, Edge: "edge", Decode: ingest.DefaultConfig(), Stop: stop, Now: now, Buffer: 16 << 20,
			Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
	}()
	heap := sendSteadily(t, l.Addr().String())
	assert.NoError(t, server.Shutdown(context.Background()))
	close(stop)
	for range 2 {
		assert.NoError(t, <-ended)
	}
	assert.NoError(t, sp.Close())
	half := len(heap) / 2
	before, after := most(heap[1:half]), most(heap[half:])
	t.Logf("live heap by hour, MB: %v", heap)
	if after > before*5/4+8 {
		t.Errorf("the live heap grew from %d to %d MB", before, after)
	}
	checkDirect(t, site)
}

// sendSteadily sends for the time of the test and returns the live heap in MB,
// sampled 24 times.
func sendSteadily(t *testing.T, address string) (heap []uint64) {
	t.Helper()
	count := int64(steadyTook.Seconds() * *steadyRate)
	g, err := generate.New(generate.Config{Seed: 5, Clients: int(count/3) + 10, Days: 3, MeanBytes: 16_000, Gzip: true})
	require.NoError(t, err)
	to, err := url.Parse("http://" + address)
	require.NoError(t, err)
	every := count / 24
	report, err := send.Run(context.Background(), g, send.Options{
		To: to, Rate: *steadyRate, Limit: count, Retries: 3, Clock: clock.Clock{Now: time.Now},
		Progress: func(s send.Stats) {
			if n := s.Acknowledged + s.Refused + s.GivenUp; n%every == 0 {
				heap = append(heap, liveHeap()>>20)
			}
		},
	})
	require.NoError(t, err)
	if report.Acknowledged < count*9/10 {
		t.Errorf("%d of %d acknowledged: %+v", report.Acknowledged, count, report)
	}
	return heap
}

// liveHeap returns the heap size after a garbage collection, in bytes.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func most(values []uint64) (top uint64) {
	for _, v := range values {
		top = max(top, v)
	}
	return top
}
