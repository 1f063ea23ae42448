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
	st := s.steps(o.Samples)
	defer st.locks.unlockAll()
	return job.Run(ctx, g, units, st, s.Ledger, job.Options{
		Workers: o.Workers, Force: o.Force, Code: s.Code, Now: o.Now, Progress: o.Progress,
	})
}

func (s *Site) steps(samples []job.Samples) *steps {
	return &steps{site: s, samples: samples, options: lake.Laptop(), locks: &unitLocks{dir: s.locks}}
}

// DirectTables are made as pings arrive, without a daily job.
var DirectTables = []string{"telemetry_new_profile_parquet", "telemetry_update_parquet"}
