package etl

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// remake makes stale partitions before the lookback again, newest first, at the rate of Remake. It runs after
// the daily work of a round and makes the tables of at most one day; the next day waits in proportion to the
// number of partitions made.
func (sc *scheduler) remake(ctx context.Context, from ping.Day, edges []edgestate.Progress) error {
	now := sc.o.Now()
	if sc.o.Remake <= 0 || now.Before(sc.remade) {
		return nil
	}
	states, err := archive.States(ctx, sc.site.Archive, "")
	if err != nil {
		return err
	}
	days := slices.Sorted(maps.Keys(states))
	slices.Reverse(days)
	for _, day := range days {
		if day >= from || sc.remaking != "" && string(day) >= sc.remaking || !edgestate.Complete(day, edges) {
			continue
		}
		stale, err := sc.staleTables(ctx, day)
		if err != nil {
			return err
		}
		if len(stale) == 0 {
			sc.remaking = string(day)
			continue
		}
		report, err := Run(ctx, sc.site, RunOptions{
			Tables: stale, Days: []string{string(day)}, Workers: 1, Now: sc.o.Now, Progress: sc.o.Progress, Checks: sc.o.Checks, Log: sc.o.Log,
			Code: sc.o.Code,
		})
		for _, u := range report.Units {
			sc.ended(report.Run, u)
		}
		sc.remade = now.Add(24 * time.Hour / time.Duration(sc.o.Remake) * time.Duration(
			max(1, report.Count(job.Committed)+report.Count(job.Failed))))
		sc.remaking = string(day) // a failed day does not block the others
		return err
	}
	sc.remaking, sc.remade = "", now.Add(24*time.Hour) // all were checked; pings may still arrive for old days
	return nil
}

// staleTables returns the published tables of a day that a run would make again.
func (sc *scheduler) staleTables(ctx context.Context, day ping.Day) (tables []string, err error) {
	st := newSteps(&sc.site.Data).forRun(RunOptions{Now: sc.o.Now}, sc.site.Keep)
	for _, t := range sc.graph.Order() {
		if table, err := schema.Find(sc.site.Tables, t); err != nil || table.IsSnapshots() {
			continue
		}
		a, err := st.assess(ctx, job.Unit{Table: t, Day: string(day)})
		if archive.IsDamage(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if a.base != nil && a.plan.Missing == "" && !a.plan.Current {
			tables = append(tables, t)
		}
	}
	return tables, nil
}
