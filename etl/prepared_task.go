package etl

import (
	"context"
	"errors"
	"iter"
	"log/slog"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// fromPings runs a task of a table made from pings: from prepared rows as far as there are any, and from documents if some of
// these turn out to be damaged. The files have the same bytes in both ways.
func (d *Worker) fromPings(ctx context.Context, t *schema.Table, task *Task, batch *column.Batch, w *partWriter) (job.Result, error) {
	prepared := PreparedRows(t, d.Probes, func(err error) { d.warnPrepared(task, err) })
	result, err := d.pings(ctx, t, task, batch, w, func(day *archive.Day) iter.Seq2[*archive.Ping, error] {
		return day.PreparedPings(ctx, task.Lo, task.Hi, prepared)
	})
	var bad *rowfile.PreparedError
	if !errors.As(err, &bad) || ctx.Err() != nil {
		return result, err
	}
	d.warnPrepared(task, err)
	if err := w.restart(); err != nil {
		return result, err
	}
	batch.Clear()
	return d.pings(ctx, t, task, batch, w, func(day *archive.Day) iter.Seq2[*archive.Ping, error] {
		return day.Pings(ctx, task.Lo, task.Hi)
	})
}

// PreparedRows selects the prepared rows of a table.
func PreparedRows(t *schema.Table, p *schema.Probes, damaged func(error)) *rowfile.Preparations {
	return &rowfile.Preparations{Table: preparedKey(t, p), Damaged: damaged}
}

// readPings reads the pings of a task.
type readPings func(*archive.Day) iter.Seq2[*archive.Ping, error]

func (d *Worker) warnPrepared(task *Task, err error) {
	log := d.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	log.Error("prepared rows are damaged: the documents are read instead", "table", task.Table, "day", task.Day, "error", err)
}
