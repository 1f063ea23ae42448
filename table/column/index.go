package column

import (
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// Index finds the values of single rows of a finished batch. The zero value is ready for Reset.
type Index struct {
	b     *Batch
	level [][]int32 // by leaf that repeats: the first level entry of each row, and the end
	value [][]int32 // by leaf: the first value of each row, and the end; nil: not yet looked at
	own   [][]int32 // by leaf: memory of value
	ramp  []int32   // 0, 1, and so on
	zeros []int32
}

// NewIndex returns an index of b, which must not change while the index is used.
func NewIndex(b *Batch) *Index {
	x := new(Index)
	x.Reset(b)
	return x
}

// Reset makes x the index of another batch.
func (x *Index) Reset(b *Batch) {
	b.Finish()
	x.b = b
	for len(x.value) < len(b.Leaves) {
		x.level, x.value, x.own = append(x.level, nil), append(x.value, nil), append(x.own, nil)
	}
	clear(x.value)
}

// Values returns the place of the first value of each row in a leaf, and the end.
func (x *Index) Values(leaf int) []int32 {
	if x.value[leaf] == nil {
		x.value[leaf] = x.find(leaf)
	}
	return x.value[leaf]
}

func (x *Index) find(i int) []int32 {
	l, rows := &x.b.Leaves[i], x.b.Rows
	if l.MaxRep == 0 {
		switch n := l.Values(); {
		case l.MaxDef == 0 || n == rows:
			for row := len(x.ramp); row <= rows; row++ {
				x.ramp = append(x.ramp, int32(row))
			}
			return x.ramp
		case n == 0:
			if len(x.zeros) <= rows {
				x.zeros = make([]int32, rows+1)
			}
			return x.zeros
		}
	}
	values, n := slices.Grow(x.own[i][:0], rows+1), int32(0)
	x.level[i] = x.level[i][:0]
	for at, def := range l.Def {
		if l.MaxRep == 0 || l.Rep[at] == 0 {
			values = append(values, n)
			if l.MaxRep > 0 {
				x.level[i] = append(x.level[i], int32(at))
			}
		}
		if def == l.MaxDef {
			n++
		}
	}
	x.level[i] = append(x.level[i], int32(len(l.Def)))
	x.own[i] = append(values, n)
	return x.own[i]
}

// Rows returns the number of rows.
func (x *Index) Rows() int { return x.b.Rows }

// Has returns the position of the value of a leaf outside of lists and maps in a row, or false if it is null.
func (x *Index) Has(leaf, row int) (at int, ok bool) {
	v := x.Values(leaf)
	return int(v[row]), v[row+1] > v[row]
}

// PresentAt reports whether a node outside of lists and maps is not null in a row.
func (x *Index) PresentAt(n *Node, row int) bool {
	l := &x.b.Leaves[n.Leaf]
	if l.MaxDef == 0 {
		return true
	}
	if l.MaxRep > 0 {
		x.Values(n.Leaf)
		return l.Def[x.level[n.Leaf][row]] >= n.Def
	}
	return l.Def[row] >= n.Def
}

// Copy sets column to of the current row of out to column from of a row. Both have the same type.
func (x *Index) Copy(out *Batch, to, from, row int) {
	x.CopyNode(out, out.nodes[to], x.b.nodes[from], row)
}

// CopyNode copies a node outside of lists and maps to one of the same type, which may be in fewer structs.
func (x *Index) CopyNode(out *Batch, to, from *Node, row int) {
	deeper := from.Def - to.Def
	for k := range from.Leaves {
		dst, i := out.start(to.Leaf+k), from.Leaf+k
		part := x.part(i, row)
		had := len(dst.Def)
		dst.Append(&part, out.arena.Copy)
		for j := range dst.Def[had:] {
			dst.Def[had+j] = max(dst.Def[had+j]-deeper, 0)
		}
		if dst.MaxDef > 0 && x.b.Leaves[i].MaxDef == 0 { // required there, and not here
			dst.Def = append(dst.Def, dst.MaxDef)
		}
		if dst.MaxDef == 0 { // the other way round
			dst.Def = dst.Def[:0]
		}
	}
}

// part returns what a leaf has of a row.
func (x *Index) part(i, row int) Leaf {
	l, v := &x.b.Leaves[i], x.Values(i)
	from, to := Position{Level: row, Value: int(v[row])}, Position{Level: row + 1, Value: int(v[row+1])}
	if l.MaxRep > 0 {
		from.Level, to.Level = int(x.level[i][row]), int(x.level[i][row+1])
	}
	return l.Between(from, to)
}

// AppendRows appends to b the rows from one to another of a batch with the same columns.
func AppendRows(b, src *Batch, from, to int) {
	b.Finish()
	src.Finish()
	for i := range b.Leaves {
		l, part := &b.Leaves[i], src.Leaves[i]
		if from > 0 || to < src.Rows {
			begin := Position{}.After(&part, from)
			part = part.Between(begin, begin.After(&part, to-from))
		}
		if texts := part.Bytes; len(texts) > 0 {
			l.Bytes, part.Bytes = copies(b).append(l.Bytes, texts), nil
		}
		l.Append(&part, nil)
		l.rows = b.Rows + to - from
	}
	b.Rows += to - from
}

// Find returns the node of a member by its path, from a column's name on, or nil.
func Find(b *Batch, path ...string) *Node {
	i := slices.IndexFunc(b.Columns, func(c schema.Column) bool { return c.Name == path[0] })
	if i < 0 {
		return nil
	}
	n := b.nodes[i]
	for _, name := range path[1:] {
		at := slices.Index(n.FieldNames, name)
		if at < 0 {
			return nil
		}
		n = n.Fields[at]
	}
	return n
}
