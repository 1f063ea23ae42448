package etl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// checkpoint records a finished task, so that a later run does not repeat it.
type checkpoint struct {
	Result  job.Result  `json:"result"`
	Files   []lake.File `json:"files"`
	LeftOut leftOut     `json:"left_out,omitempty"`
}

func taskName(t job.Task) string { return fmt.Sprintf("%03d-%03d", t.Lo, t.Hi) }

// begin starts or resumes the generation of a plan.
func (s *steps) begin(ctx context.Context, u job.Unit, p job.Plan) (*schema.Table, *lake.Generation, error) {
	t, lt, err := s.find(u)
	if err != nil {
		return nil, nil, err
	}
	if err := s.locks.Lock(ctx, u); err != nil {
		return nil, nil, err
	}
	if s.worker != nil {
		lt.Footers = s.worker.Footers
	}
	g, err := lt.Begin(ctx, u.Day, p.Generation)
	return t, g, err
}

// Done implements job.Steps. A task is done when its checkpoint exists, which is written after its files.
func (s *steps) Done(ctx context.Context, u job.Unit, p job.Plan, t job.Task) (job.Result, bool) {
	_, g, err := s.begin(ctx, u, p)
	if err != nil {
		return job.Result{}, false
	}
	b, ok := g.Checkpoint(ctx, taskName(t))
	var c checkpoint
	if !ok || json.Unmarshal(b, &c) != nil {
		return job.Result{}, false
	}
	c.Result.Output = string(b)
	return c.Result, true
}

// Do implements job.Steps.
func (s *steps) Do(ctx context.Context, u job.Unit, p job.Plan, t job.Task) (job.Result, error) {
	if _, _, err := s.begin(ctx, u, p); err != nil {
		return job.Result{}, err
	}
	ctx, explain, stop := s.locks.While(ctx, u)
	defer stop()
	task := s.describe(p, t)
	if s.data.Sharing != nil {
		task.Server = s.data.Sharing.Holder
	}
	result, err := s.worker.Do(ctx, task)
	return result, explain(err)
}

// describe returns the description of a task for a Worker.
func (s *steps) describe(p job.Plan, t job.Task) Task {
	d := Task{Task: t, Generation: p.Generation, Inputs: p.Inputs, Options: s.options}
	if table, err := schema.Find(s.data.Tables, t.Table); err == nil {
		d.Definitions = Definitions(table)
	}
	return d
}

// Definitions returns a hash of everything that determines the rows of a table and the bytes of its files,
// apart from the inputs, the writer's options and the probe definitions. Programs with different hashes make
// different partitions.
func Definitions(t *schema.Table) string {
	h := sha256.New()
	fmt.Fprintln(h, t.Name, t.Version, t.Transforms(), lake.Layout, lake.Fingerprint(t.Columns))
	if t.Apps != nil {
		fmt.Fprintln(h, t.Apps)
	}
	if t.Snapshots != nil {
		fmt.Fprintln(h, t.Definition())
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
