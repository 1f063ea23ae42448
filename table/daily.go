package table

import (
	"math/big"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

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

// located is a flat column: where the value of each row stands in its leaf.
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

// totals is a 64-bit sum: nulls skipped, null when there is nothing else.
type totals struct {
	in   *input
	name string
	col  int
	loc  located
	sum  []int64
	has  []bool
}

func (m *totals) grow(n int) { m.sum, m.has = resize(m.sum, n), resize(m.has, n) }
func (m *totals) reset()     { m.sum, m.has = m.sum[:0], m.has[:0] }

func (m *totals) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			m.sum[e.group] += m.loc.integer(i)
			m.has[e.group] = true
		}
	}
}

func (m *totals) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetLong(m.col, m.sum[g])
	}
}

// combined sums a + b over the rows that have both.
type combined struct {
	in         *input
	a, b       string
	col        int
	locA, locB located
	sum        []int64
	has        []bool
}

func (m *combined) grow(n int) { m.sum, m.has = resize(m.sum, n), resize(m.has, n) }
func (m *combined) reset()     { m.sum, m.has = m.sum[:0], m.has[:0] }

func (m *combined) add(b *column.Batch, entries []entry) {
	if !m.locA.load(m.in, b, m.a) || !m.locB.load(m.in, b, m.b) {
		return
	}
	for _, e := range entries {
		i, j := m.locA.at[e.row], m.locB.at[e.row]
		if i >= 0 && j >= 0 {
			m.sum[e.group] += m.locA.integer(i) + m.locB.integer(j)
			m.has[e.group] = true
		}
	}
}

func (m *combined) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetLong(m.col, m.sum[g])
	}
}

// means is the mean of the non-null values, as a double.
type means struct {
	in   *input
	name string
	col  int
	loc  located
	sum  []decimal128.Num // 64 bits are too few for means of 64-bit columns
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
			m.sum[e.group] = m.sum[e.group].Add(decimal128.FromI64(m.loc.integer(i)))
			m.n[e.group]++
		}
	}
}

func (m *means) emit(out *column.Batch, g int) {
	if m.n[g] > 0 {
		out.SetDouble(m.col, m.sum[g].ToFloat64(0)/float64(m.n[g]))
	}
}

// maxima is the largest value.
type maxima struct {
	in   *input
	name string
	col  int
	loc  located
	max  []int32
	has  []bool
}

func (m *maxima) grow(n int) { m.max, m.has = resize(m.max, n), resize(m.has, n) }
func (m *maxima) reset()     { m.max, m.has = m.max[:0], m.has[:0] }

func (m *maxima) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			v := int32(m.loc.integer(i))
			if !m.has[e.group] || v > m.max[e.group] {
				m.max[e.group], m.has[e.group] = v, true
			}
		}
	}
}

func (m *maxima) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetInt(m.col, m.max[g])
	}
}

// doubles is a sum of doubles in input order.
type doubles struct {
	in   *input
	name string
	col  int
	of   func(int64) float64
	loc  located
	sum  []float64
	has  []bool
}

func (m *doubles) grow(n int) { m.sum, m.has = resize(m.sum, n), resize(m.has, n) }
func (m *doubles) reset()     { m.sum, m.has = m.sum[:0], m.has[:0] }

func (m *doubles) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			m.sum[e.group] += m.of(m.loc.integer(i))
			m.has[e.group] = true
		}
	}
}

func (m *doubles) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetDouble(m.col, m.sum[g])
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

// hours sums seconds as hours, each row rounded half up to six decimals.
type hours struct {
	in   *input
	name string
	col  int
	loc  located
	sum  []decimal128.Num
	has  []bool
}

func (m *hours) grow(n int) { m.sum, m.has = resize(m.sum, n), resize(m.has, n) }
func (m *hours) reset()     { m.sum, m.has = m.sum[:0], m.has[:0] }

func (m *hours) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 {
			m.sum[e.group] = m.sum[e.group].Add(microHours(m.loc.integer(i)))
			m.has[e.group] = true
		}
	}
}

func (m *hours) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetDecimal(m.col, m.sum[g])
	}
}

// microHours is seconds in millionths of an hour, rounded half away from zero.
func microHours(seconds int64) decimal128.Num {
	if seconds > -1<<50 && seconds < 1<<50 { // times 2500 it fits 64 bits
		return decimal128.FromI64(roundedQuotient(seconds*2500, 9))
	}
	n := new(big.Int).Mul(big.NewInt(seconds), big.NewInt(2500*2))
	n.Add(n, big.NewInt(int64(9*sign(seconds)))) // half of the divisor, doubled
	return decimal128.FromBigInt(n.Quo(n, big.NewInt(18)))
}

func sign(n int64) int {
	if n < 0 {
		return -1
	}
	return 1
}

// sessions counts the rows that began a session.
type sessions struct {
	in   *input
	name string
	col  int
	loc  located
	n    []int64
}

func (m *sessions) grow(n int) { m.n = resize(m.n, n) }
func (m *sessions) reset()     { m.n = m.n[:0] }

func (m *sessions) add(b *column.Batch, entries []entry) {
	if !m.loc.load(m.in, b, m.name) {
		return
	}
	for _, e := range entries {
		if i := m.loc.at[e.row]; i >= 0 && m.loc.integer(i) == 1 {
			m.n[e.group]++
		}
	}
}

func (m *sessions) emit(out *column.Batch, g int) { out.SetLong(m.col, m.n[g]) }

// profileAge is the first known number of days from the profile's creation to
// a subsession, both of the same row.
type profileAge struct {
	in             *input
	col            int
	start, created located
	days           []int32
	has            []bool
}

func (m *profileAge) grow(n int) { m.days, m.has = resize(m.days, n), resize(m.has, n) }
func (m *profileAge) reset()     { m.days, m.has = m.days[:0], m.has[:0] }

func (m *profileAge) add(b *column.Batch, entries []entry) {
	if !m.start.load(m.in, b, "subsession_start_date") || !m.created.load(m.in, b, "profile_creation_date") {
		return
	}
	for _, e := range entries {
		i, j := m.start.at[e.row], m.created.at[e.row]
		if i < 0 || j < 0 || m.has[e.group] {
			continue
		}
		if day, ok := parseLocalDay(string(m.start.leaf.Bytes[i])); ok {
			if age, ok := fit32(day - m.created.leaf.Longs[j]); ok {
				m.days[e.group], m.has[e.group] = age, true
			}
		}
	}
}

func (m *profileAge) emit(out *column.Batch, g int) {
	if m.has[g] {
		out.SetInt(m.col, m.days[g])
	}
}

// dayText writes days since epoch as a timestamp text, which has room for the
// years 1 to 9999.
func dayText(days int64) (string, bool) {
	const first, last = -719162, 2932896
	if days < first || days > last {
		return "", false
	}
	return time.Unix(days*86400, 0).UTC().Format("2006-01-02 15:04:05"), true
}
