package column

import (
	"slices"
	"unsafe"

	"github.com/pingmill/pingmill/schema"
)

// Picked lists rows of a batch from which a column of other rows is copied: row from+k of these comes from Rows[k]. A
// negative number, or a Node that is nil, stands for null.
type Picked struct {
	Index *Index
	Node  *Node // outside of lists and maps
	Rows  []int32
}

// Pick sets a node of rows from a number on to values of the same type. A row has the value of the first list that has a row of
// it. The node may be in fewer structs than those that it is copied from. No earlier row may be set afterwards.
func Pick(b *Batch, to *Node, from int, lists ...Picked) {
	flat := true
	for i := range to.Leaves {
		flat = flat && b.Leaves[to.Leaf+i].MaxRep == 0
	}
	if !flat {
		pickNested(b, to, from, lists)
		return
	}
	for i := range to.Leaves {
		pickLeaf(b, to, i, from, lists)
	}
}

// pickNested works like Pick, row by row.
func pickNested(b *Batch, to *Node, from int, lists []Picked) {
	defer func(rows int) { b.Rows = rows }(b.Rows)
	for k := range lists[0].Rows {
		for _, l := range lists {
			if r := l.Rows[k]; r >= 0 {
				b.Rows = from + k
				if l.Node != nil {
					l.Index.CopyNode(b, to, l.Node, int(r))
				}
				break
			}
		}
	}
}

// leafSource is a leaf that values are picked from.
type leafSource struct {
	leaf   *Leaf
	at     []int32 // the first value of each row, and the end
	deeper int16   // levels that the destination does not have
	rows   []int32
}

// pickLeaf copies leaf i of a node.
func pickLeaf(b *Batch, to *Node, i, from int, lists []Picked) {
	var sources [2]leafSource
	usable := sources[:0]
	for _, l := range lists {
		s := leafSource{rows: l.Rows}
		if l.Node != nil {
			x := l.Index
			s.leaf, s.at, s.deeper = &x.b.Leaves[l.Node.Leaf+i], x.Values(l.Node.Leaf+i), l.Node.Def-to.Def
		}
		usable = append(usable, s)
	}
	dst := &b.Leaves[to.Leaf+i]
	dst.pad(from)
	switch dst.Kind {
	case schema.Boolean:
		pick(dst, usable, &dst.Bools, bools, nil)
	case schema.Int:
		pick(dst, usable, &dst.Ints, ints, nil)
	case schema.Long:
		pick(dst, usable, &dst.Longs, longs, nil)
	case schema.Double:
		pick(dst, usable, &dst.Doubles, doubles, nil)
	case schema.Decimal:
		pick(dst, usable, &dst.Decimals, decimals, nil)
	default:
		pick(dst, usable, &dst.Bytes, texts, copies(b).Copy)
	}
	dst.rows = from + len(lists[0].Rows)
}

// The values of a leaf of a kind.
func bools(l *Leaf) []bool      { return l.Bools }
func ints(l *Leaf) []int32      { return l.Ints }
func longs(l *Leaf) []int64     { return l.Longs }
func doubles(l *Leaf) []float64 { return l.Doubles }
func decimals(l *Leaf) []Int128 { return l.Decimals }
func texts(l *Leaf) [][]byte    { return l.Bytes }

// pick appends the levels and values of rows. keep copies a value; nil: it needs no copy.
func pick[T any](dst *Leaf, sources []leafSource, to *[]T, values func(*Leaf) []T, keep func(T) T) {
	var vals [2][]T
	for i := range sources {
		if sources[i].leaf != nil {
			vals[i] = values(sources[i].leaf)
		}
	}
	out, def := *to, dst.Def
	for i := range sources {
		if sources[i].leaf != nil && sources[i].leaf.Values() > 0 {
			out = slices.Grow(out, len(sources[i].rows))
			break
		}
	}
	if dst.MaxDef > 0 {
		def = slices.Grow(def, len(sources[0].rows))
	}
	for k, r := range sources[0].rows {
		i, level := 0, dst.NullDef
		for r < 0 && i+1 < len(sources) {
			i++
			r = sources[i].rows[k]
		}
		if s := &sources[i]; r >= 0 && s.leaf != nil {
			level = dst.MaxDef
			if at := s.at[r]; s.at[r+1] > at {
				v := vals[i][at]
				if keep != nil {
					v = keep(v)
				}
				out = append(out, v)
			} else if s.leaf.MaxDef > 0 {
				level = max(s.leaf.Def[r]-s.deeper, 0)
			}
		}
		if dst.MaxDef > 0 {
			def = append(def, level)
		}
	}
	*to, dst.Def = out, def
}

// SetLongs sets a column of longs in rows from a number on. No earlier row may be set afterwards.
func SetLongs(b *Batch, i, from int, values []int64) {
	l, def := b.nulls(i, from, len(values))
	for k := range def {
		def[k] = l.MaxDef
	}
	l.Longs = append(l.Longs, values...)
}

// SetText sets a text column to one text in n rows from a number on. No earlier row may be set afterwards.
func SetText(b *Batch, i, from, n int, text []byte) {
	l, def := b.nulls(i, from, n)
	for k := range def {
		def[k] = l.MaxDef
	}
	text = b.arena.Copy(text)
	for range n {
		l.Bytes = append(l.Bytes, text)
	}
}

// TextCopies copies texts of a column. Many texts share the memory of a dictionary; few are copied more than once.
type TextCopies struct {
	arena *Arena
	slots [256]struct{ text, copied []byte }
}

// Begin makes the copies of another column in an arena.
func (c *TextCopies) Begin(a *Arena) {
	clear(c.slots[:])
	c.arena = a
}

// Copy returns a copy of a text: the same one as of a text in the same memory.
func (c *TextCopies) Copy(v []byte) []byte {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(v)))
	s := &c.slots[uint8(at^at>>5^at>>11)]
	if unsafe.SliceData(s.text) != unsafe.SliceData(v) || len(s.text) != len(v) || s.copied == nil {
		s.text, s.copied = v, c.arena.Copy(v)
	}
	return s.copied
}

// append appends copies of texts of a column to a list.
func (c *TextCopies) append(to, texts [][]byte) [][]byte {
	to = slices.Grow(to, len(texts))
	var last, copied []byte
	for _, v := range texts {
		if copied == nil || unsafe.SliceData(v) != unsafe.SliceData(last) || len(v) != len(last) {
			last, copied = v, c.Copy(v)
		}
		to = append(to, copied)
	}
	return to
}

// copies begins with the texts of another column.
func copies(b *Batch) *TextCopies {
	if b.copied == nil {
		b.copied = new(TextCopies)
	}
	b.copied.Begin(&b.arena)
	return b.copied
}
