package glean

import (
	"iter"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// Key returns the path of the client's id in the rows that the table is made from.
func (c *Clients) Key() []string { return c.key }

// Paths returns the paths of all columns and members that the table is made from.
func (c *Clients) Paths() (all [][]string) {
	for _, of := range computedFrom {
		all = append(all, strings.Split(of.path, "/"))
	}
	all = append(all, c.key)
	for i := range c.table.Columns {
		all = append(all, sources(&c.table.Columns[i])...)
	}
	return all
}

// IDs yields the ids of the clients of the rows, in lower case.
func (c *Clients) IDs(b *column.Batch) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		id := newRows(b).text(c.key...)
		for row := range b.Rows {
			if v := id.of(row); len(v) > 0 && !yield(lower(v)) {
				return
			}
		}
	}
}

// Retain removes the rows of clients, in lower case, of which has says no, and those without a client.
func (c *Clients) Retain(b *column.Batch, has func(id []byte) bool) {
	retain(b, newRows(b).text(c.key...), has)
}

// RetainText does the same by a text column.
func RetainText(b *column.Batch, name string, has func(text []byte) bool) {
	retain(b, newRows(b).text(name), has)
}

func retain(b *column.Batch, id text, has func([]byte) bool) {
	b.Retain(func(row int) bool {
		v := id.of(row)
		return len(v) > 0 && has(lower(v))
	})
}

// Complete returns the number of rows before those of the sample of the last row. The rows are in the order of their samples,
// and each has a client.
func (c *Clients) Complete(b *column.Batch) int {
	id := newRows(b).text(c.key...)
	sample := func(row int) int64 { return ping.SampleOf(lower(id.of(row))) }
	n := b.Rows
	for n > 0 && sample(n-1) == sample(b.Rows-1) {
		n--
	}
	return n
}
