package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/generate"
)

// Commits are loads that decoders have committed one after the other, as fast as they could.
type Commits struct {
	Decoders int
	Each     int     // loads of each
	Latency  float64 // s of a request, on average
	Seconds  float64 // from the first to the last
	Requests float64 // of a load, start of the decoder aside
	InTurn   float64 // of these, while no other server could commit; of one decoder only
}

// Days are runs of all tables of days.
type Days struct {
	Days, Workers int
	Latency       float64
	Seconds       float64
	Requests      map[string]int // of all
}

// Measured holds the costs of small cases on a machine.
type Measured struct {
	Commits []Commits
	Days    []Days
}

// perLoad is the number of submissions in a load of the small cases.
const perLoad = 16

// measure measures the small cases.
func measure(ctx context.Context) (m Measured, err error) {
	dir, err := os.MkdirTemp("", "scale")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(dir)
	const latency = 5 * time.Millisecond
	for i, decoders := range []int{1, 4, 16, 32} {
		each := max(4, 8/decoders)
		c, err := measureCommits(ctx, filepath.Join(dir, fmt.Sprint("commits", i)), decoders, each, latency)
		if err != nil {
			return m, err
		}
		m.Commits = append(m.Commits, c)
	}
	for i, d := range []Days{{Days: 1, Workers: 1}, {Days: 1, Workers: 2}, {Days: 3, Workers: 2}, {Days: 3, Workers: 4}} {
		d.Latency = latency.Seconds()
		if err := d.measure(ctx, filepath.Join(dir, fmt.Sprint("days", i))); err != nil {
			return m, err
		}
		m.Days = append(m.Days, d)
	}
	return m, nil
}

// openSite opens an installation whose archive and tables are in buckets.
func openSite(ctx context.Context, dir, name string, archive *slowBucket, tables map[schema.Root]store.Bucket) (*site.Site, error) {
	p, err := schema.LoadProbes("")
	if err != nil {
		return nil, err
	}
	s, err := site.Open(ctx, dir, schema.NewSet(p))
	if err != nil {
		return nil, err
	}
	s.Archive, s.Roots = archive, tables
	return s, s.Share(ctx, name, time.Now)
}

func newTables(mean time.Duration) map[schema.Root]store.Bucket {
	all := map[schema.Root]store.Bucket{}
	for i, root := range []schema.Root{schema.StorageRoot, schema.PipelineRoot, schema.RestrictedRoot} {
		all[root] = newSlowBucket(mean, uint64(i)+10)
	}
	return all
}

func measureCommits(ctx context.Context, dir string, decoders, each int, latency time.Duration) (c Commits, err error) {
	c = Commits{Decoders: decoders, Each: each, Latency: latency.Seconds()}
	archive, tables := newSlowBucket(0, 1), newTables(0)
	var group errgroup.Group
	var runs []func() error
	for i := range decoders {
		name := fmt.Sprintf("e%02d", i)
		s, err := openSite(ctx, filepath.Join(dir, name), name, archive, tables)
		if err != nil {
			return c, err
		}
		defer s.Close()
		sp, err := filledSpool(ctx, filepath.Join(dir, name, "spool"), name, each, uint64(i))
		if err != nil {
			return c, err
		}
		defer sp.Close()
		stop := make(chan struct{})
		close(stop)
		runs = append(runs, func() error {
			return loader.Decode(ctx, s, loader.DecodeOptions{
				Spool: sp, Edge: name, Decode: ingest.DefaultConfig(), Workers: 1, ArchiveBytes: 1, Stop: stop, Now: time.Now,
			})
		})
	}
	archive.mean = latency
	for _, t := range tables {
		t.(*slowBucket).mean = latency
	}
	start := time.Now()
	for _, run := range runs {
		group.Go(run)
	}
	err = group.Wait()
	c.Seconds = time.Since(start).Seconds()
	c.Requests = float64(archive.total()) / float64(decoders*each)
	for _, t := range tables {
		c.Requests += float64(t.(*slowBucket).total()) / float64(decoders*each)
	}
	if decoders == 1 {
		c.InTurn = float64(archive.inTurn) / float64(each)
		for _, t := range tables { // published in the turn
			c.InTurn += float64(t.(*slowBucket).total()) / float64(each)
		}
	}
	return c, err
}

// filledSpool makes a spool with some segments.
func filledSpool(ctx context.Context, dir, edge string, segments int, seed uint64) (*spool.Spool, error) {
	s, err := spool.Open(dir, spool.Options{Edge: edge, MinFree: -1, Now: time.Now})
	if err != nil {
		return nil, err
	}
	g, err := generate.New(generate.Config{Seed: seed, Clients: 200, Days: 1, MeanBytes: 16_000, Gzip: true})
	if err != nil {
		return nil, err
	}
	n := 0
	for sub := range g.Submissions() {
		r := spool.Record{Timestamp: time.Now().UnixNano(), URI: sub.URI, RemoteAddr: []byte(sub.RemoteAddr), Body: sub.Body}
		for _, h := range sub.Headers {
			r.Headers = append(r.Headers, spool.Header{Name: []byte(h.Name), Value: []byte(h.Value)})
		}
		if err := s.Append(ctx, &r); err != nil {
			return nil, err
		}
		if n++; n%perLoad == 0 {
			if err := s.Seal(ctx); err != nil {
				return nil, err
			}
		}
		if n == segments*perLoad {
			break
		}
	}
	return s, nil
}

func (d *Days) measure(ctx context.Context, dir string) error {
	archive, tables := newSlowBucket(0, 2), newTables(0)
	s, err := openSite(ctx, dir, "one", archive, tables)
	if err != nil {
		return err
	}
	defer s.Close()
	days, err := d.load(ctx, s)
	if err != nil {
		return err
	}
	mean := time.Duration(d.Latency * float64(time.Second))
	buckets := []*slowBucket{archive}
	for _, t := range tables {
		buckets = append(buckets, t.(*slowBucket))
	}
	for _, b := range buckets {
		b.mean, b.requests = mean, map[string]int{}
	}
	start := time.Now()
	if _, err := etl.Run(ctx, s, etl.RunOptions{Tables: schema.Names(s.Tables), Days: days, Workers: d.Workers, Now: time.Now}); err != nil {
		return err
	}
	d.Seconds, d.Requests = time.Since(start).Seconds(), map[string]int{}
	for _, b := range buckets {
		for k, n := range b.requests {
			d.Requests[k] += n
		}
	}
	return nil
}
