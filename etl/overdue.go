package etl

import (
	"context"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
)

// Overdue gives, for every table, the oldest day that should be published and is
// not, "" if there is none: a day from from on and before today, with pings, all
// of whose submissions are in the archive. It lists folders, so it can be asked
// often.
func (s *Site) Overdue(ctx context.Context, from, today ping.Day) (map[string]ping.Day, error) {
	edges, err := archive.ReadProgress(ctx, s.Archive)
	if err != nil {
		return nil, err
	}
	oldest := map[string]ping.Day{}
	for _, t := range s.Tables {
		published, err := s.table(t).Listed(ctx)
		if err != nil {
			return nil, err
		}
		oldest[t.Name], err = archive.Oldest(ctx, s.Archive, from, func(day ping.Day) bool {
			return day < today && archive.Complete(day, edges) && !published(string(day))
		})
		if err != nil {
			return nil, err
		}
	}
	return oldest, nil
}
