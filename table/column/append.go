package column

import "slices"

// EndRow completes the row whose columns were set since the last call.
func (b *Batch) EndRow() { b.Rows++ }

// Finish writes the levels of trailing null rows. A batch must be finished
// before its leaves are read; finishing twice does no harm.
func (b *Batch) Finish() {
	for i := range b.Leaves {
		b.Leaves[i].pad(b.Rows)
	}
}

// pad appends null rows up to the given number of rows. Leaves of required
// columns have no levels for nulls: the writer's guard finds their gaps.
func (l *Leaf) pad(rows int) {
	n := rows - l.rows
	if n <= 0 {
		return
	}
	l.rows = rows
	if l.MaxDef > 0 {
		l.Def = filled(l.Def, n, l.NullDef)
	}
	if l.MaxRep > 0 {
		l.Rep = filled(l.Rep, n, 0)
	}
}

// filled appends n levels.
func filled(s []int16, n int, level int16) []int16 {
	s = slices.Grow(s, n)[:len(s)+n]
	if added := s[len(s)-n:]; level == 0 {
		clear(added)
	} else {
		for i := range added {
			added[i] = level
		}
	}
	return s
}

// start readies leaf i for a value of the current row.
func (b *Batch) start(i int) *Leaf {
	l := &b.Leaves[i]
	if l.rows < b.Rows {
		l.pad(b.Rows)
	}
	l.rows = b.Rows + 1
	return l
}

// Start readies all leaves of column i for a nested value of the current row
// and returns the column's node.
func (b *Batch) Start(i int) *Node {
	n := b.nodes[i]
	for j := n.Leaf; j < n.Leaf+n.Leaves; j++ {
		b.start(j)
	}
	return n
}

// StartNode readies the leaves of a node of b, a member of a struct that every row has, for a value of the current row.
func StartNode(b *Batch, n *Node) {
	for j := n.Leaf; j < n.Leaf+n.Leaves; j++ {
		b.start(j)
	}
}

// value readies the leaf of column i, whose values are scalars, for one of the
// current row.
func (b *Batch) value(i int) *Leaf {
	l := b.start(b.nodes[i].Leaf)
	if l.MaxDef > 0 {
		l.Def = append(l.Def, l.MaxDef)
	}
	return l
}

// SetBool sets top-level column i of the current row. The other Set functions
// do the same for their types; a column is set at most once a row.
func (b *Batch) SetBool(i int, v bool) {
	l := b.value(i)
	l.Bools = append(l.Bools, v)
}

// SetInt sets a 32-bit column.
func (b *Batch) SetInt(i int, v int32) {
	l := b.value(i)
	l.Ints = append(l.Ints, v)
}

// SetLong sets a 64-bit column.
func (b *Batch) SetLong(i int, v int64) {
	l := b.value(i)
	l.Longs = append(l.Longs, v)
}

// SetDouble sets a double column.
func (b *Batch) SetDouble(i int, v float64) {
	l := b.value(i)
	l.Doubles = append(l.Doubles, v)
}

// SetDecimal sets a decimal column to v, in units of its scale.
func (b *Batch) SetDecimal(i int, v Int128) {
	l := b.value(i)
	l.Decimals = append(l.Decimals, v)
}

// SetBytes sets a string column to a copy of v.
func (b *Batch) SetBytes(i int, v []byte) {
	if n := b.nodes[i]; n.Nullable && b.tooLong(i, v) {
		return
	}
	b.SetShared(i, b.arena.Copy(v))
}

// SetShared sets a string column to v itself, which must stay unchanged until Reset.
func (b *Batch) SetShared(i int, v []byte) {
	l := b.value(i)
	l.Bytes = append(l.Bytes, v)
}

// SetRows sets top-level column i, of scalars, in some rows from one on: row from+k to vals[rows[k]], or to null if has
// is false. to gives the values of the column's leaf. No earlier row may be set afterwards.
func SetRows[T any](b *Batch, i, from int, rows []int, vals []T, has []bool, to func(*Leaf) *[]T) {
	l, def := b.nulls(i, from, len(rows))
	values := slices.Grow(*to(l), len(rows))
	for k, r := range rows {
		if has[r] {
			values = append(values, vals[r])
			if def != nil {
				def[k] = l.MaxDef
			}
		}
	}
	*to(l) = values
}

// SetTexts is SetRows of a string column, with nil for a text that is not there. The texts are kept as SetKept does.
func (b *Batch) SetTexts(i, from int, rows []int, vals [][]byte) {
	l, def := b.nulls(i, from, len(rows))
	l.Bytes = slices.Grow(l.Bytes, len(rows))
	for k, r := range rows {
		if v := vals[r]; v != nil {
			l.Bytes = append(l.Bytes, v)
			if def != nil {
				def[k] = l.MaxDef
			}
		}
	}
}

// nulls sets column i to null in n rows from one on, and gives its leaf, and the definition levels of these rows if it has
// any.
func (b *Batch) nulls(i, from, n int) (l *Leaf, def []int16) {
	l = &b.Leaves[b.nodes[i].Leaf]
	l.pad(from + n)
	if l.MaxDef > 0 {
		def = l.Def[len(l.Def)-n:]
	}
	return l, def
}

// Null writes a null at node n, whose first entry repeats at level rep.
func (b *Batch) Null(n *Node, rep int16) { b.absent(n, n.Def-1, rep) }

// Empty writes an array or map without elements.
func (b *Batch) Empty(n *Node, rep int16) { b.absent(n, n.Def, rep) }

func (b *Batch) absent(n *Node, def, rep int16) {
	for i := n.Leaf; i < n.Leaf+n.Leaves; i++ {
		b.Leaves[i].levels(def, rep)
	}
}

func (l *Leaf) levels(def, rep int16) {
	if l.MaxDef > 0 {
		l.Def = append(l.Def, def)
	}
	if l.MaxRep > 0 {
		l.Rep = append(l.Rep, rep)
	}
}

// ElemRep returns the repetition level of element i of array or map n that itself is at level rep.
func (n *Node) ElemRep(i int, rep int16) int16 {
	if i == 0 {
		return rep
	}
	return n.Rep + 1
}

// nested readies the leaf of scalar node n for a value that repeats at level rep.
func (b *Batch) nested(n *Node, rep int16) *Leaf {
	l := &b.Leaves[n.Leaf]
	l.levels(l.MaxDef, rep)
	return l
}

// Bool writes a value at scalar node n, repeating at level rep. The following
// functions do the same for their types.
func (b *Batch) Bool(n *Node, rep int16, v bool) {
	l := b.nested(n, rep)
	l.Bools = append(l.Bools, v)
}

// Int writes a 32-bit value.
func (b *Batch) Int(n *Node, rep int16, v int32) {
	l := b.nested(n, rep)
	l.Ints = append(l.Ints, v)
}

// Long writes a 64-bit value.
func (b *Batch) Long(n *Node, rep int16, v int64) {
	l := b.nested(n, rep)
	l.Longs = append(l.Longs, v)
}

// Double writes a double value.
func (b *Batch) Double(n *Node, rep int16, v float64) {
	l := b.nested(n, rep)
	l.Doubles = append(l.Doubles, v)
}

// Decimal writes a decimal value in units of its scale.
func (b *Batch) Decimal(n *Node, rep int16, v Int128) {
	l := b.nested(n, rep)
	l.Decimals = append(l.Decimals, v)
}

// Str writes a copy of a string value.
func (b *Batch) Str(n *Node, rep int16, v []byte) {
	if n.Nullable && b.tooLong(b.Leaves[n.Leaf].Column, v) {
		b.Null(n, rep)
		return
	}
	b.StrShared(n, rep, b.arena.Copy(v))
}

// StrShared writes a string value that stays unchanged until Reset.
func (b *Batch) StrShared(n *Node, rep int16, v []byte) {
	l := b.nested(n, rep)
	l.Bytes = append(l.Bytes, v)
}

// Filled records that a reader has filled the leaves with levels of the given number of rows.
func (b *Batch) Filled(rows int) {
	b.Rows = rows
	for i := range b.Leaves {
		b.Leaves[i].rows = rows
	}
}
