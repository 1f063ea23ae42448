package column

import (
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// Index finds the values of single rows of a finished batch.
type Index struct {
	b     *Batch
	level [][]int32 // by leaf that repeats: the first level entry of each row, and the end
	value [][]int32 // by leaf: the first value of each row, and the end
}

// NewIndex returns an index of b, which must not change while the index is used.
func NewIndex(b *Batch) *Index {
	b.Finish()
	x := &Index{b: b, level: make([][]int32, len(b.Leaves)), value: make([][]int32, len(b.Leaves))}
	for i := range b.Leaves {
		x.add(i)
	}
	return x
}

func (x *Index) add(i int) {
	l := &x.b.Leaves[i]
	values := make([]int32, 0, x.b.Rows+1)
	if l.MaxDef == 0 && l.MaxRep == 0 {
		for row := range x.b.Rows + 1 {
			values = append(values, int32(row))
		}
		x.value[i] = values
		return
	}
	n := int32(0)
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
	x.value[i] = append(values, n)
	x.level[i] = append(x.level[i], int32(len(l.Def)))
}

// Rows returns the number of rows.
func (x *Index) Rows() int { return x.b.Rows }

// Batch returns the batch of the index.
func (x *Index) Batch() *Batch { return x.b }

// Has returns the position of the value of a leaf outside of lists and maps in a row, or false if it is null.
func (x *Index) Has(leaf, row int) (at int, ok bool) {
	v := x.value[leaf]
	return int(v[row]), v[row+1] > v[row]
}

// Present reports whether column i of a row is not null.
func (x *Index) Present(i, row int) bool { return x.PresentAt(x.b.nodes[i], row) }

// PresentAt reports whether a node outside of lists and maps is not null in a row.
func (x *Index) PresentAt(n *Node, row int) bool {
	l := &x.b.Leaves[n.Leaf]
	if l.MaxDef == 0 {
		return true
	}
	if l.MaxRep > 0 {
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
	l, v := &x.b.Leaves[i], x.value[i]
	from, to := Position{Level: row, Value: int(v[row])}, Position{Level: row + 1, Value: int(v[row+1])}
	if l.MaxRep > 0 {
		from.Level, to.Level = int(x.level[i][row]), int(x.level[i][row+1])
	}
	return l.Between(from, to)
}

// AppendRows appends to b all rows of a batch with the same columns.
func AppendRows(b, src *Batch) {
	b.Finish()
	src.Finish()
	for i := range b.Leaves {
		l := &b.Leaves[i]
		l.Append(&src.Leaves[i], b.arena.Copy)
		l.rows = b.Rows + src.Rows
	}
	b.Rows += src.Rows
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
