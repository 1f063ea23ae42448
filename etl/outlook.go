package etl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// Outlook reports what a day still waits for: submissions, or tables to be made. It ignores retention.
type Outlook struct {
	steps *steps
	DayEnds
}

// NewOutlook reads the archive's progress.
func NewOutlook(ctx context.Context, d *site.Data, now time.Time) (*Outlook, error) {
	edges, _, err := d.Edges(ctx, now)
	return &Outlook{newSteps(d), DayEnds{Today: ping.Day(job.FormatDay(now)), Edges: edges}}, err
}

// Unfinished describes what a partition still lacks, or returns "".
func (p *Outlook) Unfinished(ctx context.Context, table, day string) (string, error) {
	a, err := p.steps.assess(ctx, job.Unit{Table: table, Day: day})
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "", err
	case err != nil:
		return table + " of the day: " + site.OneLine(err.Error()), nil
	case a.newer && !a.plan.Current:
		return table + " of the day: " + a.plan.Missing, nil
	case a.base == nil:
		return table + " of the day is not made yet", nil
	case a.plan.Missing == "" && !a.plan.Current:
		return table + " of the day is to be made again", nil
	}
	return "", nil
}

// DayEnds holds the facts that decide whether a day is complete.
type DayEnds struct {
	Today ping.Day
	Edges []edgestate.Progress
}

// Complete reports whether the archive has all pings of a day; if not, it describes what the day waits for.
func (l *DayEnds) Complete(day ping.Day) (bool, string) {
	if !edgestate.Complete(day, l.Edges) {
		var behind []string
		for _, e := range l.Edges {
			if e.Damaged != nil {
				behind = append(behind, e.Damaged.Error())
			} else if ping.DayOf(e.Watermark) <= day {
				behind = append(behind, fmt.Sprintf("edge %s is decoded up to %s", e.Edge, time.Unix(0, e.Watermark).UTC().Format("2006-01-02 15:04")))
			}
		}
		return false, strings.Join(behind, ", ")
	}
	if day >= l.Today {
		return false, "the day is not over"
	}
	return true, ""
}
