package retain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/compaction"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// CompactOptions define when days of the archive are brought into their smallest form.
type CompactOptions struct {
	After int // days after the end of a day
	clock.Clock
	Log *slog.Logger
}

// compactEvery is the time between two rounds, and compactPause that after one that failed.
const (
	compactInterval = 24 * time.Hour
	compactPause    = 10 * time.Minute
)

// KeepCompact has a round every day until the context ends. A failure is logged, and tried again.
func KeepCompact(ctx context.Context, s *site.Site, o CompactOptions) error {
	for ctx.Err() == nil {
		err := panics.Try(func() error { return Compact(ctx, s, o) })
		pause := compactInterval
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, store.ErrHeld), errors.Is(err, site.ErrLocked):
			pause = compactPause
		case err != nil:
			pause = compactPause
			o.Log.Error("bringing days of the archive into their smallest form: it is tried again", "error", panics.Report(err), "pause", pause)
		}
		_ = o.Wait(ctx, pause)
	}
	return nil
}

// Compact brings the pings of days that ended long enough ago into their smallest form, oldest days first, as
// archive.CompactDay does. While somebody else rewrites files of the archive the error matches site.ErrLocked or
// store.ErrHeld. A partition that cannot be compacted does not keep the others. Killed at any moment, the next call goes on.
func Compact(ctx context.Context, s *site.Site, o CompactOptions) error {
	state, err := compaction.Read(ctx, s.Archive)
	if err != nil {
		return err
	}
	days, err := archive.Days(ctx, s.Archive)
	if err != nil {
		return fmt.Errorf("compact the archive: %w", err)
	}
	last := ping.Day(job.FormatDay(o.Now().UTC().AddDate(0, 0, -1-o.After)))
	var failed error
	for _, d := range days {
		if d.Day > last || d.Compact == d.Files || d.Damage != nil {
			continue
		}
		err := compactPartition(ctx, s, d, &state, o.Log)
		if ctx.Err() != nil || errors.Is(err, store.ErrHeld) || errors.Is(err, site.ErrLocked) {
			return errors.Join(failed, err, ctx.Err())
		}
		failed = errors.Join(failed, err)
	}
	if state.Time, state.Failed = o.Now().UTC(), ""; failed != nil {
		state.Failed = site.OneLine(failed.Error())
	} else if len(days) > 0 {
		state.Through = string(last)
	}
	return errors.Join(failed, compaction.Write(ctx, s.Archive, state))
}

// compactPartition has the lock for one partition, so that removals of rows and replays wait for one at most.
func compactPartition(ctx context.Context, s *site.Site, d archive.DayInfo, state *compaction.State, log *slog.Logger) error {
	lock, err := s.LockRewriting(ctx)
	if err != nil {
		return fmt.Errorf("compact the archive: %w", err)
	}
	defer lock.Release()
	running, err := s.Forgotten.Running(ctx)
	if err == nil && running != nil {
		err = fmt.Errorf("a removal of rows is to end first: %w", site.ErrLocked) // it knows the files as they are
	}
	if err != nil {
		return fmt.Errorf("compact the archive: %w", err)
	}
	ctx, explain, stop := lock.While(ctx)
	defer stop()
	r, err := archive.CompactDay(ctx, s.Archive, d.Day, d.DocType, archive.RewriteOptions{Owner: site.RewriteOwner})
	if err != nil {
		return fmt.Errorf("compact the archive: %w", explain(err))
	}
	now, err := archive.OpenDay(ctx, s.Archive, d.Day, d.DocType)
	if err != nil {
		return fmt.Errorf("compact the archive: %w", err)
	}
	state.Partitions++
	state.Before, state.After = state.Before+d.Bytes, state.After+now.Bytes()
	log.Info("the archive's pings have their smallest form", "day", d.Day, "type", d.DocType, "files", r.Files, "bytes", d.Bytes, "now",
		now.Bytes())
	return compaction.Write(ctx, s.Archive, *state)
}
