package column

import "github.com/pingmill/pingmill/schema"

// Packed holds the rows of a batch in a few allocations of their exact size. It is immutable and safe for concurrent use.
type Packed struct {
	all Leaf         // the levels and values of all leaves, one leaf after the other
	at  []packedLeaf // by leaf, and one more for the end
}

// packedLeaf is the place of a leaf: the number of levels before it, and of values of its kind.
type packedLeaf struct{ def, rep, value, values int32 }

// Pack copies the rows of a finished batch, of less than 2 GiB.
func Pack(b *Batch) *Packed {
	var n Leaf
	var def, rep, bools, ints, longs, doubles, decimals, texts, bytes int
	for i := range b.Leaves {
		l := &b.Leaves[i]
		def, rep, bools, ints, longs = def+len(l.Def), rep+len(l.Rep), bools+len(l.Bools), ints+len(l.Ints), longs+len(l.Longs)
		doubles, decimals, texts = doubles+len(l.Doubles), decimals+len(l.Decimals), texts+len(l.Bytes)
		for _, v := range l.Bytes {
			bytes += len(v)
		}
	}
	n.Def, n.Rep, n.Bools, n.Ints = make([]int16, 0, def), make([]int16, 0, rep), make([]bool, 0, bools), make([]int32, 0, ints)
	n.Longs, n.Doubles, n.Decimals = make([]int64, 0, longs), make([]float64, 0, doubles), make([]Int128, 0, decimals)
	n.Bytes = make([][]byte, 0, texts)
	text := make([]byte, 0, bytes)
	keep := func(v []byte) []byte {
		from := len(text)
		text = append(text, v...)
		return text[from:len(text):len(text)]
	}
	at := make([]packedLeaf, 0, len(b.Leaves)+1)
	for i := range b.Leaves {
		l := &b.Leaves[i]
		at = append(at, packedLeaf{int32(len(n.Def)), int32(len(n.Rep)), int32(n.ofKind(l.Kind)), int32(l.Values())})
		n.Append(l, keep)
	}
	return &Packed{all: n, at: append(at, packedLeaf{def: int32(len(n.Def)), rep: int32(len(n.Rep))})}
}

// ofKind returns the number of values that a leaf has in the slice of a kind.
func (l *Leaf) ofKind(k schema.Kind) int {
	switch k {
	case schema.Boolean:
		return len(l.Bools)
	case schema.Int:
		return len(l.Ints)
	case schema.Long:
		return len(l.Longs)
	case schema.Double:
		return len(l.Doubles)
	case schema.Decimal:
		return len(l.Decimals)
	default:
		return len(l.Bytes)
	}
}

// Leaf returns a leaf of all rows, which is described by one of a batch of the same columns. It shares the memory of p.
func (p *Packed) Leaf(i int, described *Leaf) Leaf {
	l, at, end := *described, p.at[i], p.at[i+1]
	l.Def, l.Rep = p.all.Def[at.def:end.def], p.all.Rep[at.rep:end.rep]
	from, to := at.value, at.value+at.values
	switch l.Kind {
	case schema.Boolean:
		l.Bools = p.all.Bools[from:to]
	case schema.Int:
		l.Ints = p.all.Ints[from:to]
	case schema.Long:
		l.Longs = p.all.Longs[from:to]
	case schema.Double:
		l.Doubles = p.all.Doubles[from:to]
	case schema.Decimal:
		l.Decimals = p.all.Decimals[from:to]
	default:
		l.Bytes = p.all.Bytes[from:to]
	}
	return l
}
