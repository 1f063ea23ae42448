package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
)

// emptyDays collects days for which nothing can be made because the archive has no pings, so that one line replaces
// one for each table.
type emptyDays struct {
	some  map[string]bool // without pings of a table
	other map[string]bool // with something else to say
}

func (e *emptyDays) add(day string, skipped bool, reason string) {
	if e.some == nil {
		e.some, e.other = map[string]bool{}, map[string]bool{}
	}
	switch {
	case skipped && reason == etl.NoPingsOfDay:
		e.some[day] = true
	case !skipped || !strings.HasPrefix(reason, "it needs "):
		e.other[day] = true
	}
}

func (e *emptyDays) has(day string) bool { return e.some[day] && !e.other[day] }

// text returns an error text for these days, "" if there are none.
func (e *emptyDays) text() string {
	var days []string
	for day := range e.some {
		if e.has(day) {
			days = append(days, day)
		}
	}
	if len(days) == 0 {
		return ""
	}
	slices.Sort(days)
	return fmt.Sprintf("the archive has no pings of %s: load them first", dayList(days))
}

// emptyOfRun returns the days without pings in a run.
func emptyOfRun(r *job.Report) (e emptyDays) {
	for _, u := range r.Units {
		e.add(u.Day, u.Outcome == job.Skipped, u.Reason)
	}
	return e
}

// emptyOfPlan returns the days without pings in a plan.
func emptyOfPlan(p *etl.RunPlan) (e emptyDays) {
	for _, u := range p.Units {
		e.add(u.Day, u.Action == etl.Skip, strings.Join(u.Reasons, "; "))
	}
	return e
}

// emptyError means that a run made nothing because the archive has no pings of its days.
type emptyError string

func (e emptyError) Error() string { return string(e) }

// Empty tells callers this error from others.
func (emptyError) Empty() bool { return true }

// skippedError returns the error for partitions that a run could not make.
func skippedError(r *job.Report, empty *emptyDays) error {
	others := 0
	for _, u := range r.Units {
		if u.Outcome == job.Skipped && !empty.has(u.Day) {
			others++
		}
	}
	switch text := empty.text(); {
	case text == "":
		return fmt.Errorf("run: %d partitions could not be made", others)
	case others == 0:
		return fmt.Errorf("run: %w", emptyError(text))
	default:
		return fmt.Errorf("run: %d partitions could not be made, and %s", others, text)
	}
}
