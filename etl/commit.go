package etl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site"
)

// ErrPlanAgain means that tasks cannot run, or ran in vain, because the plan is outdated.
var ErrPlanAgain = errors.New("plan the day again, with this version and these settings")

// Patience limits how long a commit waits, and sets how often it polls.
type Patience struct {
	Others time.Duration // for other processes that publish or run
	// Tasks is the wait for unfinished tasks. If it is set, all tables of the days are published, each as
	// soon as possible.
	Tasks time.Duration
	Pause time.Duration // between two polls
}

// Commit publishes the partitions whose tasks are done, except those already published. While other processes
// publish or run, it waits for them and then uses their results.
func Commit(ctx context.Context, s *site.Site, o RunOptions) (job.Report, error) {
	wait := o.Patience
	for end := o.Now().Add(wait.Tasks); wait.Tasks > 0; {
		p, err := PlanRun(ctx, s, o)
		if err != nil {
			return job.Report{}, err
		}
		if p.made() {
			o.Planned = nil
			break
		}
		if o.Planned, err = whole(ctx, s, p); err != nil {
			return job.Report{}, err
		}
		if o.Now().After(end) {
			return job.Report{}, fmt.Errorf("tasks are not done after %v", wait.Tasks)
		}
		if len(o.Planned) > 0 {
			if r, err := commitOnce(ctx, s, o); err != nil {
				return r, err
			}
		} else if err := pause(ctx, wait.Pause); err != nil {
			return job.Report{}, err
		}
	}
	return commitOnce(ctx, s, o)
}

// commitOnce publishes the partitions that are complete now.
func commitOnce(ctx context.Context, s *site.Site, o RunOptions) (job.Report, error) {
	for end := o.Now().Add(o.Patience.Others); ; {
		r, err := Run(ctx, s, o)
		if !errors.Is(err, job.ErrInUse) && (err != nil || !skipped(&r, isHeld)) || !o.Now().Before(end) {
			return r, err
		}
		if err := pause(ctx, o.Patience.Pause); err != nil {
			return r, err
		}
	}
}

// whole returns the planned partitions whose tasks are all done, with their generations.
func whole(ctx context.Context, s *site.Site, p *RunPlan) (map[job.Unit]string, error) {
	w := &Worker{Archive: s.Archive, Roots: s.Roots, Tables: s.Tables, Probes: s.Probes}
	all := map[job.Unit]string{}
	for _, u := range p.Units {
		done := 0
		for _, t := range u.Work {
			_, where, err := w.Found(ctx, t)
			if err != nil {
				return nil, err
			}
			if where == "" {
				break
			}
			done++
		}
		if len(u.Work) > 0 && done == len(u.Work) {
			all[u.Unit] = u.Work[0].Generation
		}
	}
	return all, nil
}

// made reports whether the plan has nothing to make.
func (p *RunPlan) made() bool {
	return !slices.ContainsFunc(p.Units, func(u PlannedUnit) bool { return u.Action == Make })
}

// pause waits for d. It returns the cause of the context's end if that comes first.
func pause(ctx context.Context, d time.Duration) error {
	if clock.Wait(ctx, d) != nil {
		return context.Cause(ctx)
	}
	return nil
}

// Replan reports whether tasks of some partitions ran in vain, so that the day must be planned again.
func Replan(r *job.Report) bool {
	return skipped(r, func(why string) bool { return strings.HasSuffix(why, planAgain) })
}

func isHeld(why string) bool { return strings.HasPrefix(why, heldReason) }

func skipped(r *job.Report, because func(string) bool) bool {
	for _, u := range r.Units {
		if u.Outcome == job.Skipped && because(u.Reason) {
			return true
		}
	}
	return false
}
