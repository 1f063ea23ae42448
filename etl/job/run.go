package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// Options are the settings of a run.
type Options struct {
	// Workers is the largest number of concurrent plans, tasks and commits over all units; 0 means one for each core.
	Workers int
	// Force redoes what is done and current. A forced run that was cancelled or killed, given again with the same
	// units and Code, continues and does not start over.
	Force bool
	// Code is the version of the program, for the ledger.
	Code string
	// Now is the clock; it must be safe for concurrent use.
	Now func() time.Time
	// Begun, if set, is called with the run's number in the ledger before any other work.
	Begun func(run int64)
	// Progress, if set, is called from the goroutine that called Run, never twice at once. The run waits for it.
	Progress func(Event)
}

// Run plans, runs and commits the units, and records all of it in the ledger.
//
// The order of units is their dependencies, then their day, then the graph's order; earlier units are finished
// before later ones are begun where there is a choice. A failed task fails its unit: its other tasks are not
// started, the running ones end and need not be redone. Units that need it are skipped, all others go on.
// The error joins the failures, each with the name of its unit or task; skipped units are only in the report.
//
// When ctx is cancelled nothing more is started, and Run returns the cause once the running tasks have ended. The same
// call later continues.
func Run(ctx context.Context, g *Graph, units []Unit, steps Steps, ledger *Ledger, o Options) (Report, error) {
	if o.Now == nil {
		return Report{}, errors.New("run: Options.Now is not set")
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	states, err := arrange(g, units)
	if err != nil {
		return Report{}, fmt.Errorf("run: %w", err)
	}
	if len(states) == 0 {
		return Report{}, nil
	}
	record, err := ledger.begin(ctx, units, o)
	if err != nil {
		return Report{}, fmt.Errorf("run: %w", err)
	}
	defer record.release()
	ctx = context.WithValue(ctx, runKey{}, record.id)
	if o.Begun != nil {
		o.Begun(record.id)
	}
	s := newScheduler(states, worker{steps, record}, o)
	started := o.Now()
	s.loop(ctx)
	outcome, err := s.close(ctx)
	err = errors.Join(err, record.end(outcome, err))
	return Report{Run: record.id, Started: started, Ended: o.Now(), Units: s.reports()}, err
}

// runKey is the key of a run's number in a context.
type runKey struct{}

// RunOf returns the number, in the ledger, of the run that calls a step with ctx; 0 outside of runs.
func RunOf(ctx context.Context) int64 {
	id, _ := ctx.Value(runKey{}).(int64)
	return id
}

// unitState is a unit during a run. Only the scheduler's goroutine touches it.
type unitState struct {
	UnitReport

	rank       int // its place in the order of units
	dependents []*unitState
	prev, next *unitState // of the same table, if it is chained: the one that this goes on from, and the one that goes on from this
	waiting    int        // needs that are neither committed nor current
	phase      phase
	row        int64 // in the ledger; 0 before it is entered
	plan       Plan
	results    []Result // by task
	todo       []int    // tasks not started
	running    int      // tasks started and not ended

	bytes, bytesEnded int64 // of the tasks' inputs
	errs              []error
}

// phase is the next step of a unit.
type phase int

const (
	toWait   phase = iota
	toPlan         // ready to be planned
	toRun          // has tasks to start
	toCommit       // all tasks are done
	busy           // nothing to start until something ends
	over           // has an outcome
)

// arrange checks the units, orders them, and links each to those that need it: of its day, or of later days.
func arrange(g *Graph, units []Unit) ([]*unitState, error) {
	rank := make(map[string]int)
	for i, t := range g.order {
		rank[t] = i
	}
	byUnit := make(map[Unit]*unitState, len(units))
	states := make([]*unitState, 0, len(units))
	for _, u := range units {
		if err := g.check([]string{u.Table}); err != nil {
			return nil, err
		}
		if _, err := ParseDay(u.Day); err != nil {
			return nil, err
		}
		if byUnit[u] != nil {
			return nil, fmt.Errorf("%s is given twice", u)
		}
		byUnit[u] = &unitState{UnitReport: UnitReport{Unit: u}, phase: toPlan}
		states = append(states, byUnit[u])
	}
	slices.SortFunc(states, func(a, b *unitState) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(rank[a.Table], rank[b.Table]))
	})
	for i, s := range states {
		s.rank = i
		for _, n := range needed(g, s, states[:i], byUnit) {
			n.dependents = append(n.dependents, s)
			s.waiting++
			s.phase = toWait
		}
		if before := chainedTo(g, s, states[:i]); before != nil {
			before.next, s.prev = s, before
			s.waiting++
			s.phase = toWait
		}
	}
	return states, nil
}

// needed returns the units among those before that a unit is made from.
func needed(g *Graph, s *unitState, before []*unitState, byUnit map[Unit]*unitState) (all []*unitState) {
	since := g.since[s.Table]
	if since == nil {
		for _, need := range g.needs[s.Table] {
			if n := byUnit[Unit{need, s.Day}]; n != nil {
				all = append(all, n)
			}
		}
		return all
	}
	first := since(s.Day)
	for _, n := range before {
		if n.Day >= first && slices.Contains(g.needs[s.Table], n.Table) {
			all = append(all, n)
		}
	}
	return all
}

// chainedTo returns the newest unit among those before from which a unit of the same table goes on, nil if there is none.
func chainedTo(g *Graph, s *unitState, before []*unitState) *unitState {
	if !g.chained[s.Table] {
		return nil
	}
	for _, n := range slices.Backward(before) {
		if n.Table == s.Table {
			return n
		}
	}
	return nil
}
