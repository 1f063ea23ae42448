package etl

import (
	"context"
	"errors"
	"io/fs"
	"math"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
	"github.com/pingmill/pingmill/table/glean"
)

// unknown is the first day of a client that has none.
const unknown = math.MinInt32

// clients makes the rows of clients from rows of pings.
func (r *rowTask) clients(ctx context.Context) error {
	transform := glean.NewClients(r.table)
	day := &glean.Day{Day: r.day}
	first := r.table.Earlier != "" // of clients that were not seen before
	if first || len(r.needs) > 1 {
		days, err := r.clientIDs(ctx, transform)
		if err == nil && first {
			err = r.firstDays(ctx, r.table, days, r.day)
		} else if err == nil {
			err = r.firstDays(ctx, r.needs[1].lt.Schema, days, r.day+1)
		}
		if err != nil {
			return err
		}
		day.Seen = func(id []byte) (int32, bool) { n := days[string(id)]; return n, n != unknown }
		if first {
			day.Skip = func(id []byte) bool { return days[string(id)] != unknown }
			day.Seen = func([]byte) (int32, bool) { return r.day, true }
		}
	}
	groups := &clientGroups{transform: transform, whole: r.table.Hashed, emit: func(b *column.Batch) error { return transform.AppendRows(r.out, b, day, r.row) }}
	err := r.pings(ctx, transform, transform.Paths(), groups.add)
	if err != nil {
		return err
	}
	return groups.flush()
}

// pings reads the rows of pings of clients in the task's samples, with the values of some paths.
func (r *rowTask) pings(ctx context.Context, transform *glean.Clients, paths [][]string, do func(*column.Batch) error) error {
	from, samples := r.needs[0], r.samples
	if r.table.Hashed {
		samples = job.Samples{Lo: 0, Hi: job.NoClient}
	}
	return stream(ctx, from.lt, from.m, samples, paths).all(ctx, func(b *column.Batch) error {
		r.result.RowsIn += int64(b.Rows)
		transform.Retain(b, r.has)
		if b.Rows == 0 {
			return nil
		}
		return do(b)
	})
}

// clientIDs collects the ids of the clients of the task, with unknown first days.
func (r *rowTask) clientIDs(ctx context.Context, transform *glean.Clients) (map[string]int32, error) {
	days := map[string]int32{}
	err := r.pings(ctx, transform, [][]string{transform.Key()}, func(b *column.Batch) error {
		for id := range transform.IDs(b) {
			if _, ok := days[string(id)]; !ok {
				days[string(id)] = unknown
			}
		}
		return nil
	})
	r.result.RowsIn = 0
	return days, err
}

// firstDays finds the first days of clients in the partitions of a table before a day.
func (r *rowTask) firstDays(ctx context.Context, source *schema.Table, days map[string]int32, before int32) error {
	return r.earlier(ctx, source, [][]string{{source.Key()}}, r.samples, [2]int32{0, before}, func(b *column.Batch, day int32) {
		for _, id := range b.Leaves[0].Bytes {
			if n, ok := days[string(id)]; ok && n == unknown {
				days[string(id)] = day
			}
		}
	})
}

// earlier reads paths of the partitions of a table, from a day on and before another one.
func (r *rowTask) earlier(
	ctx context.Context, source *schema.Table, paths [][]string, samples job.Samples, days [2]int32, do func(b *column.Batch, day int32),
) error {
	lt, err := r.lake(source.Name)
	if err != nil {
		return err
	}
	all, err := lt.Days(ctx)
	if err != nil {
		return err
	}
	for _, d := range all {
		n, ok := glean.DayNumber(d)
		if !ok || n < days[0] || n >= days[1] {
			continue
		}
		m, err := lt.Partition(ctx, d)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = stream(ctx, lt, m, samples, paths).all(ctx, func(b *column.Batch) error {
			do(b, n)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// clientGroups collects the rows of pings until all rows of some samples are there.
type clientGroups struct {
	transform *glean.Clients
	whole     bool // rows of a sample may be anywhere
	emit      func(*column.Batch) error
	rows      *column.Batch // of samples that may have more rows
	spare     *column.Batch
}

// add takes rows, which are in the order of their samples unless these are hashes.
func (g *clientGroups) add(b *column.Batch) error {
	if g.rows != nil && !sameColumns(g.rows.Columns, b.Columns) { // another file
		if err := g.flush(); err != nil {
			return err
		}
		g.rows = nil
	}
	if g.rows == nil {
		g.rows, g.spare = column.NewBatch(b.Columns), column.NewBatch(b.Columns)
	}
	column.AppendRows(g.rows, b)
	if g.whole || g.rows.Rows < groupRows {
		return nil
	}
	cut := g.transform.Complete(g.rows)
	if cut == 0 {
		return nil
	}
	g.spare.Reset()
	column.AppendRows(g.spare, g.rows)
	g.spare.Retain(func(row int) bool { return row >= cut })
	g.rows.Retain(func(row int) bool { return row < cut })
	err := g.emit(g.rows)
	g.rows.Reset()
	g.rows, g.spare = g.spare, g.rows
	return err
}

// groupRows is the number of rows of pings from which on those of complete samples are used.
const groupRows = 4 * streamRows

// flush uses all rows.
func (g *clientGroups) flush() error {
	if g.rows == nil || g.rows.Rows == 0 {
		return nil
	}
	err := g.emit(g.rows)
	g.rows.Reset()
	return err
}
