package service

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/filecheck"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/privacy/retain"
	"github.com/pingmill/pingmill/serve/listening"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/terminal/report"
)

// maxPrivateBody is the maximum size of a request body in bytes. The pages need none.
const maxPrivateBody = 1 << 10

// maxPrivateConnections is the maximum number of connections of operators and their programs.
const maxPrivateConnections = 100

// serveOperators serves the private listener until ctx ends.
func serveOperators(ctx context.Context, l net.Listener, h http.Handler) error {
	s := listening.NewServer(h, maxPrivateBody)
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(listening.Bound(l, maxPrivateConnections, listening.WriteTime)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// privateHandler returns the handler of the private listener, for the parts in this process.
func (s *Service) privateHandler(m *Metrics) (http.Handler, error) {
	if err := m.Observe(s.state, s.Clock.Now); err != nil {
		return nil, err
	}
	p := Private{Metrics: m, Status: s.status(), Checks: map[string]func(context.Context) error{},
		Hosts: append([]string{s.Config.Private}, s.Hosts...), PProf: s.PProf}
	if s.local != nil {
		p.Checks["disk"] = s.checkSpool
	}
	if s.producer != nil {
		p.Checks["spool"] = s.checkSpool
	}
	if s.has(PartWeb) {
		p.Checks["query tool"] = func(context.Context) error { return s.trouble.get() }
	}
	if s.follower != nil {
		p.Checks["spool"] = s.checkWritten
	}
	if s.needsSite() {
		p.Checks["archive"] = s.onSite(func(ctx context.Context, in *site.Site) error {
			_, err := edgestate.ReadProgress(ctx, in.Archive)
			return err
		})
		p.Checks["ledger"] = s.onSite(func(ctx context.Context, in *site.Site) error {
			_, err := in.Ledger.Failures(ctx, job.Filter{})
			return err
		})
	}
	if s.has(PartDecode) {
		p.Checks["decoding"] = func(context.Context) error { return s.unready.get() }
	}
	return p.Handler(), nil
}

// onSite returns a check of the installation, which fails while that is not open.
func (s *Service) onSite(check func(context.Context, *site.Site) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if in := s.site(); in != nil {
			return check(ctx, in)
		}
		return s.away.get()
	}
}

// troubles describes what keeps parts from starting.
func (s *Service) troubles() (all []string) {
	for _, t := range []*trouble{&s.away, &s.unready} {
		if err := t.get(); err != nil {
			all = append(all, site.OneLine(err.Error()))
		}
	}
	return all
}

// status returns the function behind /status. It reports only the spool, and why, while the installation is not open.
func (s *Service) status() func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		if s.site() == nil {
			b, err := status.ReadBacklog(s.spoolDir())
			return report.NewStatus(&status.Status{Spool: b, Trouble: s.troubles()}, nil), err
		}
		now := s.Clock.Now()
		days, err := job.DayRange(job.FormatDay(now.AddDate(0, 0, 1-status.Days)), job.FormatDay(now))
		if err != nil {
			return nil, err
		}
		st, err := status.Read(ctx, s.site(), status.Options{Days: days, Now: now, Spool: s.spoolDir(), StalledAfter: s.StalledAfter})
		if err != nil {
			return nil, err
		}
		st.Trouble = append(st.Trouble, s.troubles()...)
		past, err := retain.Plan(ctx, s.site(), now)
		return report.NewStatus(st, past), err
	}
}

// state returns the source values of the metrics. Values that cannot be read are omitted; the heartbeat reports why.
// The process that decodes has the watermarks of the edges, and the process with the schedule the freshness of the
// tables.
func (s *Service) state() State {
	ctx := store.Polling(context.Background())
	var st State
	if f := s.iceberg(); f != nil {
		st.Iceberg = f.Counts()
	}
	if s.server != nil {
		if s.local != nil {
			_, _ = s.local.Sealed() // another process may have removed some
		}
		answers, stored := s.server.Stats(), s.spool.Stats()
		st.Edge, st.Spool = &answers, &stored
	}
	if s.local != nil || s.follower != nil {
		if damaged, err := spool.ListDamaged(s.spoolDir()); err == nil {
			n := len(damaged)
			st.SpoolDamaged = &n
		}
	}
	if s.consumer != nil {
		topic := s.consumer.Stats()
		st.Topic = &topic
	}
	s.seen.add(ctx, s, &st)
	return st
}

// seen caches what was read of the installation for metrics.
type seen struct {
	mu    sync.Mutex
	at    time.Time
	state State
	made  map[job.Unit]bool // what need not be looked at again
}

// seenFor is the lifetime of the cache for an installation in buckets: metrics may be collected every few seconds, and
// a read needs a few hundred requests.
const seenFor = time.Minute

// add adds the values of the installation.
func (k *seen) add(ctx context.Context, s *Service, st *State) {
	if s.site() == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	now := s.Clock.Now()
	if !s.site().Remote() || now.Sub(k.at) >= seenFor || now.Before(k.at) {
		k.at, k.state = now, State{Latest: map[string]ping.Day{}}
		if k.made == nil {
			k.made = map[job.Unit]bool{}
		}
		s.look(ctx, &k.state, k.made)
	}
	st.Edges, st.Silent, st.Forgotten, st.Replaced = k.state.Edges, k.state.Silent, k.state.Forgotten, k.state.Replaced
	st.Claims = k.state.Claims
	st.Overdue, st.Damaged, st.Latest, st.Behind = k.state.Overdue, k.state.Damaged, k.state.Latest, k.state.Behind
}

// look reads the values of the installation.
func (s *Service) look(ctx context.Context, st *State, made map[job.Unit]bool) {
	if s.has(PartDecode) {
		st.Claims, _ = claim.ReadAll(ctx, s.site().Archive)
		st.Edges, st.Silent, _ = s.site().Edges(ctx, s.Clock.Now())
		st.Edges = slices.DeleteFunc(st.Edges, func(p edgestate.Progress) bool { return p.Damaged != nil })
	}
	if !s.has(PartSchedule) {
		return
	}
	st.Forgotten = pendingDeletions(ctx, s.site(), s.Forget.Deadline)
	if r, err := etl.Replaced(ctx, &s.site().Data); err == nil {
		st.Replaced = &r.Bytes
	}
	st.Behind = behind(ctx, s.site())
	st.Overdue, _ = etl.Overdue(ctx, s.site(), s.Lookback, s.Clock.Now(), made)
	st.Damaged = damagedFiles(ctx, s.site())
	for _, t := range s.site().Tables {
		table, err := s.site().Table(t.Name)
		if err != nil {
			continue
		}
		if day, err := table.Latest(ctx); err == nil && day != "" {
			st.Latest[t.Name] = ping.Day(day)
		}
	}
}

// pendingDeletions returns the clients whose rows must be removed; nil if they cannot be read, which the removal logs.
func pendingDeletions(ctx context.Context, in *site.Site, d forget.Deadline) *Forgotten {
	set, err := in.Forgotten.Set(ctx)
	if err != nil {
		return nil
	}
	requests, err := in.Forgotten.Pending(ctx)
	if err != nil {
		return nil
	}
	p := &Forgotten{Oldest: forget.Oldest(requests), Deadline: d}
	_, p.Pending = set.Len()
	return p
}

// behind returns the times since which Iceberg tables, if there are any, differ from the published partitions.
func behind(ctx context.Context, in *site.Site) map[string]time.Time {
	if iceberg.FollowerOf(in) == nil {
		return nil
	}
	since := map[string]time.Time{}
	all, _ := iceberg.ReadStatus(ctx, &in.Data)
	for _, t := range all {
		since[t.Table] = t.Failing
	}
	return since
}

// damagedFiles counts damaged files by table and for the archive; nil if they cannot be read.
func damagedFiles(ctx context.Context, in *site.Site) map[string]int {
	found, err := filecheck.Found(ctx, in)
	if err != nil {
		return nil
	}
	count := map[string]int{"archive": 0}
	for _, t := range in.Tables {
		count[t.Name] = 0
	}
	for _, d := range found {
		count[d.Subject]++
	}
	return count
}
