package glean

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// appendKey appends bytes that are the same for equal values of a node outside of lists and maps.
func (in *rows) appendKey(dst []byte, n *column.Node, row int) []byte {
	if l := &in.b.Leaves[n.Leaf]; n.Leaves == 1 && l.Kind == schema.String && l.MaxRep == 0 {
		if at, ok := in.Has(n.Leaf, row); ok {
			return append(dst, l.Bytes[at]...)
		}
	}
	for leaf := n.Leaf; leaf < n.Leaf+n.Leaves; leaf++ {
		l := &in.b.Leaves[leaf]
		if l.MaxRep > 0 {
			return strconv.AppendInt(dst, int64(row), 10) // not compared
		}
		at, ok := in.Has(leaf, row)
		if !ok {
			dst = append(dst, 0)
			continue
		}
		switch l.Kind {
		case schema.String:
			dst = append(binary.AppendUvarint(dst, uint64(len(l.Bytes[at]))+1), l.Bytes[at]...)
		case schema.Long:
			dst = binary.LittleEndian.AppendUint64(append(dst, 1), uint64(l.Longs[at]))
		case schema.Boolean:
			dst = strconv.AppendBool(append(dst, 1), l.Bools[at])
		}
	}
	return dst
}

// mostFrequent returns the last row with the most frequent key; of equally frequent ones the one that is there last.
// It returns -1 if no row has one.
func mostFrequent(rows []int, key func(int) ([]byte, bool)) int {
	type count struct{ n, last int }
	counts := map[string]*count{}
	for k, row := range rows {
		if v, ok := key(row); ok {
			c := counts[string(v)]
			if c == nil {
				c = &count{}
				counts[string(v)] = c
			}
			c.n++
			c.last = k
		}
	}
	best := count{last: -1}
	for _, c := range counts {
		if c.n > best.n || c.n == best.n && c.last > best.last {
			best = *c
		}
	}
	if best.last < 0 {
		return -1
	}
	return rows[best.last]
}

// oneKey returns the last row with a key, -1 if no row has one. It reports false if rows have different keys.
func oneKey(rows []int, key func(int) ([]byte, bool)) (last int, same bool) {
	var first [64]byte
	known := first[:0]
	last = -1
	for _, row := range rows {
		v, ok := key(row)
		switch {
		case !ok:
			continue
		case last < 0:
			known = append(known, v...)
		case !bytes.Equal(v, known):
			return 0, false
		}
		last = row
	}
	return last, true
}

// mostFrequentFirst does the same with the rows backwards.
func mostFrequentFirst(rows []int, key func(int) ([]byte, bool)) int {
	back := make([]int, len(rows))
	for i, row := range rows {
		back[len(rows)-1-i] = row
	}
	return mostFrequent(back, key)
}

func firstKnown(rows []int, key func(int) ([]byte, bool)) int {
	for _, row := range rows {
		if _, ok := key(row); ok {
			return row
		}
	}
	return -1
}

func lastKnown(rows []int, key func(int) ([]byte, bool)) int {
	for i := len(rows) - 1; i >= 0; i-- {
		if _, ok := key(rows[i]); ok {
			return rows[i]
		}
	}
	return -1
}
