package glean

import (
	"iter"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Key returns the path of the client's id in the rows that the table is made from.
func (c *Clients) Key() []string { return c.key }

// Paths returns the paths of all columns and members that the table is made from.
func (c *Clients) Paths() (all [][]string) {
	for _, source := range computedFrom {
		all = append(all, strings.Split(source.path, "/"))
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
		for _, v := range textsOf(b, c.key...) {
			if isUUID(v) && !yield(lower(v)) {
				return
			}
		}
	}
}

// Retain keeps the rows of clients for whose id in lower case has returns true. It removes rows whose id is no UUID.
func (c *Clients) Retain(b *column.Batch, has func(id []byte) bool) { retain(b, has, c.key...) }

// RetainText does the same by a text column.
func RetainText(b *column.Batch, name string, has func(text []byte) bool) { retain(b, has, name) }

func retain(b *column.Batch, has func([]byte) bool, path ...string) {
	texts := textsOf(b, path...)
	stays := func(row int) bool { return isUUID(texts[row]) && has(lower(texts[row])) }
	for row := range b.Rows {
		if !stays(row) {
			b.Retain(stays)
			return
		}
	}
}

// Complete returns the number of rows before the sample of the last row. The rows are in the order of their samples,
// and each has a client.
func (c *Clients) Complete(b *column.Batch) int {
	ids := textsOf(b, c.key...)
	sample := func(row int) int64 { return ping.SampleOf(lower(ids[row])) }
	n, last := b.Rows, sample(b.Rows-1)
	for n > 0 && sample(n-1) == last {
		n--
	}
	return n
}

// textsOf returns the texts of a column or member by row, nil for null.
func textsOf(b *column.Batch, path ...string) [][]byte {
	b.Finish()
	texts := make([][]byte, b.Rows)
	n := column.Find(b, path...)
	if n == nil || n.Type.Kind != schema.String {
		return texts
	}
	l := &b.Leaves[n.Leaf]
	if l.MaxDef == 0 {
		copy(texts, l.Bytes)
		return texts
	}
	at := 0
	for row, def := range l.Def {
		if def == l.MaxDef {
			texts[row] = l.Bytes[at]
			at++
		}
	}
	return texts
}
