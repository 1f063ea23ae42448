package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// scheduler owns all state of a run. Goroutines, at most Workers at a time, do the work and send their
// results; everything else happens in the goroutine of loop.
type scheduler struct {
	worker

	o        Options
	units    []*unitState
	ready    []*unitState // those in toPlan, toRun and toCommit, by rank
	running  int
	finished chan finished
	event    Event // the counts so far
}

// finished is the result of a piece of work.
type finished struct {
	unit   *unitState
	phase  phase // which kind of work it was
	task   int   // when it was a task
	plan   planned
	result Result
	err    error
}

var errExited = errors.New("its goroutine exited without returning")

func newScheduler(units []*unitState, w worker, o Options) *scheduler {
	s := &scheduler{worker: w, o: o, units: units, finished: make(chan finished), event: Event{Units: len(units)}}
	for _, u := range units {
		if u.phase == toPlan {
			s.ready = append(s.ready, u)
		}
	}
	return s
}

// loop starts work while there is a free worker and ends when nothing is left or may be started.
func (s *scheduler) loop(ctx context.Context) {
	for {
		for s.running < s.o.Workers && len(s.ready) > 0 && ctx.Err() == nil {
			s.start(ctx, s.ready[0])
		}
		if s.running == 0 {
			return
		}
		f := <-s.finished
		s.running--
		s.handle(ctx, f)
	}
}

// start starts the next piece of work of a ready unit.
func (s *scheduler) start(ctx context.Context, u *unitState) {
	f := finished{unit: u, phase: u.phase, err: errExited}
	if u.phase == toRun {
		f.task, u.todo = u.todo[0], u.todo[1:]
		u.running++
		s.emit(Event{Kind: TaskStarted, Unit: u.Unit, Task: u.plan.Tasks[f.task], UnitBytes: u.bytes, UnitBytesEnded: u.bytesEnded})
	}
	if len(u.todo) == 0 {
		s.hold(u)
	}
	s.running++
	row, plan, results := u.row, u.plan, u.results // the goroutine does not look into u
	go func() {
		defer func() { s.finished <- f }() // also when a step calls runtime.Goexit
		switch f.phase {
		case toPlan:
			f.plan, f.err = s.plan(ctx, u.Unit)
		case toRun:
			f.result, f.err = s.task(ctx, u.Unit, row, plan, plan.Tasks[f.task])
		case toCommit:
			f.result, f.err = s.commit(ctx, u.Unit, row, plan, results)
		}
	}()
}

// handle processes a result.
func (s *scheduler) handle(ctx context.Context, f finished) {
	u := f.unit
	switch f.phase {
	case toPlan:
		s.handlePlan(ctx, u, f)
	case toRun:
		s.handleTask(ctx, u, f)
	case toCommit:
		switch {
		case f.err == nil:
			s.finish(u, Committed, f.result)
		case outcomeOf(ctx, f.err) == Failed:
			u.errs = append(u.errs, f.err)
			s.fail(u)
		}
	}
}

func (s *scheduler) handlePlan(ctx context.Context, u *unitState, f finished) {
	u.row, u.plan = f.plan.row, f.plan.Plan
	u.Generation = u.plan.Generation
	switch {
	case f.err != nil && outcomeOf(ctx, f.err) == Cancelled:
	case f.err != nil:
		u.errs = append(u.errs, f.err)
		s.fail(u)
	case u.plan.Missing != "":
		s.skip(u, u.plan.Missing)
	case f.plan.current:
		u.Reason = u.plan.Note
		s.finish(u, Current, Result{})
	default:
		u.results, u.todo = f.plan.results, f.plan.todo
		u.Tasks, u.Reused = len(u.results), len(u.results)-len(u.todo)
		s.event.Tasks += u.Tasks
		s.event.TasksEnded += u.Reused
		for i, t := range u.plan.Tasks {
			u.bytes += t.Bytes
			if !slices.Contains(u.todo, i) {
				u.bytesEnded += t.Bytes
			}
		}
		s.emit(Event{Kind: UnitPlanned, Unit: u.Unit, UnitBytes: u.bytes, UnitBytesEnded: u.bytesEnded})
		s.next(u)
	}
}

func (s *scheduler) handleTask(ctx context.Context, u *unitState, f finished) {
	u.running--
	u.results[f.task] = f.result
	outcome := outcomeOf(ctx, f.err)
	s.event.TasksEnded++
	u.bytesEnded += u.plan.Tasks[f.task].Bytes
	s.emit(Event{Kind: TaskEnded, Unit: u.Unit, Task: u.plan.Tasks[f.task], Outcome: outcome, Result: f.result, Err: f.err,
		UnitBytes: u.bytes, UnitBytesEnded: u.bytesEnded})
	if outcome == Failed {
		u.errs = append(u.errs, f.err)
		s.event.TasksEnded += len(u.todo) // they never will be started
		u.todo = nil
		s.hold(u)
	}
	switch {
	case u.running > 0 || outcome == Cancelled && len(u.errs) == 0:
	case len(u.errs) > 0:
		s.fail(u)
	case len(u.todo) == 0:
		s.next(u)
	}
}

// next makes a unit ready for its tasks, or for its commit when none is left.
func (s *scheduler) next(u *unitState) {
	if len(u.todo) > 0 {
		s.offer(u, toRun)
	} else {
		s.offer(u, toCommit)
	}
}

// offer adds a unit to the ready ones.
func (s *scheduler) offer(u *unitState, p phase) {
	u.phase = p
	i, _ := slices.BinarySearchFunc(s.ready, u, byRank)
	s.ready = slices.Insert(s.ready, i, u)
}

// hold removes a unit from the ready ones.
func (s *scheduler) hold(u *unitState) {
	u.phase = busy
	if i, found := slices.BinarySearchFunc(s.ready, u, byRank); found {
		s.ready = slices.Delete(s.ready, i, i+1)
	}
}

func byRank(a, b *unitState) int { return cmp.Compare(a.rank, b.rank) }

// finish ends a unit successfully and makes the units that waited for it ready.
func (s *scheduler) finish(u *unitState, outcome Outcome, res Result) {
	u.Result = res
	s.over(u, outcome)
	for _, d := range u.dependents {
		s.release(d)
	}
	if u.next != nil {
		s.release(u.next)
	}
}

// release makes a unit ready if all that it waited for has ended.
func (s *scheduler) release(d *unitState) {
	if d.waiting--; d.waiting == 0 && d.phase == toWait {
		s.offer(d, toPlan)
	}
}

func (s *scheduler) fail(u *unitState) {
	if err := s.record(u, Failed); err != nil {
		u.errs = append(u.errs, err)
	}
	u.Err = errors.Join(u.errs...)
	s.over(u, Failed)
	if u.next != nil {
		u.dependents = append(u.dependents, u.next)
	}
	s.skipDependents(u, "failed")
}

func (s *scheduler) skip(u *unitState, reason string) {
	u.Reason = reason
	s.over(u, Skipped)
	s.skipDependents(u, "was skipped")
	s.passOver(u)
}

// passOver lets the unit that goes on from a skipped one go on from an older one, once that has ended.
func (s *scheduler) passOver(u *unitState) {
	switch {
	case u.next == nil:
	case u.prev == nil || u.prev.phase == over:
		s.release(u.next)
	default:
		u.prev.next, u.next.prev = u.next, u.prev
	}
}

func (s *scheduler) skipDependents(u *unitState, why string) {
	for _, d := range u.dependents {
		if d.phase != over {
			s.skip(d, fmt.Sprintf("it needs %s, which %s", u.Unit, why))
		}
	}
}

// record closes, in the ledger, a unit that did not reach its commit.
func (s *scheduler) record(u *unitState, outcome Outcome) error {
	cause := errors.Join(u.errs...)
	if u.row != 0 {
		return s.ledger.unitEnded(u.row, outcome, Result{}, cause)
	}
	return s.ledger.planFailed(u.Unit, cause)
}

func (s *scheduler) over(u *unitState, outcome Outcome) {
	u.phase, u.Outcome = over, outcome
	u.plan, u.results = Plan{}, nil // a year's backfill has many
	s.event.UnitsEnded++
	s.emit(Event{Kind: UnitEnded, Unit: u.Unit, Outcome: outcome, Result: u.Result, Reason: u.Reason, Err: u.Err})
}

// close ends what the cancelled context left open and sums up.
func (s *scheduler) close(ctx context.Context) (Outcome, error) {
	outcome := Done
	var errs []error
	for _, u := range s.units {
		if u.phase != over {
			outcome = Cancelled
			if u.row != 0 {
				errs = append(errs, s.record(u, Cancelled))
			}
			s.over(u, Cancelled)
		}
		if u.Err != nil {
			errs = append(errs, u.Err)
		}
	}
	if outcome == Cancelled {
		return outcome, errors.Join(append(errs, fmt.Errorf("run stopped: %w", context.Cause(ctx)))...)
	}
	err := errors.Join(errs...)
	if err != nil {
		outcome = Failed
	}
	return outcome, err
}

func (s *scheduler) reports() []UnitReport {
	reports := make([]UnitReport, len(s.units))
	for i, u := range s.units {
		reports[i] = u.UnitReport
	}
	return reports
}

// emit completes an event with the time and the counts, and calls Progress.
func (s *scheduler) emit(e Event) {
	if s.o.Progress == nil {
		return
	}
	e.Time, e.Run = s.o.Now(), s.ledger.id
	e.Units, e.UnitsEnded, e.Tasks, e.TasksEnded = s.event.Units, s.event.UnitsEnded, s.event.Tasks, s.event.TasksEnded
	s.o.Progress(e)
}
