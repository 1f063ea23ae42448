package table

import (
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// located is a flat column: the place of each row's value in its leaf.
type located struct {
	leaf *column.Leaf
	at   []int32
}

// load locates a column, whose values are all null when the batch has no such
// column: load says so.
func (l *located) load(in *input, b *column.Batch, name string) bool {
	l.leaf = in.leaf(b, name)
	l.at = in.locate(b, name, l.at[:0])
	return l.leaf != nil
}

func (l *located) integer(i int32) int64 {
	if l.leaf.Kind == schema.Int {
		return int64(l.leaf.Ints[i])
	}
	return l.leaf.Longs[i]
}

// resize makes a per-group slice n long; new entries are zero.
func resize[T any](s []T, n int) []T {
	for len(s) < n {
		var zero T
		s = append(s, zero)
	}
	return s
}

// perGroup is a value for each group that has one.
type perGroup[T any] struct {
	vals []T
	has  []bool
}

func (p *perGroup[T]) grow(n int) { p.vals, p.has = resize(p.vals, n), resize(p.has, n) }
func (p *perGroup[T]) reset()     { p.vals, p.has = p.vals[:0], p.has[:0] }

// fold is what a function makes of the non-null values of a column, one after
// the other: null when there are none.
type fold[T any] struct {
	in   *input
	name string
	col  int
	next func(so T, first bool, v int64) T
	set  func(out *column.Batch, col int, v T)
	loc  located
	perGroup[T]
}

func (m *fold[T]) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			m.take(e.group, m.loc.integer(i))
		}
	}
}

func (m *fold[T]) take(group int32, v int64) {
	m.vals[group], m.has[group] = m.next(m.vals[group], !m.has[group], v), true
}

func (m *fold[T]) emit(out *column.Batch, g int) {
	if m.has[g] {
		m.set(out, m.col, m.vals[g])
	}
}

// newTotal is a 64-bit sum.
func newTotal(in *input, name string, col int) *fold[int64] {
	return &fold[int64]{in: in, name: name, col: col, set: (*column.Batch).SetLong,
		next: func(so int64, _ bool, v int64) int64 { return so + v }}
}

// newMax is the largest value.
func newMax(in *input, name string, col int) *fold[int32] {
	return &fold[int32]{in: in, name: name, col: col, set: (*column.Batch).SetInt,
		next: func(so int32, first bool, v int64) int32 {
			if first {
				return int32(v)
			}
			return max(so, int32(v))
		}}
}

// newDoubles is a sum of doubles in input order.
func newDoubles(in *input, name string, col int, of func(int64) float64) *fold[float64] {
	return &fold[float64]{in: in, name: name, col: col, set: (*column.Batch).SetDouble,
		next: func(so float64, _ bool, v int64) float64 { return so + of(v) }}
}

// average is a sum and of how many values; 64 bits are too few for the sum of a
// 64-bit column.
type average struct {
	sum column.Int128
	n   int64
}

// newMean is the mean of the values, as a double.
func newMean(in *input, name string, col int) *fold[average] {
	return &fold[average]{in: in, name: name, col: col,
		next: func(so average, _ bool, v int64) average { return average{so.sum.Add(column.Int128Of(v)), so.n + 1} },
		set: func(out *column.Batch, col int, m average) {
			out.SetDouble(col, m.sum.Float64()/float64(m.n))
		}}
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
	for _, e := range entries {
		if i, j := m.loc.at[e.row], m.loc2.at[e.row]; i >= 0 && j >= 0 {
			m.take(e.group, m.loc.integer(i)+m.loc2.integer(j))
		}
	}
}

// activeHours is ticks of five seconds in hours, to eleven decimals.
func activeHours(ticks int64) float64 {
	const scale = 1e11
	whole, rest := ticks/720, ticks%720
	return float64(whole) + float64(roundedQuotient(rest*scale, 720))/scale
}

// roundedQuotient is a/b rounded half away from zero; b is positive.
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
