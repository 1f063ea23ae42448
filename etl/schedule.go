package etl

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// ScheduleOptions configure the daily jobs. Zero values select the defaults.
type ScheduleOptions struct {
	Lookback int           // days that are checked for missed or changed pings; default 35
	Every    time.Duration // interval between rounds; default a minute
	Backoff  retry.Policy  // of failed units; default job.DefaultBackoff
	Workers  int           // concurrent tasks; default one for each core
	Remake   int           // older stale partitions to make again per day, newest first; default none
	Progress func(job.Event)
	Checks   check.Options
	Code     string // version of the program, for the ledger
	// After, if not nil, is called after each round. It reports its own errors.
	After func(context.Context)

	clock.Clock
	Log *slog.Logger
}

func (o *ScheduleOptions) defaults() {
	if o.Lookback <= 0 {
		o.Lookback = 35
	}
	if o.Every <= 0 {
		o.Every = time.Minute
	}
	if o.Backoff == (retry.Policy{}) {
		o.Backoff = job.DefaultBackoff
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Schedule makes all tables of every day, oldest first, once all submissions of the day are in the archive,
// and again when its pings change. It retries a failed unit with increasing pauses; only tables derived from
// it wait. It returns when the context ends.
func Schedule(ctx context.Context, s *site.Site, o ScheduleOptions) error {
	sc, err := newScheduler(s, o)
	if err != nil {
		return err
	}
	for goOn := true; goOn; goOn = sc.o.Wait(ctx, sc.o.Every) == nil {
		err := panics.Try(func() error { return sc.round(ctx) })
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.Is(err, job.ErrInUse):
			sc.o.Log.Info("daily jobs: another run is under way", "reason", err)
		default:
			sc.o.Log.Error("daily jobs: they are tried again", "error", panics.Report(err))
		}
		if o.After != nil {
			o.After(ctx)
		}
		if err := panics.Try(func() error { return sc.sweep(ctx) }); err != nil && ctx.Err() == nil {
			sc.o.Log.Error("removing replaced files: it is tried again", "error", panics.Report(err))
		}
	}
	return nil
}

// scheduler remembers between rounds which days need no check.
type scheduler struct {
	site    *site.Site
	o       ScheduleOptions
	graph   *job.Graph
	retries *job.Retries
	done    map[ping.Day]string // states of the archive and of chains' earlier days whose tables are all current

	swept    time.Time           // last sweep of replaced files
	remade   time.Time           // when the last stale partition before the lookback was made again
	newer    map[ping.Day]string // what was logged of partitions that a newer version made
	remaking string              // all older days from this one on are current; "": unknown
}

func newScheduler(s *site.Site, o ScheduleOptions) (*scheduler, error) {
	o.defaults()
	g, err := s.Graph()
	if err != nil {
		return nil, err
	}
	return &scheduler{site: s, o: o, graph: g, retries: job.NewRetries(o.Backoff),
		done: map[ping.Day]string{}, newer: map[ping.Day]string{}}, nil
}

// round makes the due tables, day by day.
func (sc *scheduler) round(ctx context.Context) error {
	now := sc.o.Now()
	from := ping.DayOf(now.AddDate(0, 0, -sc.o.Lookback).UnixNano())
	looking := store.Polling(ctx)
	states, err := archive.States(looking, sc.site.Archive, from)
	if err != nil {
		return err
	}
	edges, silent, err := sc.site.Edges(looking, now)
	if err != nil {
		return err
	}
	today := ping.DayOf(now.UnixNano())
	var failed []error
	for _, day := range slices.Sorted(maps.Keys(states)) {
		if day >= today || !edgestate.Complete(day, edges) {
			continue
		}
		state, err := sc.chained(looking, string(day), states[day])
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if sc.done[day] == state {
			continue
		}
		for _, e := range silent {
			if ping.DayOf(e.Watermark) <= day {
				sc.o.Log.Warn("a day is made without a silent edge, and again when that has been decoded", "day", day, "edge", e.Edge,
					"silent since", e.At(), "timeout", sc.site.EdgeTimeout)
			}
		}
		err = sc.day(ctx, day, state)
		if ctx.Err() != nil || errors.Is(err, job.ErrInUse) {
			return err // another run is active: the next round continues
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(append(failed, sc.remake(ctx, from, edges))...)
}

// day makes the due tables of a day.
func (sc *scheduler) day(ctx context.Context, day ping.Day, state string) error {
	wanted, err := sc.wanted(ctx, day)
	if err != nil {
		return err
	}
	tables, err := sc.due(day, wanted)
	if err != nil {
		return err
	}
	if len(tables) == 0 {
		if len(wanted) == 0 {
			sc.done[day] = state
		}
		return nil
	}
	report, err := Run(ctx, sc.site, RunOptions{
		Tables: tables, Days: []string{string(day)}, Workers: sc.o.Workers, Now: sc.o.Now, Progress: sc.o.Progress,
		Checks: sc.o.Checks, Log: sc.o.Log, Code: sc.o.Code,
	})
	if ctx.Err() != nil || errors.Is(err, job.ErrInUse) {
		return err
	}
	if len(report.Units) == 0 && err != nil {
		return fmt.Errorf("run %s: %w", day, err)
	}
	sc.leftToNewer(day, &report)
	complete := len(tables) == len(wanted)
	for _, u := range report.Units {
		complete = sc.ended(report.Run, u) && complete
	}
	if complete {
		sc.done[day] = state
		return maintain.DropPrepared(ctx, sc.site.Archive, day)
	}
	return nil
}

// ended records and logs the outcome of a unit, and reports whether it is done.
func (sc *scheduler) ended(run int64, u job.UnitReport) bool {
	log := sc.o.Log.With("run", run, "table", u.Table, "day", u.Day)
	switch u.Outcome {
	case job.Committed:
		log.Info("published", "rows", u.Result.RowsOut, "rejected", u.Result.Rejected)
		if left := LeftOut(u.Result); left != "" {
			log.Warn("values over a bound were left out", "columns", left)
		}
		sc.retries.Done(u.Unit)
		return true
	case job.Current:
		sc.retries.Done(u.Unit)
		return true
	case job.Failed:
		times, due := sc.retries.Failed(u.Unit, sc.o.Now())
		level := slog.LevelWarn
		if times >= reportAfter || archive.IsDamage(u.Err) {
			level = slog.LevelError
		}
		log.Log(context.Background(), level, "a daily job failed", "times", times,
			"again", due.UTC().Format(time.RFC3339), "error", panics.Report(u.Err))
	}
	return false
}

// reportAfter is the number of consecutive failures from which a unit is logged as an error, not a warning.
const reportAfter = 3

// due lists the tables that may be tried: neither they nor their inputs failed recently.
func (sc *scheduler) due(day ping.Day, wanted []string) ([]string, error) {
	now := sc.o.Now()
	var tables []string
	for _, t := range wanted {
		needs, err := sc.graph.Closure(t)
		if err != nil {
			return nil, err
		}
		waiting := slices.ContainsFunc(needs, func(n string) bool {
			return !sc.retries.Due(job.Unit{Table: n, Day: string(day)}, now)
		})
		if !waiting {
			tables = append(tables, t)
		}
	}
	return tables, nil
}
