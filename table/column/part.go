package column

import (
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// Part returns the rows from the given position on, which may be all
// that are left, as a leaf that shares its memory; and the position after them.
func (l *Leaf) Part(at Position, rows int, all bool) (Leaf, Position) {
	end := Position{Level: len(l.Def), Value: l.Values()}
	if !all {
		end = at.After(l, rows)
	}
	return l.Between(at, end), end
}

// Between returns the part of a leaf between two positions; it shares the memory.
func (l *Leaf) Between(at, end Position) Leaf {
	part := *l
	if part.MaxDef > 0 {
		part.Def = l.Def[at.Level:end.Level]
	}
	if part.MaxRep > 0 {
		part.Rep = l.Rep[at.Level:end.Level]
	}
	from, to := at.Value, end.Value
	switch part.Kind {
	case schema.Boolean:
		part.Bools = l.Bools[from:to]
	case schema.Int:
		part.Ints = l.Ints[from:to]
	case schema.Long:
		part.Longs = l.Longs[from:to]
	case schema.Double:
		part.Doubles = l.Doubles[from:to]
	case schema.Decimal:
		part.Decimals = l.Decimals[from:to]
	default:
		part.Bytes = l.Bytes[from:to]
	}
	return part
}

// Like empties a leaf and gives it the description of another one, of the same column or another. It keeps its memory.
func (l *Leaf) Like(other *Leaf) {
	used := *l
	*l = *other
	l.Def, l.Rep, l.Bools, l.Ints, l.Longs = used.Def, used.Rep, used.Bools, used.Ints, used.Longs
	l.Doubles, l.Bytes, l.Decimals = used.Doubles, used.Bytes, used.Decimals
	l.reset()
}

// Append copies src, of the same type, to the end of a leaf of whole rows; texts are kept alive by keep, if it is not nil.
func (l *Leaf) Append(src *Leaf, keep func([]byte) []byte) {
	l.Def = append(l.Def, src.Def...)
	l.Rep = append(l.Rep, src.Rep...)
	switch src.Kind {
	case schema.Boolean:
		l.Bools = append(l.Bools, src.Bools...)
	case schema.Int:
		l.Ints = append(l.Ints, src.Ints...)
	case schema.Long:
		l.Longs = append(l.Longs, src.Longs...)
	case schema.Double:
		l.Doubles = append(l.Doubles, src.Doubles...)
	case schema.Decimal:
		l.Decimals = append(l.Decimals, src.Decimals...)
	default:
		if keep == nil {
			l.Bytes = append(l.Bytes, src.Bytes...)
			return
		}
		l.Bytes = slices.Grow(l.Bytes, len(src.Bytes))
		for _, v := range src.Bytes {
			l.Bytes = append(l.Bytes, keep(v))
		}
	}
}

// AppendValues copies the values of src, of the same type, from one place to another to the end of a leaf, without their
// levels; texts are kept alive by keep.
func (l *Leaf) AppendValues(src *Leaf, from, to int, keep func([]byte) []byte) {
	values := src.Between(Position{Value: from}, Position{Value: to})
	values.Def, values.Rep = nil, nil
	l.Append(&values, keep)
}
