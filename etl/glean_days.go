package etl

import (
	"context"
	"errors"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
	"github.com/pingmill/pingmill/table/glean"
)

// lastSeen makes the rows of clients of a day and of those seen before.
func (r *rowTask) lastSeen(ctx context.Context) (err error) {
	daily := r.sorted(ctx, &r.needs[0])
	none := func() (*column.Batch, error) { return nil, nil }
	previous, gap := &sortedRows{next: none, close: func() error { return nil }}, int32(1)
	if r.before != nil {
		previous = r.sorted(ctx, r.before)
		if before, ok := glean.DayNumber(r.before.m.Day); ok {
			gap = r.day - before
		}
	}
	defer func() { err = errors.Join(err, daily.close(), previous.close()) }()
	return glean.NewLastSeen(r.table, r.day, gap).Merge(r.out, daily.next, previous.next, r.row)
}

// sortedRows reads rows in the order of their clients.
type sortedRows struct {
	next  glean.Next
	close func() error
}

// sorted reads the rows of a partition that belong to the task.
func (r *rowTask) sorted(ctx context.Context, from *made) *sortedRows {
	s := stream(ctx, from.lt, from.m, r.samples, nil)
	s.columns = func([]schema.Column) []schema.Column { return stored(from.lt.Schema) }
	key := r.table.Key()
	return &sortedRows{close: s.close, next: func() (*column.Batch, error) {
		for {
			b, err := s.next(ctx)
			if b == nil || err != nil {
				return nil, err
			}
			r.result.RowsIn += int64(b.Rows)
			if s.cut { // the file has other samples, too
				glean.RetainText(b, key, r.has)
			}
			if b.Rows > 0 {
				return b, nil
			}
		}
	}}
}

// stored returns the columns of a table that its files have: all but the partition keys.
func stored(t *schema.Table) (columns []schema.Column) {
	for _, c := range t.Columns {
		if c.Rule != schema.RulePartition {
			columns = append(columns, c)
		}
	}
	return columns
}

// crashes makes the rows of crashes, one for each minidump.
func (r *rowTask) crashes(ctx context.Context) error {
	from, all := r.needs[0], job.Samples{Lo: 0, Hi: job.NoClient}
	transform := glean.NewCrashes(r.table, r.day)
	paths := [][]string{{"submission_timestamp"}, {"document_id"}, glean.HashPath}
	err := stream(ctx, from.lt, from.m, all, paths).all(ctx, func(b *column.Batch) error {
		transform.Note(b)
		return nil
	})
	if err != nil {
		return err
	}
	days := [2]int32{r.day - int32(r.table.Window), r.day}
	err = r.earlier(ctx, from.lt.Schema, [][]string{glean.HashPath}, all, days, func(b *column.Batch, _ int32) { transform.PastRows(b) })
	if err != nil {
		return err
	}
	return stream(ctx, from.lt, from.m, all, nil).all(ctx, func(b *column.Batch) error {
		r.result.RowsIn += int64(b.Rows)
		return transform.Append(r.out, b, r.row)
	})
}
