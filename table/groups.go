package table

import (
	"bytes"
	"slices"

	"github.com/pingmill/pingmill/table/column"
)

// groups numbers the distinct keys of rows. A key is a list of texts, each of
// which may be null.
type groups struct {
	index map[string]int32
	count int
	parts int      // of a key
	keys  [][]byte // of all groups; nil parts are null
	texts *column.Arena
	buf   []byte
}

// newGroups makes room for groups with keys of some parts, whose texts are copied to an arena.
func newGroups(parts int, texts *column.Arena) groups {
	return groups{index: map[string]int32{}, parts: parts, texts: texts}
}

func (g *groups) reset() {
	clear(g.index)
	g.count, g.keys = 0, g.keys[:0]
}

// key returns the parts of a group's key.
func (g *groups) key(n int) [][]byte { return g.keys[n*g.parts : (n+1)*g.parts] }

// find returns the number of the group with a key, if there is one.
func (g *groups) find(key ...[]byte) (n int32, ok bool) {
	g.buf = column.AppendKey(g.buf[:0], key...)
	n, ok = g.index[string(g.buf)]
	return n, ok
}

// number returns the number of the group with a key.
func (g *groups) number(key ...[]byte) int32 {
	if n, ok := g.find(key...); ok {
		return n
	}
	n := int32(g.count)
	g.count++
	g.index[string(g.buf)] = n
	for _, k := range key {
		if k != nil {
			k = g.texts.Copy(k)
		}
		g.keys = append(g.keys, k)
	}
	return n
}

// sorted lists the groups in the order of their keys, nulls last.
func (g *groups) sorted() []int {
	order := make([]int, g.count)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.CompareFunc(g.key(a), g.key(b), compareTexts) })
	return order
}

func compareTexts(a, b []byte) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return bytes.Compare(a, b)
}

// text is the value at index i of a text column, nil when it is null, or too
// long, as it may be in partitions of earlier versions.
func text(l *column.Leaf, i int32) []byte {
	if l == nil || i < 0 || len(l.Bytes[i]) > MaxText {
		return nil
	}
	if l.Bytes[i] == nil { // an empty text that a reader left nil
		return []byte{}
	}
	return l.Bytes[i]
}

// someRows is how many rows are appended at a time: column by column, since each column is in memory of its own.
const someRows = 500

// appendGroups appends a row for each group. emit is called with some of them and the row of the first one; it sets Rows of the
// batch to the row whose column it sets.
func appendGroups(out *column.Batch, groups []int, row func() error, emit func(from int, groups []int)) error {
	out.MaxText = MaxText
	for some := range slices.Chunk(groups, someRows) {
		from := out.Rows
		emit(from, some)
		out.Rows = from + len(some)
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}
