package etl

import (
	"context"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// past reports whether the retention of a table is over for a day. It returns false if the time is not set.
func (s *steps) past(table, day string) bool {
	return ping.Day(day) < site.FirstRetained(s.keeps(table), s.now)
}

// keeps returns the retention of a table in days; 0 means forever.
func (s *steps) keeps(table string) int {
	t, err := s.data.Find(table)
	if err != nil {
		return 0
	}
	return s.keep.ForTable(t)
}

// keepsFor explains why a table has no partition for an expired day.
func (s *steps) keepsFor(table string) string {
	return table + " is kept for " + daysText(s.keeps(table)) + " and the time of this day is over"
}

func daysText(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}

// removed records, for a unit that cannot be made, that the retention of its inputs is over. It also prevents
// a partition from being made from pings that arrived after the day's pings were removed.
func (s *steps) removed(ctx context.Context, a *assessment, day string) error {
	if a.table.DocType == "" {
		for _, need := range a.table.Needs {
			if a.source.missing == notPublished(need) && s.past(need, day) {
				a.expired, a.source.missing = true, s.keepsFor(need)
			}
		}
		return nil
	}
	none := a.source.missing == NoPingsOfDay
	if !none && (a.base == nil && len(a.damage) == 0 || a.base != nil && len(changedInputs(a.base, a.source.inputs)) == 0) {
		return nil
	}
	e, err := archive.ReadExpired(ctx, s.data.Archive, archive.KindPings, ping.Day(day))
	if err != nil || e == nil {
		return err
	}
	switch {
	case none:
		a.source.missing = fmt.Sprintf("the archive kept its pings for %s: they were removed on %s", daysText(e.RetentionDays), e.On())
	case !s.force:
		a.source.missing = fmt.Sprintf(
			"the pings that it was made from were removed on %s; others came since, and only --force makes it of these", e.On())
	case a.base != nil && a.source.rows < a.base.Rows:
		a.source.missing = fmt.Sprintf("the pings that it was made from were removed on %s, and the %d there are now are fewer than its %d rows",
			e.On(), a.source.rows, a.base.Rows)
	default:
		return nil
	}
	a.expired = true
	return nil
}

// settledUnits removes from a run the units that remain published although their pings were removed, so that
// tables derived from them can be made. It returns reports for the requested ones: current, or skipped with
// the reason if they cannot be made as requested.
func (s *steps) settledUnits(ctx context.Context, units []job.Unit, tables []string) (rest []job.Unit, reports []job.UnitReport,
	err error) {
	days, err := archive.ExpiredDays(ctx, s.data.Archive, archive.KindPings)
	if err != nil || len(days) == 0 {
		return units, nil, err
	}
	for _, u := range units {
		if !days[ping.Day(u.Day)] {
			rest = append(rest, u)
			continue
		}
		a, err := s.assess(ctx, u)
		if err != nil || !a.expired || a.base == nil || a.table.DocType == "" {
			rest = append(rest, u) // the same error is reported when the unit is planned
			continue
		}
		r := job.UnitReport{Unit: u, Outcome: job.Current, Generation: a.base.Generation}
		if s.force || a.source.rows > 0 {
			r.Outcome, r.Reason = job.Skipped, a.plan.Missing+"; what is published stays"
		}
		if slices.Contains(tables, u.Table) {
			reports = append(reports, r)
		}
	}
	return rest, reports, nil
}
