package etl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
)

// ErrPlanAgain says that tasks cannot be done, or were done for nothing.
var ErrPlanAgain = errors.New("plan the day again, with this version and these settings")

// Patience says how long a commit waits, and how often it looks.
type Patience struct {
	Others time.Duration // for others that publish, or run
	// Tasks is for tasks that are not done: then all tables of the days are published, each when it can be.
	Tasks time.Duration
	Pause time.Duration // between two looks
}

// Commit publishes the partitions whose tasks are done, those that are published already excepted. While
// others publish, or run, it waits for them, and finds then what they have done.
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

// commitOnce publishes what is complete now.
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

// whole are the partitions of a plan whose tasks are all done, with the generations that they make.
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

// made says whether a run would make nothing.
func (p *RunPlan) made() bool {
	return !slices.ContainsFunc(p.Units, func(u PlannedUnit) bool { return u.Action == Make })
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// Replan says whether a report has partitions whose tasks were done for nothing: the day has to be planned again.
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
