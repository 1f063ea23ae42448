package table

import (
	"bytes"
	"sort"

	"github.com/pingmill/pingmill/column"
)

// groups numbers the distinct keys of rows. A key is a list of texts, each of
// which may be null.
type groups struct {
	index map[string]int32
	keys  [][][]byte // by group; nil parts are null
	arena column.Arena
	buf   []byte
}

func (g *groups) reset() {
	clear(g.index)
	g.keys = g.keys[:0]
	g.arena.Reset()
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
	if g.index == nil {
		g.index = map[string]int32{}
	}
	n := int32(len(g.keys))
	g.index[string(g.buf)] = n
	kept := make([][]byte, len(key))
	for i, k := range key {
		if k != nil {
			kept[i] = g.arena.Copy(k)
		}
	}
	g.keys = append(g.keys, kept)
	return n
}

// sorted lists the groups in the order of their keys, nulls last.
func (g *groups) sorted() []int {
	order := make([]int, len(g.keys))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := g.keys[order[i]], g.keys[order[j]]
		for k := range a {
			if c := compareTexts(a[k], b[k]); c != 0 {
				return c < 0
			}
		}
		return false
	})
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
