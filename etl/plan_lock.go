package etl

import (
	"context"
	"errors"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// heldReason begins the reason of a unit that another server is making.
const heldReason = "another server is making it: "

// Plan implements job.Steps. It first finishes or rolls back the leftovers of a killed run, so that a
// partition that was being published is not made again. A unit that must be made is locked and planned once
// more, because another server may have published it meanwhile.
func (s *steps) Plan(ctx context.Context, u job.Unit) (job.Plan, error) {
	_, lt, err := s.find(u)
	if err != nil {
		return job.Plan{}, err
	}
	left, err := lt.Unfinished(ctx, u.Day)
	if err != nil {
		return job.Plan{}, err
	}
	a, err := s.assess(ctx, u)
	settled := a.plan.Missing != "" || a.plan.Current && !s.force
	if err != nil || settled && !left && !a.lacksCompact() {
		return a.plan, err
	}
	err = s.locks.Lock(ctx, u)
	switch {
	case errors.Is(err, store.ErrHeld) && settled: // another server is making what is unfinished
		return a.plan, nil
	case errors.Is(err, store.ErrHeld):
		a.plan.Missing = heldReason + site.OneLine(err.Error())
		return a.plan, nil
	case err != nil:
		return a.plan, err
	}
	p, err := s.planLocked(ctx, u, lt, left)
	if err != nil || p.Missing != "" || p.Current && !s.force {
		s.locks.Unlock(u)
	}
	return p, err
}

// lacksCompact reports whether the published partition is current except for missing compact files.
func (a *assessment) lacksCompact() bool { return a.plan.Current && !a.newer && a.base.LacksCompact() }

// planLocked plans a locked unit. left reports whether it has unfinished work.
func (s *steps) planLocked(ctx context.Context, u job.Unit, lt *lake.Table, left bool) (job.Plan, error) {
	if left {
		if err := lt.Recover(ctx, u.Day); err != nil {
			return job.Plan{}, err
		}
	}
	a, err := s.assess(ctx, u)
	if err == nil && left && (a.plan.Current && !s.force || a.plan.Missing == NoPingsOfDay || a.expired) {
		err = lt.Tidy(ctx, u.Day) // the unfinished generation is published already, or never will be
	}
	if err == nil && a.lacksCompact() && !s.force {
		lt.Footers = s.worker.Footers
		err = lt.Compact(ctx, u.Day)
	}
	return a.plan, err
}
