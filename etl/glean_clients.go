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

// firstDays holds the first days of clients.
type firstDays map[glean.ID]int32

// first returns the first day of a client by its id.
func (d firstDays) first(id []byte) (int32, bool) {
	key, _ := glean.ParseID(id)
	n := d[key]
	return n, n != unknown
}

// clients makes the rows of clients from rows of pings.
func (r *rowTask) clients(ctx context.Context) error {
	transform := glean.NewClients(r.table)
	day := &glean.Day{Day: r.day}
	var has func(glean.ID) bool // the client has a row; nil: each has one
	if first := r.table.Earlier != ""; first || len(r.needs) > 1 {
		days, err := r.clientIDs(ctx, transform)
		if err == nil && first {
			err = r.findFirst(ctx, r.table, days, r.day)
		} else if err == nil {
			err = r.findFirst(ctx, r.needs[1].lt.Schema, days, r.day+1)
		}
		if err != nil {
			return err
		}
		day.Seen = days.first
		if first { // of clients that were not seen before
			has = func(id glean.ID) bool { return days[id] == unknown }
			day.Seen = func([]byte) (int32, bool) { return r.day, true }
		}
	}
	groups := &clientGroups{transform: transform, whole: r.table.Hashed}
	groups.emit = func(b *column.Batch) error { return transform.AppendRows(r.out, b, day, r.row) }
	err := r.pings(ctx, transform, transform.Paths(), func(b *column.Batch) error {
		if has != nil {
			transform.RetainIDs(b, has)
		}
		if b.Rows == 0 {
			return nil
		}
		return groups.add(b)
	})
	if err != nil {
		return err
	}
	return groups.flush()
}

// pings reads the rows of pings of clients in the task's samples, with the values of some paths. Rows without a client may be among
// them.
func (r *rowTask) pings(ctx context.Context, transform *glean.Clients, paths [][]string, do func(*column.Batch) error) error {
	from, samples := r.needs[0], r.samples
	if r.table.Hashed {
		samples = job.Samples{Lo: 0, Hi: job.NoClient}
	}
	s := stream(ctx, from.lt, from.m, samples, paths)
	return s.all(ctx, func(b *column.Batch) error {
		r.result.RowsIn += int64(b.Rows)
		if s.cut || r.table.Hashed && r.samples != samples {
			transform.Retain(b, r.has)
		}
		if b.Rows == 0 {
			return nil
		}
		return do(b)
	})
}

// clientIDs collects the ids of the clients of the task, with unknown first days.
func (r *rowTask) clientIDs(ctx context.Context, transform *glean.Clients) (firstDays, error) {
	days := firstDays{}
	err := r.pings(ctx, transform, [][]string{transform.Key()}, func(b *column.Batch) error {
		for id := range transform.IDs(b) {
			days[id] = unknown
		}
		return nil
	})
	r.result.RowsIn = 0
	return days, err
}

// findFirst finds the first days of clients in the partitions of a table before a day.
func (r *rowTask) findFirst(ctx context.Context, source *schema.Table, days firstDays, before int32) error {
	return r.earlier(ctx, source, [][]string{{source.Key()}}, r.samples, [2]int32{0, before}, func(b *column.Batch, day int32) {
		for _, text := range b.Leaves[0].Bytes {
			id, ok := glean.ParseID(text)
			if n, is := days[id]; ok && is && n == unknown {
				days[id] = day
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
		g.rows = column.NewBatch(b.Columns)
	}
	cut := -1
	if !g.whole && g.rows.Rows > 0 && g.rows.Rows+b.Rows >= groupRows {
		cut = g.transform.Cut(g.rows, b)
	}
	if cut < 0 {
		column.AppendRows(g.rows, b, 0, b.Rows)
		return nil
	}
	column.AppendRows(g.rows, b, 0, cut)
	if err := g.flush(); err != nil {
		return err
	}
	column.AppendRows(g.rows, b, cut, b.Rows)
	return nil
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
