package status

import (
	"context"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
)

// Span returns the first and the last day with data in the archive or a table, as far as this user may read
// them; "" if there is none.
func Span(ctx context.Context, s *site.Site) (first, last string, err error) {
	take := func(day string) {
		if _, err := job.ParseDay(day); err != nil {
			return // rejected submissions without a day, or a folder that is not pingmill's
		}
		if first == "" || day < first {
			first = day
		}
		last = max(last, day)
	}
	days, _ := archive.KnownDays(ctx, s.Archive, archive.KindPings)
	for _, day := range days {
		take(string(day))
	}
	for _, t := range s.Tables {
		table, err := s.Table(t.Name)
		if err != nil {
			return "", "", err
		}
		from, to, _ := table.Span(ctx)
		take(from)
		take(to)
	}
	return first, last, ctx.Err()
}
