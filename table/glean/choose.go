package glean

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// value is a value of a row: the node that it is copied from, or a text that was computed.
type value struct {
	node *column.Node
	text []byte
}

// chosen returns the fold of a column that takes the value of one of the client's pings.
func chosen(in *rows, i int, col *schema.Column) fold {
	var nodes []*column.Node
	for _, path := range sources(col) {
		if n := column.Find(in.b, path...); n != nil {
			nodes = append(nodes, n)
		}
	}
	get := func(row int) (value, bool) {
		for _, n := range nodes {
			if in.PresentAt(n, row) {
				return value{node: n}, true
			}
		}
		return value{}, false
	}
	if col.Arg != "" {
		get = objectMember(in, nodes, col.Arg)
	}
	set := func(out *column.Batch, row int) {
		switch v, ok := get(row); {
		case !ok:
		case v.node == nil:
			out.SetBytes(i, v.text)
		default:
			in.CopyNode(out, out.Node(i), v.node, row)
		}
	}
	switch col.Rule {
	case glean.RuleFirstPing:
		return func(out *column.Batch, client *client) { set(out, client.rows[0]) }
	case glean.RuleLastPing:
		return func(out *column.Batch, client *client) { set(out, client.rows[len(client.rows)-1]) }
	}
	pick := map[schema.Rule]func([]int, func(int) ([]byte, bool)) int{
		glean.RuleMode: mostFrequent, glean.RuleModeFirst: mostFrequentFirst, glean.RuleFirstKnown: firstKnown, glean.RuleLastKnown: lastKnown,
	}[col.Rule]
	var buf []byte
	key := func(row int) ([]byte, bool) {
		v, ok := get(row)
		if ok && v.node != nil {
			buf = in.appendKey(buf[:0], v.node, row)
			return buf, true
		}
		return v.text, ok
	}
	return func(out *column.Batch, client *client) {
		if row := pick(client.rows, key); row >= 0 {
			set(out, row)
		}
	}
}

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
	if row, same := oneKey(rows, key); same {
		return row
	}
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

// objectMember returns the text of a scalar member of an object, which is a text of JSON.
func objectMember(in *rows, nodes []*column.Node, name string) func(row int) (value, bool) {
	var paths ping.PathSet
	slot := paths.Add(name)
	program := paths.Compile()
	var doc ping.Doc
	return func(row int) (value, bool) {
		for _, n := range nodes {
			at, ok := in.Has(n.Leaf, row)
			if !ok || doc.Scan(program, in.b.Leaves[n.Leaf].Bytes[at]) != nil {
				continue
			}
			v := doc.Value(slot)
			if _, is := v.Bool(); is {
				return value{text: v.Raw()}, true
			}
			if v.Kind() == ping.Number {
				return value{text: v.Raw()}, true
			}
			if t, ok := v.Str(nil); ok {
				return value{text: t}, true
			}
		}
		return value{}, false
	}
}
