package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
)

// request is a request for a run.
type request struct {
	id        string
	by        string
	submitted time.Time
	o         etl.RunOptions
	units     []job.Unit // the units that it examines

	mu      sync.Mutex
	cancel  context.CancelCauseFunc // nil unless it runs
	state   string
	waits   wait
	runID   int64 // in the ledger; 0: none
	started time.Time
	ended   time.Time
	err     error
	done    map[job.Unit]bool
}

// wait describes the run that a request waits for, and the tables of that run.
type wait struct {
	text   string
	tables []string
}

// errCancelled is the cause of a run's context after a person ended the run.
var errCancelled = errors.New("ended in the query tool")

func (r *request) number() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.runID
}

// is reports whether the request is in one of the states.
func (r *request) is(states ...string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(states, r.state)
}

func (r *request) set(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// begun records the number and the start of the run.
func (r *request) begun(run int64, at time.Time) {
	r.set(func() { r.state, r.runID, r.started, r.waits = stateRunning, run, at, wait{} })
}

// event records ended partitions.
func (r *request) event(e job.Event) {
	if e.Kind == job.UnitEnded {
		r.set(func() { r.done[e.Unit] = true })
	}
}

// run describes the request as far as the person may see it. Without tables, it must not be shown at all.
func (r *request) run(s sight) Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := Run{
		ID: r.id, Number: r.runID, State: r.state, Submitted: &r.submitted, Tables: s.known(r.o.Tables), From: r.o.Days[0],
		To:    r.o.Days[len(r.o.Days)-1],
		Force: r.o.Force, Code: r.o.Code, By: r.by, Waits: r.waits.text, Here: r.state == stateQueued || r.state == stateRunning,
	}
	if len(r.waits.tables) > 0 && len(s.known(r.waits.tables)) == 0 {
		out.Waits = "another run"
	}
	for _, at := range []struct {
		from time.Time
		to   **time.Time
	}{{r.started, &out.Started}, {r.ended, &out.Ended}} {
		if !at.from.IsZero() {
			*at.to = &at.from
		}
	}
	if r.err != nil {
		if out.Error = r.err.Error(); s.mentionsHidden(out.Error) {
			out.Error = withheld
		}
	}
	if r.state == stateRunning {
		out.Progress = &RunProgress{Now: []string{}}
		for _, u := range r.units {
			if s.knows(u.Table) {
				out.Progress.Units++
				if r.done[u] {
					out.Progress.UnitsEnded++
				}
			}
		}
	}
	return out
}

// do executes the run. It returns job.ErrInUse if another process's run holds the ledger.
func (r *request) do(ctx context.Context, j *Jobs) error {
	o := r.o
	o.Now, o.Workers, o.Checks, o.Log, o.Code = j.Now, j.Workers, j.Checks, j.Log, j.Code
	o.Begun = func(run int64) {
		r.begun(run, j.Now())
		_ = j.Site.Ledger.AddLine(run,
			job.Line{Time: j.Now(), Level: "INFO", Text: "begun in the query tool", Attrs: map[string]string{"by": r.by}})
	}
	o.Progress = func(e job.Event) {
		r.event(e)
		if j.Progress != nil {
			j.Progress(e)
		}
	}
	report, err := etl.Run(ctx, j.Site, o)
	if errors.Is(err, job.ErrInUse) {
		return job.ErrInUse
	}
	if report.Run != 0 {
		err = nil // the ledger has the error
	}
	return errors.Join(err, etl.Sweep(context.WithoutCancel(ctx), j.Site))
}

// end records the outcome.
func (r *request) end(ctx context.Context, now time.Time, err error) {
	r.set(func() {
		r.ended, r.err, r.cancel, r.waits = now, err, nil, wait{}
		switch {
		case ctx.Err() != nil:
			r.state, r.err = stateCancelled, nil
		case err != nil:
			r.state = stateFailed
		default:
			r.state = stateDone
		}
	})
}

// waitsFor returns the run that holds the ledger and its tables.
func (j *Jobs) waitsFor(ctx context.Context) (w wait) {
	runs, err := j.Site.Ledger.Runs(ctx, 0, 1)
	if err != nil || len(runs) == 0 || runs[0].Outcome != job.Running {
		return wait{text: "another process that has the history of runs"}
	}
	r := &runs[0]
	w.text = fmt.Sprintf("run %d of process %d on %s, which began at %s", r.ID, r.PID, r.Host, r.Started.Format("15:04:05 MST"))
	for _, u := range r.Units {
		w.tables = append(w.tables, u.Table)
	}
	return w
}
