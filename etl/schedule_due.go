package etl

import (
	"context"
	"slices"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// sweepInterval separates two removals of replaced files whose grace period is over.
const sweepInterval = 5 * time.Minute

// sweepRemote is the same where a sweep needs requests, some for each table.
const sweepRemote = time.Hour

// sweep removes replaced files whose grace period is over.
func (sc *scheduler) sweep(ctx context.Context) error {
	every := sweepInterval
	if sc.site.Remote() {
		every = sweepRemote
	}
	if now := sc.o.Now(); now.Sub(sc.swept) >= every {
		sc.swept = now
		return Sweep(ctx, sc.site)
	}
	return nil
}

// wanted lists the tables of a day, except those that cannot be made because their retention or that of their
// inputs is over.
func (sc *scheduler) wanted(ctx context.Context, day ping.Day) (tables []string, err error) {
	st := newSteps(&sc.site.Data).forRun(RunOptions{Now: sc.o.Now}, sc.site.Keep)
	var unpublished []string // not published, so no table can be derived from it
	for _, t := range sc.graph.Order() {
		if table, err := schema.Find(sc.site.Tables, t); err != nil || !table.DueOn(string(day), sc.o.Now()) {
			continue
		}
		needs := sc.graph.Needs(t)
		if slices.ContainsFunc(needs, func(n string) bool { return slices.Contains(unpublished, n) }) {
			unpublished = append(unpublished, t)
			continue
		}
		a, err := st.assess(ctx, job.Unit{Table: t, Day: string(day)})
		switch {
		case err != nil || !a.expired: // the same error is reported when it is planned
			tables = append(tables, t)
		case a.base == nil:
			unpublished = append(unpublished, t)
		}
	}
	return tables, ctx.Err()
}

// chained adds, to the state of a day of the archive, the partitions of earlier days that chained tables go on from: a change of
// them changes the day.
func (sc *scheduler) chained(ctx context.Context, day, state string) (string, error) {
	for _, t := range sc.site.Tables {
		if !t.Chained() {
			continue
		}
		m, err := origin.Before(ctx, sc.site.TableOf(t), day)
		if err != nil && !lake.Unusable(err) {
			return "", err
		}
		if m != nil {
			state += " " + origin.Earlier(t, m).Generation
		}
	}
	return state, nil
}
