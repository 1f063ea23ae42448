package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/filecheck"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/privacy/retain"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/terminal/report"
)

// Run runs the parts until ctx ends or one fails. When ctx ends, the edge finishes the accepted requests; then the
// rest of the spool is decoded, unless another signal arrives. If another process is the edge, only the current batch
// is decoded.
func (s *Service) Run(ctx context.Context) error {
	s.begin(ctx)
	work, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	rest, end := context.WithCancel(work)
	defer end()
	m := s.metrics()
	s.counted = m
	handler, err := s.privateHandler(m)
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	s.Decode.Stop, s.Decode.Decoded, s.Decode.Published = stop, m.Decoded, m.Published
	if s.arrivals != nil {
		s.Decode.Decoded = func(meta *ping.Meta, class, message string) {
			m.Decoded(meta, class, message)
			s.arrivals.Decoded(meta, class, message)
		}
		s.Decode.Published = func(table string, rows, bytes int64) {
			m.Published(table, rows, bytes)
			s.arrivals.Published(table)
		}
	}
	p := newParts()
	if s.has(PartEdge) {
		p.run("edge", func() error { return s.server.Serve(work, s.public) })
	}
	p.run("private listener", func() error { return serveOperators(rest, s.private, handler) })
	switch {
	case s.site() != nil:
		s.start(p, m, work, rest, false)
	case s.Unread && !s.needsSite():
		p.run("definitions", func() error { return s.learn(rest) })
	case s.needsSite():
		p.run("installation", func() error {
			if err := s.join(rest); err != nil {
				return nil // it ends
			}
			s.start(p, m, work, rest, true)
			return nil
		})
	}
	select {
	case <-ctx.Done():
	case <-p.failed: // the others are ended, too
	}
	s.Log.Info("ending: another signal ends it at once")
	_ = notify(work, "STOPPING=1") // it only shows there
	defer abortOnSignal(work, abort)()
	if s.has(PartEdge) {
		grace, cancel := context.WithTimeout(work, s.Grace)
		err = s.server.Shutdown(grace)
		cancel()
	}
	close(stop)
	end()
	err = errors.Join(err, p.group.Wait())
	args := []any{}
	if s.has(PartEdge) {
		args = append(args, "stats", s.server.Stats())
	}
	s.Log.Info("ended", args...)
	return err
}

// start starts the parts that work on the installation. Decoding goes on after rest has ended, until work ends. If
// the installation was opened late the query tool is not open yet.
func (s *Service) start(p *parts, m *Metrics, work, rest context.Context, late bool) {
	s.countParts(m)
	report.WarnColumnless(s.Log, s.site().Probes)
	if s.has(PartDecode) {
		p.run("decode", func() error { return s.decodeWhenReady(work, s.Decode.Stop) })
	}
	if s.has(PartWeb) {
		p.run("query tool", func() error { return s.serveTool(rest, late) })
	}
	if s.has(PartSchedule) && s.Daily {
		p.run("schedule", func() error { return s.schedule(rest, m) })
	}
	if s.has(PartSchedule) && s.FilesEvery > 0 {
		p.run("check of files", func() error { return s.rotateFiles(rest, m) })
	}
	if s.has(PartSchedule) && s.Profiles {
		p.run("quality", func() error { return s.profile(rest, m) })
	}
	if s.has(PartSchedule) && s.Forget.Every > 0 {
		p.run("deletion", func() error { return s.forget(rest) })
	}
	if s.has(PartSchedule) && s.CompactAfter > 0 {
		p.run("compaction", func() error {
			return retain.KeepCompact(rest, s.site(), retain.CompactOptions{After: s.CompactAfter, Clock: s.Clock, Log: s.Log})
		})
	}
	if f := s.iceberg(); f != nil {
		p.run("iceberg", func() error { return f.Loop(rest, iceberg.LoopOptions{Every: s.IcebergEvery, Clock: s.Clock}) })
	}
}

// begin reports that the service is running.
func (s *Service) begin(ctx context.Context) {
	args := []any{"parts", s.Parts, "private", s.private.Addr().String()}
	if s.public != nil {
		args = append(args, "address", s.public.Addr().String(), "tls", s.Edge.CertFile != "")
	}
	if s.pages != nil {
		args = append(args, "web", s.pages.Addr().String())
	}
	for _, key := range s.Exposed() {
		s.Log.Warn("a listener is open to all addresses without TLS: anybody on the network can read the traffic, passwords and tokens too. "+
			"Listen at one address, or behind a proxy or firewall that keeps strangers away", "key", key)
	}
	s.Log.Info("serving", append(args, "data", s.Data, "version", s.Program)...)
	if err := notify(ctx, "READY=1"); err != nil {
		s.Log.Warn("continue after an error", "err", err)
	}
}

// abortOnSignal aborts the work at the next signal.
func abortOnSignal(work context.Context, abort func()) (forget func()) {
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-again:
			abort()
		case <-work.Done():
		}
	}()
	return func() { signal.Stop(again) }
}

// parts runs functions concurrently and notifies the others of the first failure.
type parts struct {
	group  errgroup.Group
	failed chan struct{} // closed at the first failure
	first  sync.Once
}

func newParts() *parts { return &parts{failed: make(chan struct{})} }

// run starts a named part. A panic counts as a failure, so that the others end in order.
func (p *parts) run(name string, part func() error) {
	p.group.Go(func() error {
		err := panics.Try(part)
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
			p.first.Do(func() { close(p.failed) })
		}
		return err
	})
}

// schedule makes daily tables until ctx ends.
func (s *Service) schedule(ctx context.Context, m *Metrics) error {
	daily := retain.Daily{Site: s.site(), Options: retain.Options{Now: s.Clock.Now, Log: s.Log, Removed: m.Removed}, Done: m.Retained}
	return etl.Schedule(ctx, s.site(), etl.ScheduleOptions{
		Lookback: s.Lookback, Remake: s.Remake, Workers: s.Decode.Workers, Progress: m.Progress,
		After: daily.Round, Clock: s.Clock, Log: s.Log,
		Checks: s.checks, Code: s.Program,
	})
}

// metrics returns the metrics of the parts in this process.
func (s *Service) metrics() *Metrics {
	v := s.Version
	return NewMetrics(Build{Version: v.Version, Revision: v.Commit, GoVersion: runtime.Version()})
}

// countParts begins the counts of the parts that work on the installation.
func (s *Service) countParts(m *Metrics) {
	if s.has(PartDecode) {
		m.CountDecoding(s.site().Tables, slices.Concat(s.Edge.Namespaces, s.Decode.Decode.Glean.Applications))
	}
	if s.has(PartSchedule) && s.Daily {
		m.CountJobs(schema.Names(s.site().Tables))
	}
	if s.has(PartSchedule) && s.Profiles {
		m.CountProfiles(schema.Names(s.site().Tables))
	}
	if s.has(PartWeb) {
		m.countSchedules()
		m.countSignIns()
		m.countPrograms()
	}
}

// iceberg returns the follower that updates Iceberg tables after publications of this process, or nil.
func (s *Service) iceberg() *iceberg.Follower {
	if s.site() == nil || !s.has(PartDecode) && !s.has(PartSchedule) {
		return nil
	}
	return iceberg.FollowerOf(s.site())
}

// rotateFiles checks all files in turn until ctx ends.
func (s *Service) rotateFiles(ctx context.Context, m *Metrics) error {
	return filecheck.Rotate(ctx, s.site(), s.FilesEvery,
		filecheck.RotateOptions{Clock: s.Clock, Log: s.Log, Checked: m.CheckedFiles})
}

// profile makes profiles of published partitions until ctx ends.
func (s *Service) profile(ctx context.Context, m *Metrics) error {
	return quality.Keep(ctx, s.site(), quality.KeepOptions{
		Options: quality.Options{Checks: s.checks}, Made: m.Profiled, Clock: s.Clock, Log: s.Log,
	})
}

// forget removes the rows of forgotten clients when due, until ctx ends.
func (s *Service) forget(ctx context.Context) error {
	return erase.Repeat(ctx, s.site(), s.Forget, erase.Options{Decode: s.Decode.Decode, Program: s.Program, Clock: s.Clock, Log: s.Log})
}
