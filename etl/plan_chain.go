package etl

import (
	"cmp"
	"context"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
)

// followChains predicts which units of chained tables are made because the same run makes one of an earlier day. Some of them
// may stay as they are in the end: those whose rows do not change.
func followChains(g *job.Graph, units []PlannedUnit) {
	last := map[string]*PlannedUnit{} // of each table
	at := map[job.Unit]*PlannedUnit{}
	for i := range units {
		u := &units[i]
		at[u.Unit] = u
		if before := last[u.Table]; g.Chained(u.Table) && before != nil && before.Action == Make {
			u.followed(before.Unit.String())
		}
		for _, need := range g.Needs(u.Table) {
			if n := at[job.Unit{Table: need, Day: u.Day}]; n != nil && n.Action == Make && n.Guessed {
				u.followed(need)
			}
		}
		last[u.Table] = u
	}
}

// followed makes a unit that would stay, or wait, one to be made after another. The work of one that would be made anyway is
// not known yet.
func (u *PlannedUnit) followed(after string) {
	switch {
	case u.Action == Keep || u.waits:
		u.Action, u.Reasons, u.Guessed, u.waits = Make, []string{after + " is made first"}, true, false
	case u.Action == Make:
		u.Guessed, u.Work = true, nil
	}
}

// laterUnits adds the published partitions of chained tables on days after the first of a run, and those that are made from
// them: what a change of the first day may change.
func laterUnits(ctx context.Context, d *site.Data, g *job.Graph, units []job.Unit, tables, days []string) ([]job.Unit, error) {
	first := slices.Min(days)
	for _, name := range tables {
		if !chained(g, name) {
			continue
		}
		lt, err := d.Table(name)
		if err != nil {
			return nil, err
		}
		published, err := lt.Partitions(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range published {
			if m.Day > first && !slices.Contains(days, m.Day) {
				units = append(units, job.Unit{Table: name, Day: m.Day})
			}
		}
	}
	slices.SortStableFunc(units, func(a, b job.Unit) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(slices.Index(tables, a.Table), slices.Index(tables, b.Table)))
	})
	return units, nil
}

// chained reports whether the days of a table, or of one that it is made from, go on from each other. Those that come later are
// planned once the first ones are published.
func chained(g *job.Graph, table string) bool {
	needs, err := g.Closure(table)
	return err == nil && slices.ContainsFunc(needs, g.Chained)
}
