package glean

import (
	"iter"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Key returns the path of the client's id in the rows that the table is made from.
func (c *Clients) Key() []string { return c.key }

// Paths returns the paths of all columns and members that the table is made from. Document ids are not among them: rows of a
// table of pings are in their order.
func (c *Clients) Paths() (all [][]string) {
	for _, source := range computedFrom {
		if source.path == documentID {
			continue
		}
		all = append(all, strings.Split(source.path, "/"))
	}
	all = append(all, c.key)
	for i := range c.table.Columns {
		all = append(all, sources(&c.table.Columns[i])...)
	}
	return all
}

// IDs yields the ids of the clients of the rows.
func (c *Clients) IDs(b *column.Batch) iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for _, v := range textsOf(b, c.key...) {
			if id, ok := ParseID(v); ok && !yield(id) {
				return
			}
		}
	}
}

// Retain keeps the rows of clients for whose id in lower case has returns true. It removes rows whose id is no UUID.
func (c *Clients) Retain(b *column.Batch, has func(id []byte) bool) { retain(b, has, c.key...) }

// RetainIDs works like Retain, by ids in binary form.
func (c *Clients) RetainIDs(b *column.Batch, has func(ID) bool) {
	texts := textsOf(b, c.key...)
	b.Retain(func(row int) bool {
		id, ok := ParseID(texts[row])
		return ok && has(id)
	})
}

// RetainText does the same by a text column.
func RetainText(b *column.Batch, name string, has func(text []byte) bool) { retain(b, has, name) }

func retain(b *column.Batch, has func([]byte) bool, path ...string) {
	texts := textsOf(b, path...)
	b.Retain(func(row int) bool {
		_, ok := ParseID(texts[row])
		return ok && has(lower(texts[row]))
	})
}

// Cut returns the number of rows of b before those of the sample of its last row. rows are those before b. Cut returns -1 if
// no sample ends before or in b. The rows are in the order of their samples; those without a client come last.
func (c *Clients) Cut(rows, b *column.Batch) int {
	ids := textsOf(b, c.key...)
	n, last := b.Rows, sampleOf(ids[b.Rows-1])
	for n > 0 && sampleOf(ids[n-1]) == last {
		n--
	}
	if n == 0 && sampleOf(textsOf(rows, c.key...)[rows.Rows-1]) == last {
		return -1
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
