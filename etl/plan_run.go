package etl

import (
	"context"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/site"
)

// Action is the action of a run on a unit.
type Action string

// The actions of a plan.
const (
	Make Action = "make"
	Keep Action = "keep" // the unit is current
	Skip Action = "skip" // the unit cannot be made
)

// PlannedUnit is the plan of a run for a unit, with the reason.
type PlannedUnit struct {
	job.Unit

	Action  Action
	Reasons []string // for Make and Skip, and for Keep if there is something to know
	Tasks   int
	Work    []Task // for Make, unless the same run makes its inputs: then it is unknown
	Bytes   int64  // of input: JSON of pings, or files of main_summary
	Guessed bool   // the same run makes its inputs: Bytes is an estimate
	Damaged bool   // for Skip: its inputs are damaged

	waits bool // for Skip: for an earlier day of the table
	again bool // the same generation is made again because its files are damaged: derived tables remain
}

// RunPlan is the plan of a run.
type RunPlan struct {
	Units []PlannedUnit // oldest day first, each after those it needs
	Speed job.Speed     // from past runs
}

// Expected returns the input in bytes of each unit to be made, for a job.Meter.
func (p *RunPlan) Expected() map[job.Unit]int64 {
	all := map[job.Unit]int64{}
	for _, u := range p.Units {
		if u.Action == Make {
			all[u.Unit] = u.Bytes
		}
	}
	return all
}

// Estimate returns the expected duration of the run with the given number of workers, judging by past runs;
// workers 0 means one for each core. ok is false if a table has no history.
func (p *RunPlan) Estimate(workers int) (d time.Duration, ok bool) {
	bytes := map[string]int64{}
	for u, n := range p.Expected() {
		bytes[u.Table] += n
	}
	d, ok = p.Speed.Estimate(bytes)
	if cores := runtime.GOMAXPROCS(0); workers > 0 && workers < cores {
		d = d * time.Duration(cores) / time.Duration(workers)
	}
	return d, ok
}

// units returns the graph, the tables and the units of a run.
func units(ctx context.Context, d *site.Data, o RunOptions) (g *job.Graph, tables []string, units []job.Unit, err error) {
	if g, err = d.Graph(); err != nil {
		return nil, nil, nil, err
	}
	tables = o.Tables
	if o.Downstream {
		if tables, err = g.Dependents(tables...); err != nil {
			return nil, nil, nil, err
		}
	}
	if tables, err = g.Closure(tables...); err != nil {
		return nil, nil, nil, err
	}
	if units, err = g.Units(tables, o.Days); err == nil {
		units, err = windowUnits(ctx, d, units, o.Tables)
	}
	if err == nil && o.Downstream && !o.Force && len(o.Days) > 0 { // only partitions of the days are forced
		units, err = laterUnits(ctx, d, g, units, tables, o.Days)
	}
	return g, tables, units, err
}

// PlanRun plans a run without doing it, and without delaying an active run.
func PlanRun(ctx context.Context, s *site.Site, o RunOptions) (*RunPlan, error) {
	g, tables, units, err := units(ctx, &s.Data, o)
	if err != nil {
		return nil, err
	}
	if _, err := checkAllTypes(ctx, &s.Data, tables, false, o.Log); err != nil {
		return nil, err
	}
	p := &RunPlan{}
	if p.Speed, err = s.Ledger.Speed(ctx); err != nil && !job.IsDamage(err) { // a history that nothing depends on
		return nil, err
	}
	st := newSteps(s.Snapshot()).forRun(o, s.Keep)
	units, settled, err := st.settledUnits(ctx, units, o.Tables)
	if err != nil {
		return nil, err
	}
	p.Units = make([]PlannedUnit, len(units))
	err = EachDay(ctx, units, func(ctx context.Context, first, end int) error {
		for i := first; i < end; i++ {
			u, err := st.foresee(ctx, units[i], g.Needs(units[i].Table), p.Units[first:i], p.Speed)
			if err != nil {
				return err
			}
			p.Units[i] = u
		}
		return nil
	})
	followChains(g, p.Units)
	p.Units = append(plannedAs(settled), p.Units...)
	return p, err
}

// plannedAs converts the reports of settled units to planned units.
func plannedAs(settled []job.UnitReport) (all []PlannedUnit) {
	for _, r := range settled {
		u := PlannedUnit{Unit: r.Unit, Action: Keep}
		if r.Outcome == job.Skipped {
			u.Action, u.Reasons = Skip, []string{r.Reason}
		}
		all = append(all, u)
	}
	return all
}

// EachDay calls do for the units of each day, as a range of indices, for several days concurrently.
func EachDay(ctx context.Context, units []job.Unit, do func(ctx context.Context, first, end int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for first := 0; first < len(units); {
		end := first
		for end < len(units) && units[end].Day == units[first].Day {
			end++
		}
		begin := first
		group.Go(func() error {
			return panics.Try(func() error { return do(ctx, begin, end) })
		})
		first = end
	}
	return group.Wait()
}

// foresee predicts what a run does with a unit, given its predictions for the day's earlier units.
func (s *steps) foresee(ctx context.Context, u job.Unit, needs []string, before []PlannedUnit, speed job.Speed) (PlannedUnit, error) {
	f := PlannedUnit{Unit: u, Action: Keep}
	a, err := s.assess(ctx, u)
	if archive.IsDamage(err) {
		f.Action, f.Damaged, f.Reasons = Skip, true, []string{site.OneLine(err.Error())}
		return f, nil
	}
	if err != nil {
		return f, err
	}
	for _, b := range before {
		if !slices.Contains(needs, b.Table) {
			continue
		}
		switch b.Action {
		case Skip:
			f.Action, f.Reasons = Skip, []string{"it needs " + b.Table + ", which cannot be made"}
			return f, nil
		case Make:
			if b.again && !s.force {
				continue
			}
			f.Action, f.Tasks, f.Guessed = Make, b.Tasks, true
			f.Bytes += int64(float64(b.Bytes) * shrinking(speed.Tables[b.Table]))
			f.Reasons = append(f.Reasons, b.Table+" is made first")
			if s.force {
				f.Reasons = []string{"forced"}
			}
		}
	}
	if f.Guessed {
		if n := inputBytes(a.plan); n > 0 { // assume the size of the unit that it replaces
			f.Bytes = n
		}
		return f, nil
	}
	if a.plan.Missing != "" {
		f.Action, f.Reasons, f.waits = Skip, []string{a.plan.Missing}, a.source.waits
		return f, nil
	}
	f.Reasons = s.reasons(ctx, &a)
	if s.force && len(f.Reasons) == 0 {
		f.Reasons = []string{"forced"}
	}
	if len(f.Reasons) == 0 {
		if a.plan.Note != "" {
			f.Reasons = []string{a.plan.Note}
		}
		return f, nil
	}
	f.Action, f.Tasks, f.Bytes = Make, len(a.plan.Tasks), inputBytes(a.plan)
	for _, t := range a.plan.Tasks {
		f.Work = append(f.Work, s.describe(a.plan, t))
	}
	f.again = len(a.damage) > 0 && a.base != nil && a.base.Generation == a.plan.Generation
	return f, nil
}

func inputBytes(p job.Plan) (n int64) {
	for _, t := range p.Tasks {
		n += t.Bytes
	}
	return n
}

// shrinking returns the bytes that a table writes for each byte of input, from its last tasks, or by default
// about the ratio of main_summary to JSON.
func shrinking(r job.Rate) float64 {
	if r.BytesIn == 0 {
		return 0.1
	}
	return float64(r.BytesOut) / float64(r.BytesIn)
}
