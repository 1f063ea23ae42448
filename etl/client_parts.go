package etl

import (
	"context"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// Sizes of the files with pings for snapshots. Each run of sorted rows has partRows rows or partBytes bytes at most. The
// row groups are small, because a task reads those of its clients only.
const (
	partRows      = 16_384
	partBytes     = 48 << 20
	partGroupRows = 64
)

// partsOf runs a task of a table with the pings for snapshots: it reads the samples that are wanted, and sorts the rows of
// each run.
func (d *Worker) partsOf(ctx context.Context, t *schema.Table, task *Task, batch *column.Batch, w *partWriter) (result job.Result,
	err error) {
	day, err := d.dayOf(ctx, t, task)
	if day == nil || err != nil {
		return result, err
	}
	w.options.RowGroupRows = partGroupRows
	transform := NewPingRows(t, d.Probes, d.Log)
	write := func() error {
		table.SortParts(batch)
		return w.write(batch, task.Lo, false)
	}
	read := 0
	for _, sample := range t.Snapshots.Samples {
		if sample < task.Lo || sample > task.Hi {
			continue
		}
		for p, err := range day.Pings(ctx, sample, sample) {
			if err != nil {
				return result, err
			}
			result.RowsIn++
			if read += len(p.Body); batch.Rows == partRows || read > sizeBytes && batch.Size() > partBytes {
				if err := write(); err != nil {
					return result, err
				}
			}
			if read > sizeBytes {
				read = 0
			}
			if t.Takes(&p.Meta) && !transform.Append(batch, &p.Meta, p.Body) {
				result.Rejected++
			}
		}
	}
	if err := write(); err != nil {
		return result, err
	}
	return result, w.close()
}
