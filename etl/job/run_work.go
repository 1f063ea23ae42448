package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/internal/panics"
)

// worker runs single steps and records them in the ledger. It is safe for concurrent use.
type worker struct {
	steps  Steps
	ledger *ledgerRun
}

// planned is a plan and what earlier runs leave to do of it.
type planned struct {
	Plan

	current bool
	row     int64    // of the unit in the ledger, if it is to be run
	results []Result // by task, filled for those that are done
	todo    []int    // the other tasks
}

// outcomeOf is Cancelled only for errors that say so while the run is being cancelled: an error of its own that
// comes in at that time is still a failure, and a deadline inside a step is too.
func outcomeOf(ctx context.Context, err error) Outcome {
	switch {
	case err == nil:
		return Done
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		return Cancelled
	default:
		return Failed
	}
}

func (w worker) plan(ctx context.Context, u Unit) (p planned, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("plan %s: %w", u, err)
		}
	}()
	defer panics.Recover(&err)
	if p.Plan, err = w.steps.Plan(ctx, u); err != nil || p.Missing != "" {
		return p, err
	}
	if err := p.check(u); err != nil {
		return p, err
	}
	if p.Current {
		if p.current, err = w.ledger.isCurrent(ctx, u, p.Plan); err != nil || p.current {
			return p, err
		}
	}
	if p.row, err = w.ledger.planned(u, p.Plan); err != nil {
		return p, err
	}
	err = w.keep(ctx, u, &p)
	return p, err
}

// keep sorts out which tasks an earlier run has done and whose outputs still exist. A forced run believes only
// the ledger, which knows what was done under the same force.
func (w worker) keep(ctx context.Context, u Unit, p *planned) error {
	done, err := w.ledger.done(ctx, u, p.Generation)
	if err != nil {
		return err
	}
	p.results = make([]Result, len(p.Tasks))
	for i, t := range p.Tasks {
		recorded, isRecorded := done[t.Samples()]
		res, exists := Result{}, false
		if isRecorded || !w.ledger.force {
			res, exists = w.steps.Done(ctx, u, p.Plan, t)
		}
		switch {
		case !exists:
			p.todo = append(p.todo, i)
			continue
		case isRecorded:
			res = recorded
		default:
			if err := w.ledger.found(p.row, p.Plan, t, res); err != nil {
				return err
			}
		}
		p.results[i] = res
	}
	return nil
}

func (w worker) task(ctx context.Context, u Unit, row int64, p Plan, t Task) (Result, error) {
	attempt, err := w.ledger.started(row, p, t)
	if err != nil {
		return Result{}, err
	}
	res, err := w.do(ctx, u, p, t)
	if err != nil {
		res, err = Result{}, fmt.Errorf("run %s: %w", t, err)
	}
	return res, errors.Join(err, w.ledger.ended(attempt, outcomeOf(ctx, err), res, err))
}

func (w worker) do(ctx context.Context, u Unit, p Plan, t Task) (res Result, err error) {
	defer panics.Recover(&err)
	return w.steps.Do(ctx, u, p, t)
}

// commit publishes and records. A unit whose commit failed is closed in the ledger by the scheduler.
func (w worker) commit(ctx context.Context, u Unit, row int64, p Plan, results []Result) (res Result, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("commit %s: %w", u, err)
		}
	}()
	defer panics.Recover(&err)
	if res, err = w.steps.Commit(ctx, u, p, results); err != nil {
		return Result{}, err
	}
	return res, w.ledger.unitEnded(row, Committed, res, nil)
}
