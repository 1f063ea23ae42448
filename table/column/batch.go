// Package column holds table rows in shredded form: one leaf per parquet column, with values, definition
// levels and repetition levels of the Dremel encoding. Transforms append to it, parquet writers encode it
// without conversion, readers fill it.
package column

import (
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// Leaf is one primitive column with its levels. Def has one entry per level
// entry unless MaxDef is 0; Rep likewise unless MaxRep is 0. Exactly one of the
// value slices is used, by Kind, and holds the defined values only
// (Def == MaxDef).
type Leaf struct {
	Path      []string    // parquet path: search_counts, list, element, engine
	Column    int         // index of the top-level column
	Kind      schema.Kind // Stored kind of the type: Int of a date
	Precision int
	Scale     int
	MaxDef    int16
	MaxRep    int16
	NullDef   int16 // definition level of a row that does not set the leaf: above 0 in a struct that is always present

	Def      []int16
	Rep      []int16
	Bools    []bool
	Ints     []int32
	Longs    []int64
	Doubles  []float64
	Bytes    [][]byte
	Decimals []Int128

	rows int // rows written so far; the rest up to the batch's rows are null
}

// Batch is a number of rows of one table. It is filled through the Set and
// Append functions or by a reader, finished, written, Reset and used again.
// A nullable column that a row does not set is null there: null rows cost
// nothing until Finish writes their levels in one go.
type Batch struct {
	Columns []schema.Column
	Leaves  []Leaf
	Rows    int

	// MaxText is the longest text, in bytes, that SetBytes and Str take: a longer
	// one is null where it can be, and is counted as left out. 0: no bound.
	MaxText int

	nodes   []*Node
	arena   Arena
	copied  *TextCopies // texts of the column that is copied
	leftOut map[string]int64
}

// NewBatch makes an empty batch. Leaves are in depth-first schema order.
func NewBatch(cols []schema.Column) *Batch {
	b := &Batch{Columns: cols}
	for i := range cols {
		n := b.build(i, cols[i].Type, []string{cols[i].Name}, level{nullable: !cols[i].NotNull})
		b.nodes = append(b.nodes, n)
	}
	return b
}

// Reset forgets all rows and keeps the memory.
func (b *Batch) Reset() {
	for i := range b.Leaves {
		b.Leaves[i].reset()
	}
	b.Rows = 0
	b.arena.Reset()
}

func (l *Leaf) reset() {
	l.Def, l.Rep = l.Def[:0], l.Rep[:0]
	l.Bools, l.Ints, l.Longs, l.Doubles = l.Bools[:0], l.Ints[:0], l.Longs[:0], l.Doubles[:0]
	l.Bytes, l.Decimals = l.Bytes[:0], l.Decimals[:0]
	l.rows = 0
}

// Levels returns the number of level entries: rows, or more in repeated columns.
func (l *Leaf) Levels(rows int) int {
	if l.MaxDef == 0 {
		return rows
	}
	return len(l.Def)
}

// Copy copies p into memory of the batch. The result is valid until Reset.
func (b *Batch) Copy(p []byte) []byte { return b.arena.Copy(p) }

// Arena hands out bytes from large chunks so that a row needs no allocation.
// The zero value is ready.
type Arena struct {
	chunks [][]byte
	used   int // chunks in use
}

const arenaChunk = 256 << 10

// Adopt takes over what an arena has copied: it stays valid until Reset of the batch. The arena is empty then, and has memory
// that the batch does not use instead.
func (b *Batch) Adopt(a *Arena) {
	mine, taken := &b.arena, a.chunks[:a.used]
	free := mine.chunks[mine.used:]
	given := free[:min(len(free), len(taken))]
	a.chunks, a.used = slices.Concat(given, a.chunks[a.used:]), 0
	// The chunk being filled stays the last one in use.
	mine.chunks = slices.Concat(taken, mine.chunks[:mine.used], free[len(given):])
	mine.used += len(taken)
}

// Reset makes the memory of all copies free to use again.
func (a *Arena) Reset() {
	for i := range a.chunks {
		a.chunks[i] = a.chunks[i][:0]
	}
	a.used = 0
}

// Copy copies p; the result is valid until Reset.
func (a *Arena) Copy(p []byte) []byte {
	if len(p) > arenaChunk/4 {
		return append(make([]byte, 0, len(p)), p...)
	}
	if a.used == 0 || cap(a.chunks[a.used-1])-len(a.chunks[a.used-1]) < len(p) {
		if a.used == len(a.chunks) {
			a.chunks = append(a.chunks, make([]byte, 0, arenaChunk))
		}
		a.used++
	}
	c := &a.chunks[a.used-1]
	n := len(*c)
	*c = append(*c, p...)
	return (*c)[n:len(*c):len(*c)]
}
