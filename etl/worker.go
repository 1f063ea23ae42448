package etl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// batchRows is the number of rows that a transform passes to a file at a time: a row group, which the file
// writes without copying.
var batchRows = lake.Laptop().RowGroupRows

// batchBytes is the size at which a batch is passed on before it has batchRows rows. The size is measured
// after every sizeBytes of pings, or sizeRows rows made from other rows.
const (
	batchBytes = 32 << 20
	sizeBytes  = 4 << 20
	sizeRows   = 500
)

// Task describes the work on a range of samples of a partition. It contains everything that a Worker needs.
type Task struct {
	job.Task

	Generation  string      // of the partition that the files will belong to
	Inputs      []job.Input // the inputs at the time of the plan
	Definitions string      // of the table, see Definitions
	Options     lake.WriterOptions
	Server      string // name of the server, if several share the lake; otherwise ""
}

// same checks that an input is still in the state for which the task was planned. Otherwise the error matches
// ErrPlanAgain.
func (t *Task) same(name, generation string) error {
	if slices.Contains(t.Inputs, job.Input{Name: name, Generation: generation}) {
		return nil
	}
	return fmt.Errorf("%s of %s has changed since the task was planned: %w", name, t.Day, ErrPlanAgain)
}

// Worker runs tasks. It has the buckets of an installation and the definitions of its tables, but no ledger,
// no locks and no folder of its own.
type Worker struct {
	Archive store.Bucket
	Roots   map[schema.Root]store.Bucket
	Tables  []*schema.Table
	Probes  *schema.Probes
	Footers *lake.Footers // caches footers of input files and rows of written files; nil: no cache
	Log     *slog.Logger  // pings on which a transform panics; nil: discarded

	spare spare
	days  sharedDays
}

// table returns the named table of the lake.
func (d *Worker) table(name string) (*lake.Table, error) {
	t, err := schema.Find(d.Tables, name)
	if err != nil {
		return nil, err
	}
	return lake.Open(d.Roots[t.Root], t), nil
}

// Do writes the files of a task, and after that its checkpoint.
func (d *Worker) Do(ctx context.Context, task Task) (job.Result, error) {
	lt, err := d.table(task.Table)
	if err != nil {
		return job.Result{}, err
	}
	lt.Token = task.Server
	g, err := lt.Join(ctx, task.Day, task.Generation)
	if err != nil {
		return job.Result{}, err
	}
	t := lt.Schema
	w := &partWriter{table: t, generation: g, options: task.Options, footers: d.Footers, lo: task.Lo, hi: task.Hi,
		group: &store.Group{}}
	out, put := d.spare.take(t, t.Columns)
	var result job.Result
	switch {
	case t.IsSnapshots():
		result, err = d.clients(ctx, t, &task, out, w)
	case t.Internal():
		result, err = d.partsOf(ctx, t, &task, out, w)
	case t.DocType != "":
		result, err = d.fromPings(ctx, t, &task, out, w)
	case t.FromRows():
		result, err = d.fromRows(ctx, t, &task, out, w)
	default:
		result, err = d.rows(ctx, t, &task, out, w)
	}
	if err == nil {
		err = w.group.Sync()
	}
	if err != nil {
		return result, errors.Join(err, w.abort())
	}
	result.RowsOut, result.Bytes = w.rows, w.bytes
	b, err := json.Marshal(checkpoint{Result: result, Files: w.files, LeftOut: out.LeftOut()})
	put()
	if err != nil {
		return result, fmt.Errorf("encode checkpoint: %w", err)
	}
	result.Output = string(b)
	return result, g.SaveCheckpoint(ctx, taskName(task.Task), b)
}

// dayOf opens the pings of a task. It returns nil if the day has pings of other types only.
func (d *Worker) dayOf(ctx context.Context, t *schema.Table, task *Task) (*archive.Day, error) {
	p, err := origin.OpenPings(ctx, d.Archive, t, task.Day)
	if err == nil && len(p.Inputs) < len(task.Inputs) {
		err = task.same(t.Source(), "")
	}
	for _, in := range p.Inputs {
		if err == nil {
			err = task.same(in.Name, in.Generation)
		}
	}
	if p.Day == nil || err != nil {
		return nil, err
	}
	return d.days.share(p.Day), nil
}

// pings runs a task of a table made from pings, which read reads from the archive.
func (d *Worker) pings(ctx context.Context, t *schema.Table, task *Task, batch *column.Batch, w *partWriter, read readPings) (job.Result,
	error) {
	var result job.Result
	day, err := d.dayOf(ctx, t, task)
	if day == nil || err != nil {
		return result, err
	}
	transform, put := d.spare.pingRows(t, func() *PingRows { return NewPingRows(t, d.Probes, d.Log) })
	defer put()
	sampled := len(t.PartitionKeys) > 1
	sample := task.Lo
	bytes := 0 // since the size of the batch was measured
	for p, err := range read(day) {
		if err != nil {
			return result, err
		}
		result.RowsIn++
		large := false
		if bytes += DocumentSize(p); bytes > sizeBytes {
			bytes, large = 0, batch.Size() > batchBytes
		}
		if at := sampleOf(&p.Meta); sampled && at != sample || batch.Rows == batchRows || large {
			if err := w.write(batch, sample, at != sample); err != nil {
				return result, err
			}
			sample = at
		}
		if !t.Takes(&p.Meta) {
			continue
		}
		ok, err := transform.Add(batch, p)
		if err != nil {
			return result, err
		}
		if !ok {
			result.Rejected++
		}
	}
	if err := w.write(batch, sample, true); err != nil {
		return result, err
	}
	return result, w.close()
}

// sampleOf returns the sample of a ping, or job.NoClient.
func sampleOf(m *ping.Meta) int {
	if n, ok := m.Int(ping.SampleID); ok && n >= 0 && n < job.NoClient {
		return int(n)
	}
	return job.NoClient
}

// sampleDir returns the folder of a sample below the day's folder.
func sampleDir(sample int) string {
	if sample == job.NoClient {
		return "sample_id=__HIVE_DEFAULT_PARTITION__"
	}
	return "sample_id=" + strconv.Itoa(sample)
}

// inputsOf is the cache key of a table's input batches.
type inputsOf struct{ table *schema.Table }

// rows runs a task of a table made from main_summary, sample by sample; a table that combines all samples has its rows at
// the end.
func (d *Worker) rows(ctx context.Context, t *schema.Table, task *Task, out *column.Batch, w *partWriter) (job.Result, error) {
	var result job.Result
	mainTable, err := d.table(t.Needs[0])
	if err != nil {
		return result, err
	}
	mainTable.Footers = d.Footers
	m, err := mainTable.Partition(ctx, task.Day)
	if err == nil {
		err = task.same(mainTable.Schema.Name, m.Generation)
	}
	if err != nil {
		return result, err
	}
	paths := mainTable.Paths(ctx, m)
	inputs := schema.Inputs(t, mainTable.Schema)
	transform, err := table.NewRowsOf(t, inputs, task.Day)
	if err != nil {
		return result, err
	}
	in, put := d.spare.take(inputsOf{t}, inputs)
	defer put()
	sample := task.Lo
	looked := 0 // number of rows when the size of the batch was last measured
	write := func(last bool) error {
		looked = 0
		return w.write(out, sample, last)
	}
	row := func() error {
		if out.Rows-looked < sizeRows {
			return nil
		}
		looked = out.Rows
		if err := ctx.Err(); err != nil {
			return err
		}
		if out.Rows < batchRows && out.Size() < batchBytes {
			return nil
		}
		return write(false)
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
		if t.Whole && sample < task.Hi {
			continue
		}
		if err := transform.Flush(out, row); err != nil {
			return result, err
		}
		if err := write(true); err != nil {
			return result, err
		}
	}
	return result, w.close()
}
