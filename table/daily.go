package table

import (
	"strings"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// entry is one row that takes part in an aggregation: an input row and the
// group it belongs to.
type entry struct{ row, group int32 }

// measure aggregates one or more output columns over the entries of groups.
type measure interface {
	grow(groups int)
	add(in *column.Batch, entries []entry)
	emit(out *column.Batch, group int)
	reset()
}

// newMeasure makes the measure of a column by its rule; nil when another
// column's measure emits it or the table computes it itself.
func newMeasure(in *input, cols []schema.Column, i int) measure {
	c := &cols[i]
	switch c.Rule {
	case schema.RuleFirst:
		return newFirst(in, c.Source, i, c.Type.Kind)
	case schema.RuleTotal:
		return &totals{in: in, name: c.Source, col: i}
	case schema.RuleMean:
		return &means{in: in, name: c.Source, col: i}
	case schema.RuleMax:
		return &maxima{in: in, name: c.Source, col: i}
	case schema.RuleHours:
		return &hours{in: in, name: c.Source, col: i}
	case schema.RuleCombined:
		a, b, _ := strings.Cut(c.Source, ", ")
		return &combined{in: in, a: a, b: b, col: i}
	}
	switch c.Name {
	case "active_hours_sum":
		return &doubles{in: in, name: c.Source, col: i, of: activeHours}
	case "subsession_hours_sum":
		return &doubles{in: in, name: c.Source, col: i, of: func(s int64) float64 { return float64(s) / 3600 }}
	case "sessions_started_on_this_day":
		return &sessions{in: in, name: c.Source, col: i}
	case "profile_age_in_days":
		return &profileAge{in: in, col: i}
	}
	return nil
}

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

// totals is a 64-bit sum: nulls skipped, null when there is nothing else.
type totals struct {
	in   *input
	name string
	col  int
	loc  located
	perGroup[int64]
}

func (m *totals) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			m.vals[e.group] += m.loc.integer(i)
			m.has[e.group] = true
		}
	}
}

func (m *totals) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetLong(m.col, m.vals[g])
	}
}

// combined sums a + b over the rows that have both.
type combined struct {
	in         *input
	a, b       string
	col        int
	locA, locB located
	perGroup[int64]
}

func (m *combined) add(b *column.Batch, entries []entry) {
	if !m.locA.load(m.in, b, m.a) || !m.locB.load(m.in, b, m.b) {
		return
	}
	for _, e := range entries {
		i, j := m.locA.at[e.row], m.locB.at[e.row]
		if i >= 0 && j >= 0 {
			m.vals[e.group] += m.locA.integer(i) + m.locB.integer(j)
			m.has[e.group] = true
		}
	}
}

func (m *combined) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetLong(m.col, m.vals[g])
	}
}

// means is the mean of the non-null values, as a double.
type means struct {
	in   *input
	name string
	col  int
	loc  located
	sum  []column.Int128 // 64 bits are too few for means of 64-bit columns
	n    []int64
}

func (m *means) grow(n int) { m.sum, m.n = resize(m.sum, n), resize(m.n, n) }
func (m *means) reset()     { m.sum, m.n = m.sum[:0], m.n[:0] }

func (m *means) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			m.sum[e.group] = m.sum[e.group].Add(column.Int128Of(m.loc.integer(i)))
			m.n[e.group]++
		}
	}
}

func (m *means) emit(out *column.Batch, g int) {
	if m.n[g] > 0 {
		out.SetDouble(m.col, m.sum[g].Float64()/float64(m.n[g]))
	}
}

// maxima is the largest value.
type maxima struct {
	in   *input
	name string
	col  int
	loc  located
	perGroup[int32]
}

func (m *maxima) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			v := int32(m.loc.integer(i))
			if !m.has[e.group] || v > m.vals[e.group] {
				m.vals[e.group], m.has[e.group] = v, true
			}
		}
	}
}

func (m *maxima) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetInt(m.col, m.vals[g])
	}
}

// doubles is a sum of doubles in input order.
type doubles struct {
	in   *input
	name string
	col  int
	of   func(int64) float64
	loc  located
	perGroup[float64]
}

func (m *doubles) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			m.vals[e.group] += m.of(m.loc.integer(i))
			m.has[e.group] = true
		}
	}
}

func (m *doubles) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetDouble(m.col, m.vals[g])
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
