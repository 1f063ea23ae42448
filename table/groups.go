package table

import (
	"bytes"
	"slices"

	"github.com/pingmill/pingmill/table/column"
)

// groups numbers the distinct keys of rows. A key is a list of texts, each of
// which may be null. It is kept in one string, so that many groups fit into memory.
type groups struct {
	index map[string]int32
	count int
	keys  []string // of all groups, as column.AppendKey writes them
	buf   []byte
	parts [][]byte
}

// newGroups makes room for groups with keys of some parts.
func newGroups(parts int) groups {
	return groups{index: map[string]int32{}, parts: make([][]byte, parts)}
}

func (g *groups) reset() {
	clear(g.index)
	clear(g.keys)
	g.count, g.keys = 0, g.keys[:0]
}

// key returns the parts of a group's key; nil parts are null. The list is valid until the next call. The texts stay
// valid and must not be changed.
func (g *groups) key(n int) [][]byte {
	rest := g.keys[n]
	for i := range g.parts {
		g.parts[i], rest = column.KeyPart(rest)
	}
	return g.parts
}

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
	k := string(g.buf)
	g.index[k] = n
	g.keys = append(g.keys, k)
	return n
}

// sorted lists the groups in the order of their keys, nulls last.
func (g *groups) sorted() []int {
	order := make([]int, g.count)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareKeys(g.keys[a], g.keys[b]) })
	return order
}

// compareKeys compares keys part by part, nulls last.
func compareKeys(a, b string) int {
	for a != "" && b != "" {
		var x, y []byte
		x, a = column.KeyPart(a)
		y, b = column.KeyPart(b)
		if c := compareTexts(x, y); c != 0 {
			return c
		}
	}
	return 0
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

// text returns the value at index i of a text column, nil when it is null, or too long, as it may be in partitions of
// earlier versions.
func text(l *column.Leaf, i int32) []byte {
	if l == nil || i < 0 || len(l.Bytes[i]) > MaxText {
		return nil
	}
	if l.Bytes[i] == nil { // an empty text that a reader left nil
		return []byte{}
	}
	return l.Bytes[i]
}

// someRows is the number of rows that are appended at a time: column by column, since each column is in memory of its own.
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
