package etl

import (
	"context"
	"fmt"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	definitions "github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
	"github.com/pingmill/pingmill/table/glean"
)

// fromRows runs a task of a table that is made from rows of Glean tables.
func (d *Worker) fromRows(ctx context.Context, t *schema.Table, task *Task, out *column.Batch, w *partWriter) (job.Result, error) {
	r := &rowTask{Worker: d, table: t, task: task, out: out, file: w, samples: job.Samples{Lo: task.Lo, Hi: task.Hi}}
	day, ok := glean.DayNumber(task.Day)
	if !ok {
		return r.result, fmt.Errorf("day %q: want YYYYMMDD", task.Day)
	}
	r.day = day
	err := r.open(ctx)
	if err == nil {
		switch {
		case t.Made == definitions.MadeCrashes:
			err = r.crashes(ctx)
		case t.Previous:
			err = r.lastSeen(ctx)
		default:
			err = r.clients(ctx)
		}
	}
	if err == nil {
		err = w.write(out, w.lo, true)
	}
	if err != nil {
		return r.result, err
	}
	return r.result, w.close()
}

// rowTask is a task that makes rows from rows.
type rowTask struct {
	*Worker

	table   *schema.Table
	task    *Task
	day     int32
	samples job.Samples
	needs   []made
	before  *made // the table's own partition of an earlier day; nil: none
	out     *column.Batch
	looked  int // number of rows when the size of out was last measured
	file    *partWriter
	result  job.Result
}

// made is a published partition that rows are made from.
type made struct {
	lt *lake.Table
	m  *lake.Manifest
}

// open finds the partitions that the task was planned for.
func (r *rowTask) open(ctx context.Context) error {
	for _, name := range r.table.Needs {
		lt, err := r.lake(name)
		if err != nil {
			return err
		}
		m, err := lt.Partition(ctx, r.task.Day)
		if err != nil {
			return err
		}
		in := origin.InputOf(r.table, lt.Schema, m)
		if err := r.task.same(in.Name, in.Generation); err != nil {
			return err
		}
		r.needs = append(r.needs, made{lt, m})
	}
	for _, in := range r.task.Inputs {
		day := origin.EarlierDay(r.table, in.Name)
		if day == "" {
			continue
		}
		lt, err := r.lake(r.table.Name)
		if err != nil {
			return err
		}
		m, err := lt.Partition(ctx, day)
		if err != nil {
			return err
		}
		if err := r.task.same(in.Name, origin.State(r.table, m)); err != nil {
			return err
		}
		r.before = &made{lt, m}
	}
	return nil
}

func (r *rowTask) lake(name string) (*lake.Table, error) {
	lt, err := r.Worker.table(name)
	if err == nil {
		lt.Footers = r.Footers
	}
	return lt, err
}

// row passes the rows on that were made if there are many.
func (r *rowTask) row() error {
	if r.out.Rows < batchRows && r.out.Rows-r.looked < sizeRows {
		return nil
	}
	if r.looked = r.out.Rows; r.out.Rows < batchRows && r.out.Size() < batchBytes {
		return nil
	}
	r.looked = 0
	return r.file.write(r.out, r.file.lo, false)
}

// has reports whether a client is in one of the task's samples.
func (r *rowTask) has(id []byte) bool {
	n := int(ping.SampleOf(id))
	return r.samples.Lo <= n && n <= r.samples.Hi
}
