package lake

import (
	"slices"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// part returns the rows of src from the given position on, which may be all
// that are left, as a leaf that shares its memory; and the position after them.
func part(src *column.Leaf, at column.Position, rows int, all bool) (column.Leaf, column.Position) {
	end := column.Position{Level: len(src.Def), Value: src.Values()}
	if !all {
		end = at.After(src, rows)
	}
	l := *src
	if l.MaxDef > 0 {
		l.Def = src.Def[at.Level:end.Level]
	}
	if l.MaxRep > 0 {
		l.Rep = src.Rep[at.Level:end.Level]
	}
	from, to := at.Value, end.Value
	switch l.Kind {
	case schema.Boolean:
		l.Bools = src.Bools[from:to]
	case schema.Int:
		l.Ints = src.Ints[from:to]
	case schema.Long:
		l.Longs = src.Longs[from:to]
	case schema.Double:
		l.Doubles = src.Doubles[from:to]
	case schema.Decimal:
		l.Decimals = src.Decimals[from:to]
	default:
		l.Bytes = src.Bytes[from:to]
	}
	return l, end
}

// appendLeaf copies src to the end of dst; texts are kept alive by keep.
func appendLeaf(dst, src *column.Leaf, keep func([]byte) []byte) {
	dst.Def = append(dst.Def, src.Def...)
	dst.Rep = append(dst.Rep, src.Rep...)
	switch src.Kind {
	case schema.Boolean:
		dst.Bools = append(dst.Bools, src.Bools...)
	case schema.Int:
		dst.Ints = append(dst.Ints, src.Ints...)
	case schema.Long:
		dst.Longs = append(dst.Longs, src.Longs...)
	case schema.Double:
		dst.Doubles = append(dst.Doubles, src.Doubles...)
	case schema.Decimal:
		dst.Decimals = append(dst.Decimals, src.Decimals...)
	default:
		dst.Bytes = slices.Grow(dst.Bytes, len(src.Bytes))
		for _, v := range src.Bytes {
			dst.Bytes = append(dst.Bytes, keep(v))
		}
	}
}
