// Package job decides what runs, in which order, and remembers it: the graph of tables, the units and tasks of
// a run, and the ledger. It knows no table and moves no data; the work of a task is behind [Steps].
//
// A [Unit] is one partition, (table, day). It is planned, its tasks run on a pool shared by all units, and it is
// committed whole. A unit starts once the units of the tables it needs, of the same day and part of the same
// run, are committed or current. A failure stays in its unit and in the units that need it.
//
// The [Ledger] has a row per run, unit and task attempt. Together with a [Plan]'s generation, which names one
// exact set of inputs and code, it lets an interrupted run continue: tasks that are done for a generation and still
// exist are not done again. A process that is killed leaves rows with the state running; the next run marks them lost.
package job

import (
	"context"
	"errors"
	"fmt"
)

// Unit is one partition of one table. It is planned, run as tasks, and committed whole.
type Unit struct {
	Table string
	Day   string // YYYYMMDD
}

// String returns the table and the day, as errors and reports name a unit.
func (u Unit) String() string { return u.Table + " " + u.Day }

// Task is a part of a unit: the rows of a range of samples. Tasks of a unit are independent of each other.
type Task struct {
	Table  string
	Day    string // YYYYMMDD
	Lo, Hi int    // samples, both inclusive, 0 to [NoClient]
	Bytes  int64  // of its input, as far as known, for progress and estimates
}

// String names the task in errors and reports.
func (t Task) String() string {
	return fmt.Sprintf("%s %s samples %s", t.Table, t.Day, t.Samples())
}

// Samples returns the task's range of samples.
func (t Task) Samples() Samples { return Samples{t.Lo, t.Hi} }

// Input is one thing that a unit was made from, in the version that was read.
type Input struct {
	Name       string `json:"name"`
	Generation string `json:"generation"`
}

// Plan is the work of one unit, as Steps.Plan finds it.
type Plan struct {
	// Tasks cover the unit without overlap; none is fine for an empty day.
	// With Options.Force they must be there even when the plan is Current.
	Tasks []Task
	// Generation names the version of the partition that this plan makes. Equal generations mean equal
	// inputs and code, so that what one run made of it another can use.
	Generation string
	// Inputs lists the inputs of the unit; the ledger keeps them as its lineage.
	Inputs []Input
	// Current means that the partition is already published with this generation.
	Current bool
	// Published describes the files of a Current partition, as far as known. The ledger takes it over when a process was
	// killed between publishing and recording.
	Published Result
	// Note, when not empty, is what people should know of a Current partition.
	Note string
	// Missing, when not empty, is why the unit cannot run, for example an input day that does not exist.
	Missing string
}

// Result is the result of a task or a commit.
type Result struct {
	RowsIn   int64
	RowsOut  int64
	Rejected int64
	Bytes    int64  // written
	Output   string // opaque to this package, by convention JSON; kept in the ledger
}

// Add returns the sum of two results' counts, without any Output.
func (r Result) Add(o Result) Result {
	return Result{
		RowsIn: r.RowsIn + o.RowsIn, RowsOut: r.RowsOut + o.RowsOut,
		Rejected: r.Rejected + o.Rejected, Bytes: r.Bytes + o.Bytes,
	}
}

// Steps does the work. Its methods are called from several goroutines at once, for different units and for
// different tasks of one unit. A panic in any of them becomes an error of that unit.
type Steps interface {
	// Plan is called once for each unit, after the units that it needs are committed or current.
	Plan(ctx context.Context, u Unit) (Plan, error)
	// Done reports whether the outputs of a task exist, whole, for the plan's generation, left by an earlier run.
	// The result is used only when the ledger has none for the task and generation: the process was killed
	// between finishing the task and recording it. With Options.Force only tasks recorded since the force are asked about.
	Done(ctx context.Context, u Unit, p Plan, t Task) (Result, bool)
	// Do runs a task. When ctx is cancelled it either finishes or returns the context's error.
	Do(ctx context.Context, u Unit, p Plan, t Task) (Result, error)
	// Commit publishes the unit. The results are in the order of the plan's tasks.
	Commit(ctx context.Context, u Unit, p Plan, results []Result) (Result, error)
}

// Outcome is the state of a run, a unit or an attempt at a task.
type Outcome string

const (
	Running   Outcome = "running"   // run, attempt: started and not ended
	Done      Outcome = "done"      // run, attempt: ended well
	Planned   Outcome = "planned"   // unit: started and not ended
	Committed Outcome = "committed" // unit: published by this run
	Current   Outcome = "current"   // unit: was already published with the planned generation; only in a Report
	Skipped   Outcome = "skipped"   // unit: could not start, Reason explains why; only in a Report
	Failed    Outcome = "failed"    // run, unit, attempt
	Cancelled Outcome = "cancelled" // run, unit, attempt: stopped by the context
	Lost      Outcome = "lost"      // run, unit, attempt: the process died; found by the next run
)

// check returns what is wrong with a plan that is to be run for u.
func (p Plan) check(u Unit) error {
	if p.Generation == "" {
		return errors.New("the plan has no generation")
	}
	var taken [NoClient + 1]bool
	for _, t := range p.Tasks {
		if t.Table != u.Table || t.Day != u.Day {
			return fmt.Errorf("the plan has a task of another unit: %s", t)
		}
		if err := t.Samples().check(); err != nil {
			return fmt.Errorf("the plan has a bad task: %w", err)
		}
		for s := t.Lo; s <= t.Hi; s++ {
			if taken[s] {
				return fmt.Errorf("the plan has sample %d in two tasks", s)
			}
			taken[s] = true
		}
	}
	return nil
}

// samples returns the plan's tasks as text. It distinguishes plans of different parts of a partition.
func (p Plan) samples() string {
	ranges := make([]Samples, len(p.Tasks))
	for i, t := range p.Tasks {
		ranges[i] = t.Samples()
	}
	return FormatSamples(ranges)
}
