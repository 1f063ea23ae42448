package table

import (
	"slices"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// located is a flat column: the place of each row's value in its leaf.
type located struct {
	leaf *column.Leaf
	at   []int32 // by row; -1: null
	own  []int32 // memory of at
}

// load locates a column, whose values are all null when the batch has no such
// column: load says so.
func (l *located) load(in *input, b *column.Batch, name string) bool {
	l.leaf = in.leaf(b, name)
	if l.leaf != nil && l.leaf.Values() == b.Rows {
		l.at = in.numbers(b.Rows)
		return true
	}
	l.own = slices.Grow(l.own[:0], b.Rows)[:b.Rows]
	l.at = l.own
	if l.leaf == nil {
		for r := range l.at {
			l.at[r] = -1
		}
		return false
	}
	value := int32(0)
	for r, def := range l.leaf.Def[:b.Rows] {
		has := int32(0)
		if def == l.leaf.MaxDef {
			has = 1
		}
		l.at[r] = value&-has | (has - 1)
		value += has
	}
	return true
}

func (l *located) integer(i int32) int64 {
	if l.leaf.Kind == schema.Int {
		return int64(l.leaf.Ints[i])
	}
	return l.leaf.Longs[i]
}

// The values of a leaf of a kind.
func ints(l *column.Leaf) *[]int32      { return &l.Ints }
func longs(l *column.Leaf) *[]int64     { return &l.Longs }
func doubles(l *column.Leaf) *[]float64 { return &l.Doubles }

// resize makes a per-group slice n long; new entries are zero.
func resize[T any](s []T, n int) []T {
	have := len(s)
	if have >= n {
		return s
	}
	s = slices.Grow(s, n-have)[:n]
	clear(s[have:])
	return s
}

// perGroup is a value for each group that has one.
type perGroup[T any] struct {
	vals []T
	has  []bool
}

func (p *perGroup[T]) grow(n int) { p.vals, p.has = resize(p.vals, n), resize(p.has, n) }
func (p *perGroup[T]) reset()     { p.vals, p.has = p.vals[:0], p.has[:0] }

// fold accumulates the non-null values of a column, one after
// the other: null when there are none.
type fold[T any] struct {
	in   *input
	name string
	col  int
	all  func(so *perGroup[T], groups []int32, values []int64) // takes values, each of the group beside it
	to   func(*column.Leaf) *[]T
	loc  located
	perGroup[T]
}

func (m *fold[T]) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	if m.loc.leaf.Values() == 0 {
		return
	}
	in := m.in
	if m.loc.leaf.Kind == schema.Int {
		in.groups, in.values = gather(&m.loc, m.loc.leaf.Ints, entries, in.groups[:0], in.values[:0])
	} else {
		in.groups, in.values = gather(&m.loc, m.loc.leaf.Longs, entries, in.groups[:0], in.values[:0])
	}
	m.all(&m.perGroup, in.groups, in.values)
}

// gather appends the values that are not null, and the group of each.
func gather[V int32 | int64](l *located, column []V, entries []entry, groups []int32, values []int64) ([]int32, []int64) {
	for _, e := range entries {
		if i := l.at[e.row]; i >= 0 {
			groups, values = append(groups, e.group), append(values, int64(column[i]))
		}
	}
	return groups, values
}

func (m *fold[T]) emit(out *column.Batch, from int, groups []int) {
	column.SetRows(out, m.col, from, groups, m.vals, m.has, m.to)
}

// newTotal returns a 64-bit sum.
func newTotal(in *input, name string, col int) *fold[int64] {
	return &fold[int64]{in: in, name: name, col: col, to: longs, all: func(sums *perGroup[int64], groups []int32, values []int64) {
		for i, g := range groups {
			sums.vals[g] += values[i]
			sums.has[g] = true
		}
	}}
}

// newMax returns the largest value.
func newMax(in *input, name string, col int) *fold[int32] {
	return &fold[int32]{in: in, name: name, col: col, to: ints, all: func(sums *perGroup[int32], groups []int32, values []int64) {
		for i, g := range groups {
			if v := int32(values[i]); !sums.has[g] || v > sums.vals[g] {
				sums.vals[g], sums.has[g] = v, true
			}
		}
	}}
}

// newDoubles returns a sum of doubles in input order.
func newDoubles(in *input, name string, col int, convert func(int64) float64) *fold[float64] {
	return &fold[float64]{in: in, name: name, col: col, to: doubles, all: func(sums *perGroup[float64], groups []int32, values []int64) {
		for i, g := range groups {
			sums.vals[g] += convert(values[i])
			sums.has[g] = true
		}
	}}
}

// average is a sum and of how many values; 64 bits are too few for the sum of a
// 64-bit column.
type average struct {
	sum column.Int128
	n   int64
}

// means is the mean of the values, as a double.
type means struct{ *fold[average] }

func newMean(in *input, name string, col int) measure {
	return &means{&fold[average]{in: in, name: name, col: col, all: func(sums *perGroup[average], groups []int32, values []int64) {
		for i, g := range groups {
			a := &sums.vals[g]
			a.sum = a.sum.Add(column.Int128Of(values[i]))
			a.n++
			sums.has[g] = true
		}
	}}}
}

func (m *means) emit(out *column.Batch, from int, groups []int) {
	for i, g := range groups {
		if m.has[g] {
			out.Rows = from + i
			out.SetDouble(m.col, m.vals[g].sum.Float64()/float64(m.vals[g].n))
		}
	}
}

// combined sums a column and another one over the rows that have both.
type combined struct {
	*fold[int64]
	other string
	loc2  located
}

func (m *combined) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) || !m.loc2.load(m.in, b, m.other) {
		return
	}
	groups, values := m.in.groups[:0], m.in.values[:0]
	for _, e := range entries {
		if i, j := m.loc.at[e.row], m.loc2.at[e.row]; i >= 0 && j >= 0 {
			groups, values = append(groups, e.group), append(values, m.loc.integer(i)+m.loc2.integer(j))
		}
	}
	m.in.groups, m.in.values = groups, values
	m.all(&m.perGroup, groups, values)
}

// activeHours returns ticks of five seconds in hours, to eleven decimals.
func activeHours(ticks int64) float64 {
	const scale = 1e11
	whole, rest := ticks/720, ticks%720
	return float64(whole) + float64(roundedQuotient(rest*scale, 720))/scale
}

// roundedQuotient returns a/b rounded half away from zero; b is positive.
func roundedQuotient(a, b int64) int64 {
	q, r := a/b, a%b
	switch {
	case 2*r >= b:
		q++
	case 2*r <= -b:
		q--
	}
	return q
}
