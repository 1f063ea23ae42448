package etl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
)

// Parts of the reasons why a unit cannot be published.
const (
	undoneReason = " tasks are not done: samples "
	planAgain    = ": plan the day again"
)

// stagedSteps publish the results of tasks that ran elsewhere. They run no task.
type stagedSteps struct {
	*steps

	planned map[job.Unit]string // the expected generations; nil: any
}

// Plan implements job.Steps. A unit with unfinished tasks cannot be made.
func (s *stagedSteps) Plan(ctx context.Context, u job.Unit) (job.Plan, error) {
	p, err := s.steps.Plan(ctx, u)
	if err != nil || p.Missing != "" || p.Current {
		return p, err
	}
	if g, is := s.planned[u]; is && g != p.Generation {
		p.Missing = fmt.Sprintf("its tasks are of generation %s, and it would be %s by now%s", g, p.Generation, planAgain)
	} else if s.planned == nil || is {
		p.Missing, err = s.undone(ctx, u, p)
	} else {
		p.Missing = "it is not in the plan"
	}
	if err != nil || p.Missing != "" {
		s.locks.Unlock(u)
	}
	return p, err
}

// undone describes the unfinished tasks of a unit, or returns "".
func (s *stagedSteps) undone(ctx context.Context, u job.Unit, p job.Plan) (string, error) {
	var samples []job.Samples
	for _, t := range p.Tasks {
		if _, done := s.Done(ctx, u, p, t); done {
			continue
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		samples = append(samples, t.Samples())
	}
	if samples == nil {
		return "", nil
	}
	return fmt.Sprintf("%d of its %d"+undoneReason+"%s", len(samples), len(p.Tasks),
		strings.ReplaceAll(job.FormatSamples(samples), ",", ", ")), nil
}

// Do implements job.Steps.
func (s *stagedSteps) Do(context.Context, job.Unit, job.Plan, job.Task) (job.Result, error) {
	return job.Result{}, errors.New("what it has made was removed")
}

// Places of a finished task's result, see Found.
const (
	FoundStaged    = "staged"
	FoundPublished = "published"
)

// Found looks for the result of a finished task. where is FoundStaged or FoundPublished, or "" if there is
// none. r is empty for a published one.
func (d *Worker) Found(ctx context.Context, task Task) (r job.Result, where string, err error) {
	lt, err := d.table(task.Table)
	if err != nil {
		return r, "", err
	}
	g, err := lt.Joined(task.Day, task.Generation)
	if err != nil {
		return r, "", err
	}
	if b, ok := g.Checkpoint(ctx, taskName(task.Task)); ok {
		var c checkpoint
		if json.Unmarshal(b, &c) == nil {
			return c.Result, FoundStaged, nil
		}
	}
	m, damage, err := lt.Look(ctx, task.Day)
	if errors.Is(err, fs.ErrNotExist) {
		return r, "", nil
	}
	if err == nil && len(damage) == 0 && m.Generation == task.Generation && covered(m, task.Samples()) {
		return r, FoundPublished, nil
	}
	return r, "", err
}

// covered reports whether a partition has all samples of a range.
func covered(m *lake.Manifest, r job.Samples) bool {
	return uncovered(partSamples(m), []job.Samples{r}) == ""
}
