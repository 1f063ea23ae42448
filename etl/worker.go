package etl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// batchRows is how many rows are handed from a transform to a file at a time: a
// row group, which the file then writes without keeping a copy.
var batchRows = lake.Laptop().RowGroupRows

// batchBytes is the size of a batch from which on fewer rows are handed on. It is
// looked at after sizeBytes of pings, or sizeRows rows made from other rows.
const (
	batchBytes = 32 << 20
	sizeBytes  = 4 << 20
	sizeRows   = 500
)

// Task describes the work on a range of samples of a partition: a Worker needs nothing else to do it.
type Task struct {
	job.Task

	Generation  string      // of the partition, which the files become part of
	Inputs      []job.Input // that it is made from, as they were when it was planned
	Definitions string      // of the table, see Definitions
	Options     lake.WriterOptions
	Server      string // that makes it by itself, where several share the lake; "" otherwise
}

// same makes sure that what is about to be read is what the task was planned for; the error matches ErrPlanAgain.
func (t *Task) same(name, generation string) error {
	if slices.Contains(t.Inputs, job.Input{Name: name, Generation: generation}) {
		return nil
	}
	return fmt.Errorf("%s of %s has changed since the task was planned: %w", name, t.Day, ErrPlanAgain)
}

// Worker does tasks. It has the buckets of an installation and the definitions of its tables: no ledger, no locks,
// no folder of its own.
type Worker struct {
	Archive store.Bucket
	Roots   map[schema.Root]store.Bucket
	Tables  []*schema.Table
	Probes  *schema.Probes
	Footers *lake.Footers // of the files that its tasks read, and rows of those that they write; nil: none are kept
	Log     *slog.Logger  // of pings that a transform panics over; nil: nowhere

	spare spare
}

// table returns the named table of the lake.
func (d *Worker) table(name string) (*lake.Table, error) {
	t, err := schema.Find(d.Tables, name)
	if err != nil {
		return nil, err
	}
	return lake.Open(d.Roots[t.Root], t), nil
}

// Do makes the files of a task, and when they are complete its checkpoint.
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
	w := &partWriter{table: t, generation: g, options: task.Options, footers: d.Footers, lo: task.Lo, hi: task.Hi}
	out, put := d.spare.take(t, t.Columns)
	var result job.Result
	if t.DocType != "" {
		result, err = d.pings(ctx, t, &task, out, w)
	} else {
		result, err = d.rows(ctx, t, &task, out, w)
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

// pings runs a task of a table made from pings.
func (d *Worker) pings(ctx context.Context, t *schema.Table, task *Task, batch *column.Batch, w *partWriter) (job.Result, error) {
	var result job.Result
	day, err := archive.OpenDay(ctx, d.Archive, ping.Day(task.Day), t.Kind())
	if errors.Is(err, fs.ErrNotExist) {
		return result, task.same(t.Source(), NoPingsState) // a day with other pings only
	}
	if err == nil {
		err = task.same(t.Source(), day.Generation())
	}
	if err != nil {
		return result, err
	}
	transform := NewPingRows(t, d.Probes, d.Log)
	sampled := len(t.PartitionKeys) > 1
	sample := task.Lo
	read := 0 // bytes since the size of the batch was looked at
	for p, err := range day.Pings(ctx, task.Lo, task.Hi) {
		if err != nil {
			return result, err
		}
		result.RowsIn++
		large := false
		if read += len(p.Body); read > sizeBytes {
			read, large = 0, batch.Size() > batchBytes
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
		if !transform.Append(batch, &p.Meta, p.Body) {
			result.Rejected++
		}
	}
	if err := w.write(batch, sample, true); err != nil {
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

// inputsOf is the key of batches of what a table is made from.
type inputsOf struct{ table *schema.Table }

// rows runs a task of a table made from main_summary, sample by sample.
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
	transform, err := table.NewRows(t, inputs)
	if err != nil {
		return result, err
	}
	in, put := d.spare.take(inputsOf{t}, inputs)
	defer put()
	sample := task.Lo
	looked := 0 // how many rows there were when the size of the batch was looked at
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
		if err := transform.Flush(out, row); err != nil {
			return result, err
		}
		if err := write(true); err != nil {
			return result, err
		}
	}
	return result, w.close()
}
