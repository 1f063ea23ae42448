package table

import (
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// newFirst makes the measure of the first non-null value.
func newFirst(in *input, name string, col int, kind schema.Kind) measure {
	switch kind {
	case schema.Boolean:
		return &firsts[bool]{in: in, name: name, col: col,
			value: func(l *column.Leaf, i int32) bool { return l.Bools[i] },
			set:   (*column.Batch).SetBool}
	case schema.Int:
		return &firsts[int32]{in: in, name: name, col: col,
			value: func(l *column.Leaf, i int32) int32 { return l.Ints[i] },
			set:   (*column.Batch).SetInt}
	case schema.Long:
		return &firsts[int64]{in: in, name: name, col: col,
			value: func(l *column.Leaf, i int32) int64 { return l.Longs[i] },
			set:   (*column.Batch).SetLong}
	}
	return newFirstText(in, name, col)
}

// firstText keeps the texts in an arena of its own.
func newFirstText(in *input, name string, col int) *firsts[[]byte] {
	a := &column.Arena{}
	return &firsts[[]byte]{in: in, name: name, col: col, arena: a,
		null:  func(l *column.Leaf, i int32) bool { return text(l, i) == nil },
		value: func(l *column.Leaf, i int32) []byte { return a.Copy(l.Bytes[i]) },
		set:   (*column.Batch).SetBytes}
}

// firsts is the first non-null value of each group.
type firsts[T any] struct {
	in    *input
	name  string
	col   int
	null  func(*column.Leaf, int32) bool // counts as null; nil: no value does
	value func(*column.Leaf, int32) T
	set   func(*column.Batch, int, T)
	arena *column.Arena
	loc   located
	perGroup[T]
	loaded bool // loc is of the batch to add
}

// load finds the column in the batch that is to be added next.
func (m *firsts[T]) load(b *column.Batch) {
	m.loc.load(m.in, b, m.name)
	m.loaded = true
}

func (m *firsts[T]) reset() {
	m.perGroup.reset()
	if m.arena != nil {
		m.arena.Reset()
	}
}

func (m *firsts[T]) add(b *column.Batch, entries []entry) {
	if !m.loaded {
		m.load(b)
	}
	m.loaded = false
	if m.loc.leaf == nil {
		return
	}
	last, row := *new(T), int32(-1) // groups that begin with one row share its value
	for _, e := range entries {
		if m.has[e.group] {
			continue
		}
		if i := m.loc.at[e.row]; i >= 0 && (m.null == nil || !m.null(m.loc.leaf, i)) {
			if e.row != row {
				last, row = m.value(m.loc.leaf, i), e.row
			}
			m.vals[e.group], m.has[e.group] = last, true
		}
	}
}

func (m *firsts[T]) emit(out *column.Batch, g int) {
	if m.has[g] {
		m.set(out, m.col, m.vals[g])
	}
}
