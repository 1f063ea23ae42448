package etl

import (
	"context"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
)

// RunOptions say what a run does.
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
}

// Run makes tables of days, each after those it needs.
func (s *Site) Run(ctx context.Context, o RunOptions) (job.Report, error) {
	g, tables, units, err := s.units(o)
	if err != nil {
		return job.Report{}, err
	}
	if err := s.checkTypes(ctx, tables); err != nil {
		return job.Report{}, fmt.Errorf("run: %w", err)
	}
	st := s.steps(o.Samples)
	st.force = o.Force
	if o.Now != nil {
		st.now = o.Now()
	}
	defer st.locks.unlockAll()
	units, settled, err := st.settledUnits(ctx, units, o.Tables)
	if err != nil {
		return job.Report{}, fmt.Errorf("run: %w", err)
	}
	report, err := job.Run(ctx, g, units, st, s.Ledger, job.Options{
		Workers: o.Workers, Force: o.Force, Code: s.Code, Now: o.Now, Progress: o.Progress,
	})
	report.Units = append(settled, report.Units...)
	return report, s.suspect(err)
}

func (s *Site) steps(samples []job.Samples) *steps {
	return &steps{site: s, samples: samples, options: lake.Laptop(), locks: s.unitLocks(), footers: lake.NewFooters()}
}
