package etl

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
)

// RunOptions are the options of a run.
type RunOptions struct {
	Tables  []string // with all that they need
	Days    []string // YYYYMMDD
	Samples []job.Samples
	Force   bool
	Workers int // 0: one for each core
	// Downstream adds the tables that are made from the named ones.
	Downstream bool
	Now        func() time.Time
	Progress   func(job.Event)
	Checks     check.Options
	Log        *slog.Logger    // of pings that have no row, and of checks; nil: nowhere
	Code       string          // version of the program, for the ledger
	Begun      func(run int64) // is told the run's number in the ledger; nil: nobody
	// Staged publishes what tasks have made elsewhere, and does none. Planned, if not nil, are generations that it
	// must be of.
	Staged   bool
	Planned  map[job.Unit]string
	Patience Patience // of Commit
}

// Run makes tables of days, each after those it needs.
func Run(ctx context.Context, s *site.Site, o RunOptions) (job.Report, error) {
	g, tables, units, err := units(&s.Data, o)
	if err != nil {
		return job.Report{}, err
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

// newSteps can plan, with nothing past its time.
func newSteps(d *site.Data) *steps { return &steps{data: d, options: lake.Laptop()} }

// forRun makes them those of a run.
func (s *steps) forRun(o RunOptions, keep site.Retention) *steps {
	s.samples, s.force, s.keep = o.Samples, o.Force, keep
	if o.Now != nil {
		s.now = o.Now()
	}
	return s
}

// working makes them able to do what they plan. log may be nil.
func (s *steps) working(locks *site.Locks, log *slog.Logger) *steps {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	d := s.data
	s.locks, s.log, s.worker = locks, log, &Worker{Archive: d.Archive, Roots: d.Roots, Tables: d.Tables, Probes: d.Probes, Footers: lake.NewFooters(), Log: log}
	return s
}
