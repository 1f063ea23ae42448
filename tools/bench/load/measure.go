package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
)

// report holds the measurements.
type report struct {
	queries    int
	each       []int           // queries of each person that ended
	took       []time.Duration // of queries of ten people at once
	alone      []time.Duration // of one person while nothing else happens, over HTTP
	worker     []time.Duration // through gate and worker, without the service
	duckdb     []time.Duration // in DuckDB alone
	flown      []time.Duration // of those at once, over Flight SQL
	overtaking int             // queries of one with many waiting that began before another's single one
	slots      int
	runs       int64 // of the job meanwhile
	sent       string
}

// measure does one thing after the other.
func (s *server) measure(ctx context.Context) (*report, error) {
	r := &report{queries: s.queries, slots: queue.Slots(runtime.NumCPU(), 0, 0), each: make([]int, people)}
	for _, step := range []struct {
		what string
		do   func(context.Context, *report) error
	}{{"DuckDB alone, and through gate and worker", s.engines}, {"one person", s.one}, {"ten people, a job, and pings", s.many},
		{"one with many queries, and another", s.hog}} {
		fmt.Fprintln(s.log, step.what)
		if err := step.do(ctx, r); err != nil {
			return nil, fmt.Errorf("%s: %w", step.what, err)
		}
	}
	return r, nil
}

// rounds is the number of measurements of each small query on an idle system.
const rounds = 5

// timed returns the duration of a call.
func timed(do func() error) (time.Duration, error) {
	began := time.Now()
	err := do()
	return time.Since(began), err
}

// engines asks without the service.
func (s *server) engines(ctx context.Context, r *report) (err error) {
	p, err := schema.LoadProbes("")
	if err != nil {
		return err
	}
	in, err := site.Read(ctx, s.data, schema.NewSet(p))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	db, err := catalog.Open(ctx, in, query.Options{TempDir: filepath.Join(s.dir, "temp")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	runner := &worker.Runner{Temp: s.dir}
	for range rounds {
		for _, sql := range small {
			took, err := timed(func() error {
				rows, err := db.QueryIn(ctx, query.Presto, sql)
				if err != nil {
					return err
				}
				_, err = rows.Write(io.Discard, query.FormatCSV, query.WriteOptions{})
				return errors.Join(err, rows.Close())
			})
			if err != nil {
				return err
			}
			r.duckdb = append(r.duckdb, took)
			took, err = timed(func() error {
				q, err := catalog.Request(ctx, in, query.Presto, sql)
				if err == nil {
					q.Format = query.FormatCSV
					_, err = runner.Run(ctx, q, io.Discard, nil)
				}
				return err
			})
			if err != nil {
				return err
			}
			r.worker = append(r.worker, took)
		}
	}
	return nil
}

// one asks over HTTP while nothing else happens.
func (s *server) one(ctx context.Context, r *report) error {
	v := &visitor{s.web, s.tokens[0]}
	for range rounds {
		for _, sql := range small {
			took, err := timed(func() error { return v.query(ctx, sql) })
			if err != nil {
				return err
			}
			r.alone = append(r.alone, took)
		}
	}
	return nil
}

// many lets all ask until together they have asked enough, while a job makes tables again and pings arrive.
func (s *server) many(ctx context.Context, r *report) error {
	busy, enough := context.WithCancel(ctx)
	defer enough()
	var around errgroup.Group
	around.Go(func() error { return s.work(busy, &r.runs) })
	around.Go(func() error { return s.send(busy, r) })
	err := s.all(ctx, r)
	enough()
	return errors.Join(err, around.Wait())
}

// all makes each person run one query after the other.
func (s *server) all(ctx context.Context, r *report) error {
	var left atomic.Int64
	left.Store(int64(s.queries))
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	for i := range people {
		p, flies, err := s.person(i)
		if err != nil {
			return err
		}
		g.Go(func() error {
			for n := i; left.Add(-1) >= 0; n++ {
				took, err := timed(func() error { return p.query(ctx, small[n%len(small)]) })
				if err != nil {
					return fmt.Errorf("person %d: %w", i, err)
				}
				mu.Lock()
				r.each[i]++
				r.took = append(r.took, took)
				if flies {
					r.flown = append(r.flown, took)
				}
				mu.Unlock()
			}
			return nil
		})
	}
	return g.Wait()
}

func (s *server) person(i int) (p person, flies bool, err error) {
	if i >= people-flyers {
		p, err = newFlyer(s.flight, s.tokens[i])
		return p, true, err
	}
	return &visitor{s.web, s.tokens[i]}, false, nil
}

// work makes the tables of a day again and again.
func (s *server) work(ctx context.Context, runs *int64) error {
	for ctx.Err() == nil {
		cmd := exec.CommandContext(ctx, s.program, "run", "all", "--data", s.data, "--date", "20180302", "--force", "--workers", "1")
		if out, err := cmd.CombinedOutput(); err != nil && ctx.Err() == nil {
			return fmt.Errorf("run: %w: %s", err, out)
		}
		*runs++
	}
	return nil
}

// send sends pings until ctx ends, and then looks for all that were acknowledged in the archive.
func (s *server) send(ctx context.Context, r *report) error {
	journal := filepath.Join(s.dir, "acknowledged")
	cmd := exec.CommandContext(context.WithoutCancel(ctx), s.program, "generate", "--to", "http://"+s.edge, "--seed", "77", "--clients",
		"2000", "--days", "3", "--mean-bytes", "16000", "--gzip", "--rate", fmt.Sprint(s.rate), "--acked", journal)
	if err := cmd.Start(); err != nil {
		return err
	}
	<-ctx.Done()
	_ = cmd.Process.Signal(os.Interrupt) // it may have sent all
	_ = cmd.Wait()
	out, err := exec.CommandContext(context.WithoutCancel(ctx), s.program, "generate", "--acked", journal, "--verify", s.data).CombinedOutput()
	if err != nil {
		return fmt.Errorf("look for the acknowledged pings: %w: %s", err, out)
	}
	r.sent = strings.Join(strings.Fields(string(out)), " ")
	return nil
}

// hog makes one person queue many queries; then another person runs one.
func (s *server) hog(ctx context.Context, r *report) error {
	hog, other := &visitor{s.web, s.tokens[0]}, &visitor{s.web, s.tokens[1]}
	ids := []string{}
	for range hogging {
		q, err := hog.submit(ctx, small[2], 0)
		if err != nil {
			return err
		}
		ids = append(ids, q.ID)
	}
	single, err := other.submit(ctx, small[0], 60)
	if err != nil {
		return err
	}
	for _, id := range ids {
		var q started
		if err := hog.call(ctx, "GET", "/queries/"+id, nil, &q); err != nil {
			return err
		}
		if q.Started.After(single.At) && q.Started.Before(single.Started) {
			r.overtaking++
		}
		if q.State == "queued" || q.State == "running" {
			if err := hog.call(ctx, "DELETE", "/queries/"+id, nil, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// unfair is the error of a report in which somebody did not get their share: with equal demands nobody has twice the queries of
// another, and a single query waits for one query at most in each slot.
func (r *report) unfair() error {
	if least, most := slices.Min(r.each), slices.Max(r.each); most > 2*least {
		return fmt.Errorf("with equal demands one had %d queries and another %d", most, least)
	}
	if r.overtaking > r.slots {
		return fmt.Errorf("a single query waited for %d of the %d queries of another", r.overtaking, hogging)
	}
	return nil
}

// print writes what was measured as a part of the page of benchmarks.
func (r *report) print(w io.Writer) {
	fmt.Fprintf(w, "| queries | p50 ms | p95 ms | p99 ms |\n|---|---|---|---|\n")
	for _, row := range []struct {
		what string
		took []time.Duration
	}{
		{"DuckDB alone, in one process", r.duckdb}, {"through gate and worker", r.worker}, {"one person over HTTP", r.alone},
		{"ten people at once", r.took}, {"of these, over Flight SQL", r.flown},
	} {
		fmt.Fprintf(w, "| %s | %.0f | %.0f | %.0f |\n", row.what, quantile(row.took, 50), quantile(row.took, 95), quantile(row.took, 99))
	}
	fmt.Fprintf(w, "\nQueries of each of the ten: %v. A day was made again %d times meanwhile. %s\n", r.each, r.runs, r.sent)
	fmt.Fprintf(w, "A single query behind %d of another person waited for %d of them.\n", hogging, r.overtaking)
}

// quantile is in milliseconds.
func quantile(all []time.Duration, percent float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	all = slices.Sorted(slices.Values(all))
	i := int(math.Ceil(percent/100*float64(len(all)))) - 1
	return float64(all[max(0, i)].Microseconds()) / 1000
}
