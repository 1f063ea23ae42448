package jobs

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
)

// The states of runs.
const (
	stateQueued      = "queued"
	stateRunning     = "running"
	stateDone        = "done"
	stateFailed      = "failed"
	stateCancelled   = "cancelled"
	stateInterrupted = "interrupted" // the process died
)

// Run describes a run or a request for one.
type Run struct {
	ID        string       `json:"id"`
	Number    int64        `json:"number,omitempty" doc:"in the history of runs; none until it begins, and if there was nothing to do"`
	State     string       `json:"state" enum:"queued,running,done,failed,cancelled,interrupted"`
	Submitted *time.Time   `json:"asked,omitempty"`
	Started   *time.Time   `json:"started,omitempty"`
	Ended     *time.Time   `json:"ended,omitempty"`
	Tables    []string     `json:"tables"`
	From      string       `json:"from,omitempty"`
	To        string       `json:"to,omitempty"`
	Counts    RunCounts    `json:"counts" doc:"of its partitions"`
	Rows      int64        `json:"rows" doc:"published"`
	Bytes     int64        `json:"bytes"`
	Force     bool         `json:"force"`
	Code      string       `json:"code,omitempty"`
	Host      string       `json:"host,omitempty"`
	PID       int          `json:"pid,omitempty"`
	By        string       `json:"by,omitempty" doc:"who asked for it here"`
	Waits     string       `json:"waits,omitempty" doc:"what it waits for"`
	Error     string       `json:"error,omitempty"`
	Here      bool         `json:"here" doc:"it can be ended here"`
	Progress  *RunProgress `json:"progress,omitempty"`
}

// RunCounts counts the partitions of a run by outcome, without those that were already current.
type RunCounts struct {
	Begun     int `json:"begun"`
	Published int `json:"published"`
	Failed    int `json:"failed"`
	Ended     int `json:"ended" doc:"without being published: cancelled, or with the process"`
}

// RunProgress describes the progress of a run.
type RunProgress struct {
	Units      int      `json:"units,omitempty" doc:"partitions that it is to look at, if that is known"`
	UnitsEnded int      `json:"unitsEnded"`
	Tasks      int      `json:"tasks" doc:"of the partitions that it has begun"`
	TasksEnded int      `json:"tasksEnded"`
	Now        []string `json:"now" doc:"partitions under way"`
}

// runOf describes a run of the ledger without hidden parts. writing reports that a process is executing a run now.
func runOf(r *job.RunRecord, writing bool) Run {
	out := Run{
		ID: strconv.FormatInt(r.ID, 10), Number: r.ID, State: stateOf(r.Outcome, writing), Started: &r.Started,
		Force: r.Force, Code: r.Code, Host: r.Host, PID: r.PID, Error: r.Error, Tables: []string{},
	}
	if !r.Ended.IsZero() {
		out.Ended = &r.Ended
	}
	for _, u := range r.Units {
		if !slices.Contains(out.Tables, u.Table) {
			out.Tables = append(out.Tables, u.Table)
		}
		if out.From == "" || u.Day < out.From {
			out.From = u.Day
		}
		out.To = max(out.To, u.Day)
		out.Counts.Begun++
		switch u.Outcome {
		case job.Committed:
			out.Counts.Published++
			out.Rows += u.Result.RowsOut
			out.Bytes += u.Result.Bytes
		case job.Failed:
			out.Counts.Failed++
		case job.Planned:
		default:
			out.Counts.Ended++
		}
	}
	return out
}

func stateOf(o job.Outcome, writing bool) string {
	switch o {
	case job.Running, job.Planned:
		if writing {
			return stateRunning
		}
		return stateInterrupted
	case job.Lost:
		return stateInterrupted
	case job.Done, job.Committed:
		return stateDone
	}
	return string(o)
}

type runsInput struct {
	Table  string `query:"table" doc:"that it made, or tried to"`
	Day    string `query:"day" pattern:"^([0-9]{8})?$"`
	State  string `query:"state" enum:",queued,running,done,failed,cancelled,interrupted"`
	Limit  int    `query:"limit" default:"50" minimum:"1" maximum:"500"`
	Cursor int64  `query:"cursor" minimum:"0" doc:"next of the page before"`
}

type runsOutput struct {
	Body struct {
		Items []Run `json:"items"`
		Next  int64 `json:"next,omitempty"`
	}
}

// batch is the number of runs read at a time.
const batch = 100

func (j *Jobs) list(ctx context.Context, in *runsInput) (*runsOutput, error) {
	s := j.sightOf(ctx)
	var out runsOutput
	out.Body.Items = []Run{}
	if in.Cursor == 0 {
		for _, r := range slices.Backward(j.queue.requests()) {
			if run := r.run(s); run.Number == 0 && len(run.Tables) > 0 && in.takes(&run) {
				out.Body.Items = append(out.Body.Items, run)
			}
		}
	}
	for at := in.Cursor; ; {
		runs, err := j.Site.Ledger.Runs(ctx, at, batch)
		if err != nil || len(runs) == 0 {
			return &out, err
		}
		for i := range runs {
			run, ok, err := j.describe(ctx, s, &runs[i])
			if err != nil {
				return nil, err
			}
			if ok && in.takes(&run) {
				out.Body.Items = append(out.Body.Items, run)
			}
			if len(out.Body.Items) >= in.Limit {
				out.Body.Next = runs[i].ID
				return &out, nil
			}
		}
		at = runs[len(runs)-1].ID
	}
}

// takes reports whether a run matches the filter.
func (in *runsInput) takes(r *Run) bool {
	return (in.Table == "" || slices.Contains(r.Tables, in.Table)) && (in.State == "" || r.State == in.State) &&
		(in.Day == "" || r.From <= in.Day && in.Day <= r.To)
}

// describe returns what a person may see of a run in the ledger; ok is false if that is nothing.
func (j *Jobs) describe(ctx context.Context, s sight, r *job.RunRecord) (run Run, ok bool, err error) {
	if !s.see(r) {
		return run, false, nil
	}
	writing, err := j.writing(ctx, r)
	if err != nil {
		return run, false, err
	}
	run = runOf(r, writing)
	if run.Error != "" && slices.ContainsFunc(run.Tables, func(t string) bool { return !s.readsAll(t) }) {
		run.Error = withheld
	}
	if q := j.queue.byNumber(r.ID); q != nil {
		running := q.run(s)
		run.By, run.Here, run.Submitted = running.By, running.State == stateRunning, running.Submitted
		if run.State == stateRunning {
			run.Progress = running.Progress
		}
	}
	if run.State == stateRunning {
		run.Progress, err = j.progress(ctx, r, run.Progress)
	}
	return run, true, err
}

// writing reports whether a run is in progress. If no process holds the ledger, it reads the run again: the run may
// have ended normally since it was read, and must not count as interrupted.
func (j *Jobs) writing(ctx context.Context, r *job.RunRecord) (bool, error) {
	if r.Outcome != job.Running {
		return false, nil
	}
	writing, err := j.Site.Ledger.Writing(ctx)
	if writing || err != nil {
		return writing, err
	}
	again, ok, err := j.Site.Ledger.OneRun(ctx, r.ID)
	if ok {
		*r = again
	}
	return false, err
}

// progress returns the progress of a run from the ledger. Only the run's process knows the total number of partitions,
// in running.
func (j *Jobs) progress(ctx context.Context, r *job.RunRecord, running *RunProgress) (*RunProgress, error) {
	p := cmp.Or(running, &RunProgress{Now: []string{}})
	ended, err := j.Site.Ledger.TasksEnded(ctx, r.ID)
	for _, u := range r.Units {
		p.Tasks += tasksOf(u)
		p.TasksEnded += min(ended[u.Unit], tasksOf(u))
		if u.Outcome == job.Planned {
			p.Now = append(p.Now, u.Unit.String())
		} else if running == nil {
			p.UnitsEnded++
		}
	}
	return p, err
}

// tasksOf returns the planned number of tasks of a unit.
func tasksOf(u job.UnitRecord) int {
	if u.Samples == "" {
		return 0
	}
	return strings.Count(u.Samples, ",") + 1
}

// RunUnit describes a partition of a run.
type RunUnit struct {
	Table      string      `json:"table"`
	Day        string      `json:"day"`
	State      string      `json:"state" enum:"running,done,failed,cancelled,interrupted"`
	Started    time.Time   `json:"started"`
	Ended      *time.Time  `json:"ended,omitempty"`
	Tasks      int         `json:"tasks"`
	RowsIn     int64       `json:"rowsIn"`
	RowsOut    int64       `json:"rowsOut"`
	Rejected   int64       `json:"rejected" doc:"pings that could not become rows"`
	Bytes      int64       `json:"bytes"`
	LeftOut    string      `json:"leftOut,omitempty" doc:"values over a bound that were left out, by column"`
	Generation string      `json:"generation,omitempty"`
	Inputs     []job.Input `json:"inputs"`
	Error      string      `json:"error,omitempty"`
}

func (s sight) unit(u *job.UnitRecord, running bool) RunUnit {
	out := RunUnit{
		Table: u.Table, Day: u.Day, State: stateOf(u.Outcome, running), Started: u.Started, Tasks: tasksOf(*u),
		RowsIn: u.Result.RowsIn, RowsOut: u.Result.RowsOut, Rejected: u.Result.Rejected, Bytes: u.Result.Bytes, LeftOut: etl.LeftOut(u.Result),
		Generation: u.Generation, Error: s.text(u.Table, u.Error), Inputs: []job.Input{},
	}
	if !u.Ended.IsZero() {
		out.Ended = &u.Ended
	}
	for _, i := range u.Inputs {
		if !s.mentionsHidden(i.Name) {
			out.Inputs = append(out.Inputs, i)
		}
	}
	return out
}
