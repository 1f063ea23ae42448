package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/generate/send"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/service"
)

// parts run side by side; the failure of one is known to the others.
type parts struct {
	group  errgroup.Group
	failed chan struct{} // closed at the first failure
	first  sync.Once
}

func newParts() *parts { return &parts{failed: make(chan struct{})} }

// run starts a part of a name.
func (p *parts) run(name string, part func() error) {
	p.group.Go(func() error {
		err := part()
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
			p.first.Do(func() { close(p.failed) })
		}
		return err
	})
}

// schedule makes daily tables until ctx ends.
func (f *serveFlags) schedule(ctx context.Context, site *etl.Site, m *service.Metrics) error {
	return site.Schedule(ctx, etl.ScheduleOptions{
		Lookback: f.lookback, Workers: f.drain.Workers, Progress: m.Progress, Now: time.Now, Wait: send.Sleep, Log: f.drain.Log,
	})
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

// privateHandler answers operators.
func (f *serveFlags) privateHandler(site *etl.Site, server *edge.Server, sp *spool.Spool, m *service.Metrics) (http.Handler, error) {
	state := func() service.State { return f.state(site, server, sp) }
	if err := m.Observe(state, time.Now); err != nil {
		return nil, err
	}
	p := service.Private{
		Metrics: m,
		Status: func(ctx context.Context) (any, error) {
			now := time.Now()
			days, err := job.DayRange(job.FormatDay(now.AddDate(0, 0, 1-defaultStatusDays)), job.FormatDay(now))
			if err != nil {
				return nil, err
			}
			st, err := site.Status(ctx, etl.StatusOptions{Days: days, Now: now, Spool: filepath.Join(f.site.data, "spool")})
			if err != nil {
				return nil, err
			}
			return statusDocument(st), nil
		},
		Checks: map[string]func(context.Context) error{
			"disk":    f.checkDisk(sp),
			"archive": func(ctx context.Context) error { _, err := archive.ReadProgress(ctx, site.Archive); return err },
			"ledger":  func(ctx context.Context) error { _, err := site.Ledger.Failures(ctx, job.Filter{}); return err },
		},
	}
	return p.Handler(), nil
}

// state is what metrics are made of. What cannot be read is left out: the
// heartbeat says why.
func (f *serveFlags) state(site *etl.Site, server *edge.Server, sp *spool.Spool) service.State {
	ctx := context.Background()
	answers, stored := server.Stats(), sp.Stats()
	s := service.State{Edge: &answers, Spool: &stored, Latest: map[string]ping.Day{}}
	s.Edges, _ = archive.ReadProgress(ctx, site.Archive)
	for _, t := range site.Tables {
		table, err := site.Table(t.Name)
		if err != nil {
			continue
		}
		if day, err := table.Latest(ctx); err == nil && day != "" {
			s.Latest[t.Name] = ping.Day(day)
		}
	}
	return s
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
