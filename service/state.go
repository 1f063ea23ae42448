package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/forget"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/retain"
	"github.com/pingmill/pingmill/site"
)

// serveOperators serves operators until ctx ends.
func serveOperators(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// privateHandler serves operators, for the parts that run here.
func (s *Service) privateHandler(m *Metrics) (http.Handler, error) {
	if err := m.Observe(s.state, s.Clock.Now); err != nil {
		return nil, err
	}
	p := Private{Metrics: m, Status: s.status(), Checks: map[string]func(context.Context) error{}, Hosts: append([]string{s.Config.Private}, s.Hosts...)}
	if s.spool != nil {
		p.Checks["disk"] = s.checkDisk
	}
	if s.has(PartWeb) {
		p.Checks["query tool"] = func(context.Context) error { return s.trouble.get() }
	}
	if s.follower != nil {
		p.Checks["spool"] = s.checkWritten
	}
	if in := s.site; in != nil {
		p.Checks["archive"] = func(ctx context.Context) error { _, err := archive.ReadProgress(ctx, in.Archive); return err }
		p.Checks["ledger"] = func(ctx context.Context) error { _, err := in.Ledger.Failures(ctx, job.Filter{}); return err }
	}
	return p.Handler(), nil
}

// status is the response of /status: the spool, if only the edge runs here.
func (s *Service) status() func(context.Context) (any, error) {
	if s.site == nil {
		return func(context.Context) (any, error) {
			b, err := etl.ReadBacklog(s.spoolDir())
			return report.NewStatus(&etl.Status{Spool: b}, nil), err
		}
	}
	return func(ctx context.Context) (any, error) {
		now := s.Clock.Now()
		days, err := job.DayRange(job.FormatDay(now.AddDate(0, 0, 1-etl.StatusDays)), job.FormatDay(now))
		if err != nil {
			return nil, err
		}
		st, err := etl.ReadStatus(ctx, s.site, etl.StatusOptions{Days: days, Now: now, Spool: s.spoolDir()})
		if err != nil {
			return nil, err
		}
		past, err := retain.Plan(ctx, s.site, now)
		return report.NewStatus(st, past), err
	}
}

// state is the source of the metrics. Values that cannot be read are left out: the
// heartbeat says why. The process that decodes has the watermarks of the edges, the
// process with the schedule has the freshness of the tables.
func (s *Service) state() State {
	ctx := context.Background()
	st := State{Latest: map[string]ping.Day{}}
	if s.server != nil {
		_, _ = s.spool.Sealed() // another process may have removed some
		answers, stored := s.server.Stats(), s.spool.Stats()
		st.Edge, st.Spool = &answers, &stored
	}
	if s.has(PartEdge) || s.has(PartDecode) {
		if damaged, err := spool.ListDamaged(s.spoolDir()); err == nil {
			n := len(damaged)
			st.SpoolDamaged = &n
		}
	}
	if s.has(PartDecode) {
		st.Edges, _ = archive.ReadProgress(ctx, s.site.Archive)
	}
	if !s.has(PartSchedule) {
		return st
	}
	st.Forgotten = pendingDeletions(ctx, s.site)
	if r, err := etl.Replaced(ctx, &s.site.Data); err == nil {
		st.Replaced = &r.Bytes
	}
	st.Overdue, _ = etl.Overdue(ctx, s.site, s.Lookback, s.Clock.Now())
	st.Damaged = damagedFiles(ctx, s.site)
	for _, t := range s.site.Tables {
		table, err := s.site.Table(t.Name)
		if err != nil {
			continue
		}
		if day, err := table.Latest(ctx); err == nil && day != "" {
			st.Latest[t.Name] = ping.Day(day)
		}
	}
	return st
}

// checkWritten says whether an edge has ever written to the spool.
func (s *Service) checkWritten(ctx context.Context) error {
	watermark, err := s.follower.Watermark(ctx)
	if err == nil && watermark == 0 {
		err = fmt.Errorf("no edge has opened the spool %s yet: start one, with the same data and user (pingmill serve --only edge)", s.spoolDir())
	}
	return err
}

// pendingDeletions are the clients whose rows are to be removed; nil when they
// cannot be read, which the log of the removal says.
func pendingDeletions(ctx context.Context, in *site.Site) *Forgotten {
	set, err := in.Forgotten.Set(ctx)
	if err != nil {
		return nil
	}
	requests, err := in.Forgotten.Pending(ctx)
	if err != nil {
		return nil
	}
	p := &Forgotten{Oldest: forget.Oldest(requests)}
	_, p.Pending = set.Len()
	return p
}

// damagedFiles counts what is damaged by table, and of the archive; nil when it
// cannot be read.
func damagedFiles(ctx context.Context, in *site.Site) map[string]int {
	found, err := etl.FoundFiles(ctx, in)
	if err != nil {
		return nil
	}
	count := map[string]int{"archive": 0}
	for _, t := range in.Tables {
		count[t.Name] = 0
	}
	for _, d := range found {
		count[d.Of]++
	}
	return count
}

// checkDisk says whether submissions are refused for want of room.
func (s *Service) checkDisk(context.Context) error {
	if st := s.spool.Stats(); st.Free >= 0 && st.Free < s.Spool.MinFree {
		return fmt.Errorf("%d bytes of disk are free, want %d", st.Free, s.Spool.MinFree)
	}
	return nil
}
