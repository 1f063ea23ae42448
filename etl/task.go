package etl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
)

// batchRows is how many rows are handed from a transform to a file at a time: a
// row group, which the file then writes without keeping a copy.
var batchRows = lake.Laptop().RowGroupRows

// batchBytes is the size of a batch from which on fewer rows are handed on. It is
// looked at after sizeBytes of pings, or sizeRows rows made from other rows.
const (
	batchBytes = 32 << 20
	SizeBytes  = 4 << 20
	sizeRows   = 500
)

// checkpoint is what a finished task keeps, so that a later run does not repeat it.
type checkpoint struct {
	Result  job.Result  `json:"result"`
	Files   []lake.File `json:"files"`
	LeftOut leftOut     `json:"left_out,omitempty"`
}

func taskName(t job.Task) string { return fmt.Sprintf("%03d-%03d", t.Lo, t.Hi) }

// begin starts or resumes the generation that a plan makes.
func (s *steps) begin(ctx context.Context, u job.Unit, p job.Plan) (*schema.Table, *lake.Generation, error) {
	t, lt, err := s.find(u)
	if err != nil {
		return nil, nil, err
	}
	if err := s.locks.Lock(ctx, u); err != nil {
		return nil, nil, err
	}
	g, err := lt.Begin(ctx, u.Day, p.Generation)
	return t, g, err
}

// Done implements job.Steps: a task is done when its checkpoint exists, which is
// written after its files.
func (s *steps) Done(ctx context.Context, u job.Unit, p job.Plan, t job.Task) (job.Result, bool) {
	_, g, err := s.begin(ctx, u, p)
	if err != nil {
		return job.Result{}, false
	}
	b, ok := g.Checkpoint(ctx, taskName(t))
	var n checkpoint
	if !ok || json.Unmarshal(b, &n) != nil {
		return job.Result{}, false
	}
	n.Result.Output = string(b)
	return n.Result, true
}

// Do implements job.Steps.
func (s *steps) Do(ctx context.Context, u job.Unit, p job.Plan, t job.Task) (job.Result, error) {
	tab, g, err := s.begin(ctx, u, p)
	if err != nil {
		return job.Result{}, err
	}
	ctx, explain, stop := s.locks.While(ctx, u)
	defer stop()
	result, err := s.do(ctx, tab, g, t)
	return result, explain(err)
}

// do makes the files of a task.
func (s *steps) do(ctx context.Context, tab *schema.Table, g *lake.Generation, t job.Task) (job.Result, error) {
	w := &partWriter{table: tab, generation: g, options: s.options, lo: t.Lo, hi: t.Hi}
	out := column.NewBatch(tab.Columns)
	var result job.Result
	var err error
	if tab.DocType != "" {
		result, err = s.pings(ctx, tab, t, out, w)
	} else {
		result, err = s.rows(ctx, tab, t, out, w)
	}
	if err != nil {
		return result, errors.Join(err, w.abort())
	}
	result.RowsOut, result.Bytes = w.rows, w.bytes
	b, err := json.Marshal(checkpoint{Result: result, Files: w.files, LeftOut: out.LeftOut()})
	if err != nil {
		return result, fmt.Errorf("encode note: %w", err)
	}
	result.Output = string(b)
	return result, g.SaveCheckpoint(ctx, taskName(t), b)
}

// Commit implements job.Steps: a unit that does not pass its checks is not published.
func (s *steps) Commit(ctx context.Context, u job.Unit, p job.Plan, results []job.Result) (job.Result, error) {
	defer s.locks.Unlock(u)
	ctx, explain, stop := s.locks.While(ctx, u)
	defer stop()
	result, err := s.commit(ctx, u, p, results, s.check)
	return result, explain(err)
}

// checker looks at what is about to be published in the place of base, or beside
// it. It gives the names of the checks that were left out; an error keeps the
// generation from being published.
type checker func(ctx context.Context, t *schema.Table, p job.Plan, g *lake.Generation, m, base *lake.Manifest) (skipped []string, err error)

// commit publishes a unit, checked unless check is nil.
func (s *steps) commit(ctx context.Context, u job.Unit, p job.Plan, results []job.Result, check checker) (job.Result, error) {
	tab, g, err := s.begin(ctx, u, p)
	if err != nil {
		return job.Result{}, err
	}
	m := lake.Manifest{}
	if tab.FromProbes {
		m.Probes = s.site.Probes.Hash()
	}
	for _, i := range p.Inputs {
		m.Inputs = append(m.Inputs, lake.Input{Name: i.Name, Generation: i.Generation})
	}
	work := s.work(tab, p.Inputs)
	var total job.Result
	left := leftOut{}
	for i, r := range results {
		var n checkpoint
		if err := json.Unmarshal([]byte(r.Output), &n); err != nil {
			return total, fmt.Errorf("read note of %v: %w", p.Tasks[i], err)
		}
		m.Files = append(m.Files, n.Files...)
		m.Parts = append(m.Parts, lake.Part{Lo: p.Tasks[i].Lo, Hi: p.Tasks[i].Hi, Work: work})
		total = total.Add(r)
		left.add(n.LeftOut)
	}
	base, err := s.kept(ctx, u, m.Parts)
	if err != nil {
		return total, err
	}
	if check != nil {
		if m.SkippedChecks, err = check(ctx, tab, p, g, &m, base); err != nil {
			return total, err
		}
	}
	total.Output = left.output()
	if err := g.Publish(ctx, m, base); err != nil {
		return total, err
	}
	return total, s.site.TableOf(tab).DeleteDamage(ctx, u.Day)
}

// kept is the published partition, whose files stay beside the new ones; nil
// if there is none, or none that files can be taken from.
func (s *steps) kept(ctx context.Context, u job.Unit, made []lake.Part) (*lake.Manifest, error) {
	_, lt, err := s.find(u)
	if err != nil {
		return nil, err
	}
	base, damage, err := lt.Look(ctx, u.Day)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(damage) == 0 {
		return base, nil
	}
	if gap := uncovered(partSamples(&lake.Manifest{Parts: made}), nil); gap != "" {
		return nil, damage[0]
	}
	return nil, nil // there is nothing to keep
}

// pings runs a task of a table made from pings.
func (s *steps) pings(ctx context.Context, t *schema.Table, task job.Task, batch *column.Batch, w *partWriter) (job.Result, error) {
	var result job.Result
	day, err := archive.OpenDay(ctx, s.site.Archive, ping.Day(task.Day), t.Kind())
	if errors.Is(err, fs.ErrNotExist) {
		return result, nil // a day with other pings only
	}
	if err != nil {
		return result, err
	}
	transform := NewPingRows(s.site, t)
	sampled := len(t.PartitionKeys) > 1
	sample := task.Lo
	read := 0 // bytes since the size of the batch was looked at
	for p, err := range day.Pings(ctx, task.Lo, task.Hi) {
		if err != nil {
			return result, err
		}
		result.RowsIn++
		large := false
		if read += len(p.Body); read > SizeBytes {
			read, large = 0, batch.Size() > batchBytes
		}
		if at := sampleOf(&p.Meta); sampled && at != sample || batch.Rows == batchRows || large {
			if err := w.write(batch, sample); err != nil {
				return result, err
			}
			sample = at
		}
		if !t.Takes(&p.Meta) {
			continue
		}
		if !transform.Append(batch, &p.Meta, p.Body) {
			result.Rejected++
		}
	}
	if err := w.write(batch, sample); err != nil {
		return result, err
	}
	return result, w.close()
}

// sampleOf is the sample of a ping, or that of no client.
func sampleOf(m *ping.Meta) int {
	if n, ok := m.Int(ping.SampleID); ok && n >= 0 && n < job.NoClient {
		return int(n)
	}
	return job.NoClient
}

// sampleDir is the folder of a sample below the day's.
func sampleDir(sample int) string {
	if sample == job.NoClient {
		return "sample_id=__HIVE_DEFAULT_PARTITION__"
	}
	return "sample_id=" + strconv.Itoa(sample)
}

// rows runs a task of a table made from main_summary, sample by sample.
func (s *steps) rows(ctx context.Context, t *schema.Table, task job.Task, out *column.Batch, w *partWriter) (job.Result, error) {
	var result job.Result
	mainTable, err := s.site.Table(t.Needs[0])
	if err != nil {
		return result, err
	}
	mainTable.Footers = s.footers
	m, err := mainTable.Partition(ctx, task.Day)
	if err != nil {
		return result, err
	}
	paths := mainTable.Paths(ctx, m)
	inputs := schema.Inputs(t, mainTable.Schema)
	transform, err := table.NewRows(t, inputs)
	if err != nil {
		return result, err
	}
	in := column.NewBatch(inputs)
	sample := task.Lo
	row := func() error {
		if out.Rows%sizeRows != 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if out.Rows < batchRows && out.Size() < batchBytes {
			return nil
		}
		return w.write(out, sample)
	}
	for ; sample <= task.Hi; sample++ {
		for _, f := range m.Files {
			if f.Lo != sample {
				continue
			}
			err := mainTable.Read(ctx, task.Day, paths(f.Name), f, in, func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				result.RowsIn += int64(in.Rows)
				return transform.Add(out, in, row)
			})
			if err != nil {
				return result, recordDamage(ctx, mainTable, m, err)
			}
		}
		if err := transform.Flush(out, row); err != nil {
			return result, err
		}
		if err := w.write(out, sample); err != nil {
			return result, err
		}
	}
	return result, w.close()
}
