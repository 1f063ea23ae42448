package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/forget"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/panics"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/site"
)

// parts run side by side; the failure of one is known to the others.
type parts struct {
	group  errgroup.Group
	failed chan struct{} // closed at the first failure
	first  sync.Once
}

func newParts() *parts { return &parts{failed: make(chan struct{})} }

// run starts a part of a name. One that panics fails: the others end in order.
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
func (f *serveFlags) schedule(ctx context.Context, site *site.Site, m *service.Metrics) error {
	return etl.Schedule(ctx, site, etl.ScheduleOptions{
		Lookback: f.lookback, Workers: f.drain.Workers, Progress: m.Progress,
		Removed: m.Removed, Retained: m.Retained, Now: f.clock.now, Wait: f.clock.wait, Log: f.drain.Log,
	})
}

// metrics are those of the parts that run here. site is nil where only the edge
// does.
func (f *serveFlags) metrics(site *site.Site) *service.Metrics {
	v := versionInfo()
	m := service.NewMetrics(service.Build{Version: v.Version, Revision: v.Commit, GoVersion: runtime.Version()})
	if f.has(partDecode) {
		m.CountDecoding(site.Direct(), f.edge.Namespaces)
	}
	if f.has(partSchedule) && f.schedules {
		var tables []string
		for _, t := range site.Tables {
			tables = append(tables, t.Name)
		}
		m.CountJobs(tables)
	}
	return m
}

// rotateFiles reads all files in turn until ctx ends.
func (f *serveFlags) rotateFiles(ctx context.Context, site *site.Site, m *service.Metrics) error {
	return etl.RotateFiles(ctx, site, f.files, etl.RotateOptions{Now: f.clock.now, Wait: f.clock.wait, Log: f.drain.Log, Checked: m.CheckedFiles})
}

// forget removes the rows of forgotten clients when it is due, until ctx ends.
func (f *serveFlags) forget(ctx context.Context, site *site.Site) error {
	return etl.ForgetAlways(ctx, site, f.deletes, etl.ForgetOptions{Decode: f.drain.Decode, Now: f.clock.now, Wait: f.clock.wait, Log: f.drain.Log})
}

// private serves operators until ctx ends.
func (f *serveFlags) private(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// privateHandler answers operators, as far as the parts run here.
func (f *serveFlags) privateHandler(o *opened, m *service.Metrics) (http.Handler, error) {
	state := func() service.State { return f.state(o) }
	if err := m.Observe(state, f.clock.now); err != nil {
		return nil, err
	}
	p := service.Private{Metrics: m, Status: f.status(o), Checks: map[string]func(context.Context) error{}, Hosts: append([]string{f.operator}, f.hosts...)}
	if o.spool != nil {
		p.Checks["disk"] = f.checkDisk(o.spool)
	}
	if o.follower != nil {
		p.Checks["spool"] = f.checkWritten(o.follower)
	}
	if site := o.site; site != nil {
		p.Checks["archive"] = func(ctx context.Context) error { _, err := archive.ReadProgress(ctx, site.Archive); return err }
		p.Checks["ledger"] = func(ctx context.Context) error { _, err := site.Ledger.Failures(ctx, job.Filter{}); return err }
	}
	return p.Handler(), nil
}

// status is what /status answers: of an edge alone the spool.
func (f *serveFlags) status(o *opened) func(context.Context) (any, error) {
	if o.site == nil {
		return func(context.Context) (any, error) {
			b, err := etl.ReadBacklog(f.spoolDir())
			return report.NewStatus(&etl.Status{Spool: b}), err
		}
	}
	return func(ctx context.Context) (any, error) {
		now := f.clock.now()
		days, err := job.DayRange(job.FormatDay(now.AddDate(0, 0, 1-defaultStatusDays)), job.FormatDay(now))
		if err != nil {
			return nil, err
		}
		st, err := etl.ReadStatus(ctx, o.site, etl.StatusOptions{Days: days, Now: now, Spool: f.spoolDir()})
		if err != nil {
			return nil, err
		}
		return report.NewStatus(st), nil
	}
}

// state is what metrics are made of. What cannot be read is left out: the
// heartbeat says why. How far edges are decoded is told by who decodes, and how
// fresh the tables are by who makes them.
func (f *serveFlags) state(o *opened) service.State {
	ctx := context.Background()
	s := service.State{Latest: map[string]ping.Day{}}
	if o.server != nil {
		_, _ = o.spool.Sealed() // another process may have removed some
		answers, stored := o.server.Stats(), o.spool.Stats()
		s.Edge, s.Spool = &answers, &stored
	}
	if f.has(partEdge) || f.has(partDecode) {
		if damaged, err := spool.ListDamaged(f.spoolDir()); err == nil {
			n := len(damaged)
			s.SpoolDamaged = &n
		}
	}
	if f.has(partDecode) {
		s.Edges, _ = archive.ReadProgress(ctx, o.site.Archive)
	}
	if !f.has(partSchedule) {
		return s
	}
	s.Forgotten = pendingDeletions(ctx, o.site)
	if r, err := etl.Replaced(ctx, o.site); err == nil {
		s.Replaced = &r.Bytes
	}
	s.Overdue, _ = etl.Overdue(ctx, o.site, f.lookback, f.clock.now())
	s.Damaged = damagedFiles(ctx, o.site)
	for _, t := range o.site.Tables {
		table, err := o.site.Table(t.Name)
		if err != nil {
			continue
		}
		if day, err := table.Latest(ctx); err == nil && day != "" {
			s.Latest[t.Name] = ping.Day(day)
		}
	}
	return s
}

// checkWritten says whether an edge has ever written to a spool.
func (f *serveFlags) checkWritten(sp *spool.Follower) func(context.Context) error {
	return func(ctx context.Context) error {
		through, err := sp.Watermark(ctx)
		if err == nil && through == 0 {
			err = fmt.Errorf("no edge has opened the spool %s yet: start one, with the same data and user (pingmill serve --only edge)", f.spoolDir())
		}
		return err
	}
}

// pendingDeletions are the clients whose rows are to be removed; nil when they
// cannot be read, which the log of the removal says.
func pendingDeletions(ctx context.Context, site *site.Site) *service.Forgotten {
	set, err := site.Forgotten.Set(ctx)
	if err != nil {
		return nil
	}
	requests, err := site.Forgotten.Pending(ctx)
	if err != nil {
		return nil
	}
	p := &service.Forgotten{Oldest: forget.Oldest(requests)}
	_, p.Pending = set.Len()
	return p
}

// damagedFiles counts what is damaged by table, and of the archive; nil when it
// cannot be read.
func damagedFiles(ctx context.Context, site *site.Site) map[string]int {
	found, err := etl.FoundFiles(ctx, site)
	if err != nil {
		return nil
	}
	count := map[string]int{"archive": 0}
	for _, t := range site.Tables {
		count[t.Name] = 0
	}
	for _, d := range found {
		count[d.Of]++
	}
	return count
}

// checkDisk says whether submissions are refused for want of room.
func (f *serveFlags) checkDisk(sp *spool.Spool) func(context.Context) error {
	return func(context.Context) error {
		if s := sp.Stats(); s.Free >= 0 && s.Free < f.spool.MinFree {
			return fmt.Errorf("%d bytes of disk are free, want %d", s.Free, f.spool.MinFree)
		}
		return nil
	}
}
