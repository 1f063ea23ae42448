package etl

import (
	"context"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/job"
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
}

// Run makes tables of days, each after those it needs.
func Run(ctx context.Context, s *site.Site, o RunOptions) (job.Report, error) {
	g, tables, units, err := units(s, o)
	if err != nil {
		return job.Report{}, err
	}
	if err := checkAllTypes(ctx, s, tables); err != nil {
		return job.Report{}, fmt.Errorf("run: %w", err)
	}
	st := newSteps(s, o.Samples)
	st.force = o.Force
	if o.Now != nil {
		st.now = o.Now()
	}
	defer st.locks.UnlockAll()
	units, settled, err := st.settledUnits(ctx, units, o.Tables)
	if err != nil {
		return job.Report{}, fmt.Errorf("run: %w", err)
	}
	report, err := job.Run(ctx, g, units, st, s.Ledger, job.Options{
		Workers: o.Workers, Force: o.Force, Code: s.Code, Now: o.Now, Progress: o.Progress,
	})
	report.Units = append(settled, report.Units...)
	return report, s.Suspect(err)
}

func newSteps(s *site.Site, samples []job.Samples) *steps {
	return &steps{site: s, samples: samples, options: lake.Laptop(), locks: s.Locks(), worker: newWorker(s)}
}
