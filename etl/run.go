package etl

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
)

// RunOptions are the options of a run.
type RunOptions struct {
	Tables  []string // the tables that they need are added
	Days    []string // YYYYMMDD
	Samples []job.Samples
	Force   bool
	Restart bool // a table that goes on from the day before starts over behind days that were not made
	Workers int  // 0: one for each core
	// Downstream adds the tables that are made from the named ones.
	Downstream bool
	Now        func() time.Time
	Progress   func(job.Event)
	Checks     check.Options
	Log        *slog.Logger    // pings without a row, and checks; nil: discarded
	Code       string          // version of the program, for the ledger
	Begun      func(run int64) // called with the run's number in the ledger; nil: none
	// Staged publishes the results of tasks that ran elsewhere, and runs none. Planned, if not nil, lists the
	// expected generations.
	Staged   bool
	Planned  map[job.Unit]string
	Patience Patience // of Commit
}

// Run makes the tables of days, each after those that it needs.
func Run(ctx context.Context, s *site.Site, o RunOptions) (job.Report, error) {
	g, tables, units, err := units(ctx, &s.Data, o)
	if err != nil {
		return job.Report{}, err
	}
	if o.Staged && o.Planned != nil {
		units = slices.DeleteFunc(units, func(u job.Unit) bool {
			_, planned := o.Planned[u]
			return !planned && chained(g, u.Table)
		})
	}
	columns, err := checkAllTypes(ctx, &s.Data, tables, true, o.Log)
	if err != nil {
		return job.Report{}, fmt.Errorf("run: %w", err)
	}
	lines := &runLines{ledger: s.Ledger, now: o.Now}
	st := newSteps(&s.Data).forRun(o, s.Keep).working(s.Locks(), lines.log(o.Log))
	st.checks, st.columns = o.Checks, columns
	defer st.locks.UnlockAll()
	units, settled, err := st.settledUnits(ctx, units, o.Tables)
	if err != nil {
		return job.Report{}, fmt.Errorf("run: %w", err)
	}
	var doing job.Steps = st
	if o.Staged {
		doing = &stagedSteps{st, o.Planned}
	}
	report, err := job.Run(ctx, g, units, doing, s.Ledger, job.Options{
		Workers: o.Workers, Force: o.Force, Code: o.Code, Now: o.Now, Begun: lines.begun(o.Begun), Progress: lines.progress(o.Progress),
	})
	report.Units = append(settled, report.Units...)
	return report, s.Suspect(err)
}

// newSteps returns steps that can only plan, without retention.
func newSteps(d *site.Data) *steps { return &steps{data: d, options: lake.Laptop()} }

// forRun sets the options of a run.
func (s *steps) forRun(o RunOptions, keep site.Retention) *steps {
	s.samples, s.force, s.restart, s.keep = o.Samples, o.Force, o.Restart, keep
	if o.Now != nil {
		s.now = o.Now()
	}
	return s
}

// working prepares s to run and publish tasks. log may be nil.
func (s *steps) working(locks *site.Locks, log *slog.Logger) *steps {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	d := s.data
	s.locks, s.log, s.worker = locks, log,
		&Worker{Archive: d.Archive, Roots: d.Roots, Tables: d.Tables, Probes: d.Probes, Footers: lake.NewFooters(), Log: log}
	return s
}
