package etl

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
)

// RunOptions say what a run does.
type RunOptions struct {
	Tables   []string // with all that they need
	Days     []string // YYYYMMDD
	Samples  []job.Samples
	Force    bool
	Workers  int // 0: one for each core
	Now      func() time.Time
	Progress func(job.Event)
}

// Run makes tables of days, each after those it needs.
func (s *Site) Run(ctx context.Context, o RunOptions) (job.Report, error) {
	g, err := s.Graph()
	if err != nil {
		return job.Report{}, err
	}
	tables, err := g.Closure(o.Tables...)
	if err != nil {
		return job.Report{}, err
	}
	units, err := g.Units(tables, o.Days)
	if err != nil {
		return job.Report{}, err
	}
	st := &steps{site: s, samples: o.Samples, options: lake.Laptop()}
	return job.Run(ctx, g, units, st, s.Ledger, job.Options{
		Workers: o.Workers, Force: o.Force, Code: s.Code, Now: o.Now, Progress: o.Progress,
	})
}

// DirectTables are made as pings arrive, without a daily job.
var DirectTables = []string{"telemetry_new_profile_parquet", "telemetry_update_parquet"}
