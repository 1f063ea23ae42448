package etl

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// Overdue returns, for each table, the oldest unpublished day that should be published, or "". Such a day is
// within lookback days and the retention of the table and its inputs, is over, has pings, and all its
// submissions are in the archive. Overdue lists folders and reads a day's manifest until a run has made the
// day; made remembers this for the next call, so frequent calls are cheap.
func Overdue(ctx context.Context, s *site.Site, lookback int, now time.Time, made map[job.Unit]bool) (map[string]ping.Day, error) {
	edges, _, err := s.Edges(ctx, now)
	if err != nil {
		return nil, err
	}
	from, today := ping.DayOf(now.AddDate(0, 0, -lookback).UnixNano()), ping.DayOf(now.UnixNano())
	oldest := map[string]ping.Day{}
	for _, t := range s.Tables {
		if t.IsSnapshots() {
			continue
		}
		table := s.TableOf(t)
		published, err := table.Listed(ctx)
		if err != nil {
			return nil, err
		}
		isMade := func(day ping.Day) bool {
			u := job.Unit{Table: t.Name, Day: string(day)}
			if made[u] || !published(u.Day) {
				return made[u]
			}
			grows, err := table.Grows(ctx, u.Day) // unreadable manifests are reported elsewhere
			made[u] = err == nil && !grows
			return !grows
		}
		oldest[t.Name], err = archive.Oldest(ctx, s.Archive, max(from, s.RetainedFrom(t, now)), func(day ping.Day) bool {
			return day < today && edgestate.Complete(day, edges) && !isMade(day)
		})
		if err != nil {
			return nil, err
		}
	}
	return oldest, nil
}
