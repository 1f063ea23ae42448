package iceberg

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/site"
)

// attendTime limits the time that the end of a command waits for the catalog.
const attendTime = 2 * time.Minute

// Attend has an installation that a command works on followed: what the command publishes is committed before the
// installation is closed. What cannot be is logged, and caught up later.
func Attend(ctx context.Context, s *site.Site, c Config, now func() time.Time, log *slog.Logger) error {
	f, err := Open(ctx, s, c, now, log)
	if err != nil || f == nil {
		return err
	}
	s.AtClose(func() error {
		ending, stop := context.WithTimeout(context.WithoutCancel(ctx), attendTime)
		defer stop()
		f.flush(ending, f.dueTables(nil))
		return f.Close()
	})
	return nil
}

// FollowerOf returns the follower of an installation, or nil if it has none.
func FollowerOf(s *site.Site) *Follower {
	f, _ := s.Holder.(*Follower)
	return f
}

// dueTables returns the tables with newly published days, except some.
func (f *Follower) dueTables(but []string) (tables []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for table, days := range f.due {
		if len(days) > 0 && !slices.Contains(but, table) {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}

// flush makes tables what is published, logs what was done, and lets the lake remove what was kept for it.
func (f *Follower) flush(ctx context.Context, tables []string) {
	if len(tables) == 0 {
		return
	}
	all, _ := f.Sync(ctx, Options{Tables: tables})
	expired := false
	for _, r := range all {
		expired = expired || r.Expired > 0
		switch {
		case r.Err != nil && ctx.Err() == nil:
			f.log.Warn("an Iceberg table is behind: it is caught up later", "table", r.Table, "error", r.Err)
		case r.Committed():
			f.log.Info("committed to Iceberg", "table", r.Name, "days", r.Days, "files", r.Added, "removed", r.Removed)
		}
	}
	if expired {
		if err := etl.Sweep(ctx, f.site); err != nil && ctx.Err() == nil {
			f.log.Warn("files that no snapshot names any more are removed later", "error", err)
		}
	}
}

// LoopOptions define how a service follows.
type LoopOptions struct {
	Every time.Duration // rows that arrive are committed, and all tables looked at
	clock.Clock
}

// gather is the time for which publications are gathered, so that a run makes few commits.
const gather = 2 * time.Second

// Loop follows until the context ends: daily tables as they are published, the direct ones, and what
// could not be committed, at intervals.
func (f *Follower) Loop(ctx context.Context, o LoopOptions) error {
	direct := f.site.Direct()
	for ctx.Err() == nil {
		err := panics.Try(func() error {
			f.flush(ctx, f.allTables())
			return nil
		})
		if err != nil {
			f.log.Error("Iceberg tables: they are tried again", "error", panics.Report(err))
		}
		roundCtx, stop := context.WithTimeout(ctx, o.Every)
		err = panics.Try(func() error { return f.round(roundCtx, direct, o) })
		stop()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			f.log.Error("Iceberg tables: they are tried again", "error", panics.Report(err))
		}
	}
	return nil
}

// round follows the daily tables until the next look at all.
func (f *Follower) round(ctx context.Context, direct []string, o LoopOptions) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.awake:
		}
		if err := o.Wait(ctx, gather); err != nil {
			return err
		}
		// A commit that was begun is finished, whatever the time.
		f.flush(context.WithoutCancel(ctx), f.dueTables(direct))
	}
}

func (f *Follower) allTables() (tables []string) {
	for _, t := range f.site.Tables {
		tables = append(tables, t.Name)
	}
	return tables
}
