package table

import (
	"math/big"
	"time"

	"github.com/pingmill/pingmill/table/column"
)

// newHours sums seconds as hours, each row rounded half up to six decimals.
func newHours(in *input, name string, col int) *fold[column.Int128] {
	return &fold[column.Int128]{in: in, name: name, col: col, to: func(l *column.Leaf) *[]column.Int128 { return &l.Decimals },
		all: func(so *perGroup[column.Int128], groups []int32, values []int64) {
			for i, g := range groups {
				so.vals[g] = so.vals[g].Add(microHours(values[i]))
				so.has[g] = true
			}
		}}
}

// microHours returns seconds in millionths of an hour, rounded half away from zero.
func microHours(seconds int64) column.Int128 {
	if seconds > -1<<50 && seconds < 1<<50 { // times 2500 it fits 64 bits
		return column.Int128Of(roundedQuotient(seconds*2500, 9))
	}
	n := new(big.Int).Mul(big.NewInt(seconds), big.NewInt(2500*2))
	n.Add(n, big.NewInt(int64(9*sign(seconds)))) // half of the divisor, doubled
	return column.Int128OfBig(n.Quo(n, big.NewInt(18)))
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

func (m *sessions) emit(out *column.Batch, from int, groups []int) {
	emitCounts(out, m.col, from, groups, m.n)
}

// emitCounts sets a column to numbers of the groups.
func emitCounts(out *column.Batch, col, from int, groups []int, counts []int64) {
	for i, g := range groups {
		out.Rows = from + i
		out.SetLong(col, counts[g])
	}
}

// profileAge is the first known number of days from the profile's creation to
// a subsession, both of the same row. It is null for a creation day that is none.
type profileAge struct {
	in             *input
	col            int
	start, created located
	perGroup[int32]
}

func (m *profileAge) add(b *column.Batch, entries []entry) {
	if !m.start.load(m.in, b, "subsession_start_date") || !m.created.load(m.in, b, "profile_creation_date") {
		return
	}
	for _, e := range entries {
		i, j := m.start.at[e.row], m.created.at[e.row]
		if i < 0 || j < 0 || m.has[e.group] || noDay(m.created.leaf.Longs[j]) {
			continue
		}
		if day, ok := parseLocalDay(string(m.start.leaf.Bytes[i])); ok {
			m.vals[e.group], m.has[e.group] = int32(day-m.created.leaf.Longs[j]), true // both are days of some years
		}
	}
}

func (m *profileAge) emit(out *column.Batch, from int, groups []int) {
	column.SetRows(out, m.col, from, groups, m.vals, m.has, ints)
}

// noDay reports whether days since epoch are before or after the years 1 to 9999, for which a text has room.
func noDay(days int64) bool {
	const first, last = -719162, 2932896
	return days < first || days > last
}

// appendDay writes days since epoch, of the years 1 to 9999, as the text of a timestamp.
func appendDay(dst []byte, days int64) []byte {
	return time.Unix(days*86400, 0).UTC().AppendFormat(dst, "2006-01-02 15:04:05")
}
