package etl

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// Overdue gives, for every table, the oldest day that should be published and is
// not, "" if there is none: a day within lookback days and the time for which the table
// and its inputs are kept, which is over and has pings, and all of
// whose submissions are in the archive. It lists folders, so it may be called often.
func Overdue(ctx context.Context, s *site.Site, lookback int, now time.Time) (map[string]ping.Day, error) {
	edges, err := archive.ReadProgress(ctx, s.Archive)
	if err != nil {
		return nil, err
	}
	from, today := ping.DayOf(now.AddDate(0, 0, -lookback).UnixNano()), ping.DayOf(now.UnixNano())
	oldest := map[string]ping.Day{}
	for _, t := range s.Tables {
		published, err := s.TableOf(t).Listed(ctx)
		if err != nil {
			return nil, err
		}
		oldest[t.Name], err = archive.Oldest(ctx, s.Archive, max(from, s.KeptFrom(t, now)), func(day ping.Day) bool {
			return day < today && archive.Complete(day, edges) && !published(string(day))
		})
		if err != nil {
			return nil, err
		}
	}
	return oldest, nil
}
