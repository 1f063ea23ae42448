package live

import (
	"context"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/table/column"
)

// merging is the rule by which finished files become one: this number of files whose rows are of the same order. So
// each row is written again once an order, and a day has few files.
var merging = struct {
	files     int
	firstRows int64 // up to here files are of the first order, and up to files times as many of the next
	maxRows   int64 // files of more stay as they are
}{8, 4 << 10, 2 << 20}

// order returns the order of a file's rows, -1 if it stays as it is.
func order(f *lake.File) int {
	if !f.IsLive() || f.OpenFor != "" || f.Rows > merging.maxRows {
		return -1
	}
	n := 0
	for most := merging.firstRows; f.Rows > most; most *= int64(merging.files) {
		n++
	}
	return n
}

// mergeable returns files of a partition that are to become one, of the lowest order.
func mergeable(m *lake.Manifest) []lake.File {
	if m == nil {
		return nil
	}
	orders := map[int][]lake.File{}
	for i := range m.Files {
		if n := order(&m.Files[i]); n >= 0 {
			orders[n] = append(orders[n], m.Files[i])
		}
	}
	for n := range 16 {
		if len(orders[n]) >= merging.files {
			return orders[n]
		}
	}
	return nil
}

// merge makes one file of small ones, if there are enough.
func (r *Rows) merge(ctx context.Context, d *day) error {
	if !d.merges {
		return nil
	}
	return r.locked(ctx, d, func(ctx context.Context, base *lake.Manifest) error {
		small := mergeable(base)
		if d.merges = small != nil && !d.over; !d.merges {
			return nil
		}
		c := &change{drops: map[string]bool{}}
		var all samples
		for i := range small {
			c.drops[small[i].Name] = true
			all.addFile(&small[i])
		}
		c.write = func(w *files) error {
			_, err := w.file("", &all, func(out *lake.FileWriter) error { return r.copyRows(ctx, d, base, small, out) })
			return err
		}
		return r.apply(ctx, d, base, c)
	})
}

// copyRows writes the rows of files of a partition.
func (r *Rows) copyRows(ctx context.Context, d *day, base *lake.Manifest, from []lake.File, out *lake.FileWriter) error {
	lt := r.data.TableOf(d.table)
	place, rows := lt.Paths(ctx, base), column.NewBatch(d.table.Columns)
	for _, f := range from {
		if err := lt.Read(ctx, d.unit.Day, place(f.Name), f, rows, func() error { return out.Write(rows) }); err != nil {
			return err
		}
	}
	return nil
}
