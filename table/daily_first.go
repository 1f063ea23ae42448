package table

import (
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// newFirst makes the measure of the first non-null value.
func newFirst(in *input, name string, col int, kind schema.Kind) measure {
	switch kind {
	case schema.Boolean:
		return &firsts[bool]{in: in, name: name, col: col, values: func(l *column.Leaf) *[]bool { return &l.Bools }}
	case schema.Int:
		return &firsts[int32]{in: in, name: name, col: col, values: ints}
	case schema.Long:
		return newFirstLong(in, name, col)
	}
	return &firstTexts{in: in, name: name, col: col}
}

func newFirstLong(in *input, name string, col int) *firsts[int64] {
	return &firsts[int64]{in: in, name: name, col: col, values: longs}
}

// firsts is the first non-null number of each group.
type firsts[T any] struct {
	in      *input
	name    string
	col     int
	values  func(*column.Leaf) *[]T
	null    func(T) bool // counts as null; nil: no value does
	loc     located
	lacking int // groups that have no value yet
	perGroup[T]
}

func (m *firsts[T]) grow(n int) {
	m.lacking += n - len(m.vals)
	m.perGroup.grow(n)
}

func (m *firsts[T]) reset() {
	m.lacking = 0
	m.perGroup.reset()
}

func (m *firsts[T]) add(b *column.Batch, entries []entry) {
	if m.lacking == 0 || !m.loc.load(m.in, b, m.name) {
		return
	}
	values := *m.values(m.loc.leaf)
	if len(values) == 0 {
		return
	}
	for _, some := range [][]entry{m.in.begins, entries} {
		for _, e := range some {
			if m.has[e.group] {
				continue
			}
			if i := m.loc.at[e.row]; i >= 0 && (m.null == nil || !m.null(values[i])) {
				m.vals[e.group], m.has[e.group] = values[i], true
				m.lacking--
			}
		}
		if m.lacking == 0 {
			return
		}
	}
}

func (m *firsts[T]) emit(out *column.Batch, from int, groups []int) {
	column.SetRows(out, m.col, from, groups, m.vals, m.has, m.values)
}

// firstTexts is the first text of each group that is not null, nor counts as null.
type firstTexts struct {
	in      *input
	name    string
	col     int
	loc     located
	vals    [][]byte // nil: none yet
	lacking int      // groups that have no value yet
	loaded  bool     // loc is of the batch to add
}

// load finds the column in the batch that is to be added next.
func (m *firstTexts) load(b *column.Batch) {
	m.loc.load(m.in, b, m.name)
	m.loaded = true
}

func (m *firstTexts) grow(n int) {
	m.lacking += n - len(m.vals)
	m.vals = resize(m.vals, n)
}

func (m *firstTexts) reset() { m.vals, m.lacking = m.vals[:0], 0 }

func (m *firstTexts) add(b *column.Batch, entries []entry) {
	loaded := m.loaded
	m.loaded = false
	if m.lacking == 0 {
		return
	}
	if !loaded {
		m.loc.load(m.in, b, m.name)
	}
	if m.loc.leaf == nil || len(m.loc.leaf.Bytes) == 0 {
		return
	}
	copies := m.in.copies()
	for _, some := range [][]entry{m.in.begins, entries} {
		for _, e := range some {
			if m.vals[e.group] != nil {
				continue
			}
			if v := text(m.loc.leaf, m.loc.at[e.row]); v != nil {
				m.vals[e.group] = copies.Copy(v)
				m.lacking--
			}
		}
		if m.lacking == 0 {
			return
		}
	}
}

// copies begins with the texts of another column.
func (in *input) copies() *column.TextCopies {
	in.copied.Begin(&in.texts)
	return &in.copied
}

func (m *firstTexts) emit(out *column.Batch, from int, groups []int) {
	out.SetTexts(m.col, from, groups, m.vals)
}
