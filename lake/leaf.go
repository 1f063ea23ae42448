package lake

import (
	"slices"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// values returns the number of defined values of a leaf.
func values(l *column.Leaf) int {
	switch l.Kind {
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

// part returns the rows of src from the given position on, which may be all
// that are left, as a leaf that shares its memory; and the position after them.
func part(src *column.Leaf, at position, rows int, all bool) (column.Leaf, position) {
	end := position{len(src.Def), values(src)}
	if !all {
		end = at.after(src, rows)
	}
	l := *src
	if l.MaxDef > 0 {
		l.Def = src.Def[at.level:end.level]
	}
	if l.MaxRep > 0 {
		l.Rep = src.Rep[at.level:end.level]
	}
	from, to := at.value, end.value
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

// position is a place between two rows of a leaf.
type position struct{ level, value int }

// after is the position a number of rows further on.
func (p position) after(l *column.Leaf, rows int) position {
	end := position{p.level + rows, p.value + rows}
	if l.MaxRep > 0 {
		end.level = p.level + levelsOf(l.Rep[p.level:], rows)
	}
	if l.MaxDef > 0 {
		end.value = p.value + count(l.Def[p.level:end.level], l.MaxDef)
	}
	return end
}

// levelsOf is the number of levels that the first rows take.
func levelsOf(rep []int16, rows int) int {
	for i, r := range rep {
		if r == 0 {
			if rows == 0 {
				return i
			}
			rows--
		}
	}
	return len(rep)
}

func count(levels []int16, want int16) (n int) {
	for _, d := range levels {
		if d == want {
			n++
		}
	}
	return n
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
