package glean

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// chosen returns the fill of a column that takes the value of one of the client's pings; nil: no ping has one.
func (g *clients) chosen(i int, col *schema.Column) fill {
	c := choice{clients: g, rule: col.Rule}
	for _, path := range sources(col) {
		if n := column.Find(g.b, path...); n != nil && g.any(n) {
			c.nodes = append(c.nodes, n)
		}
	}
	if c.nodes == nil {
		return nil
	}
	if col.Arg != "" {
		c.member = objectMember(g.rows, c.nodes, col.Arg)
		return g.each(func(out *column.Batch, client *client) {
			if row := c.pick(client.rows); row >= 0 {
				if v, ok := c.member(row); ok {
					out.SetBytes(i, v)
				}
			}
		})
	}
	picks := c.picks()
	lists := make([]column.Picked, len(c.nodes))
	for k, n := range c.nodes {
		lists[k] = column.Picked{Index: g.Index, Node: n}
	}
	return func(out *column.Batch, at, lo, hi int) {
		for k := range lists {
			lists[k].Rows = picks[lo:hi]
			if k+1 < len(lists) {
				lists[k].Rows = g.present(lists[k].Node, picks[lo:hi])
			}
		}
		column.Pick(out, out.Node(i), at, lists...)
	}
}

// any reports whether a node is not null in some row.
func (in *rows) any(n *column.Node) bool {
	l := &in.b.Leaves[n.Leaf]
	if n.Leaves == 1 && l.MaxRep == 0 {
		return l.Values() > 0
	}
	return l.MaxDef == 0 || slices.ContainsFunc(l.Def, func(def int16) bool { return def >= n.Def })
}

// present returns the rows in which a node is not null, and -1 for the others.
func (in *rows) present(n *column.Node, rows []int32) []int32 {
	out := slices.Clone(rows)
	for k, row := range rows {
		if row >= 0 && !in.PresentAt(n, int(row)) {
			out[k] = -1
		}
	}
	return out
}

// choice is how a column's value is chosen from the pings of a client.
type choice struct {
	*clients

	rule   schema.Rule
	nodes  []*column.Node               // of two or more, the first one that is not null counts
	member func(row int) ([]byte, bool) // a member of the objects in nodes counts; nil: the nodes do
	buf    []byte
}

// mixed stands for a client with different values, whose row was not chosen yet.
const mixed = -2

// picks returns the row of the chosen ping for each client, -1: none.
func (c *choice) picks() []int32 {
	var picks []int32
	if l := &c.b.Leaves[c.nodes[0].Leaf]; (c.rule == glean.RuleMode || c.rule == glean.RuleModeFirst) && len(c.nodes) == 1 &&
		c.nodes[0].Leaves == 1 && l.MaxRep == 0 {
		at := c.Values(c.nodes[0].Leaf)
		switch l.Kind {
		case schema.String:
			picks = onlyValues(c.clients, at, l.Bytes, sameText)
		case schema.Long:
			picks = onlyValues(c.clients, at, l.Longs, func(a, b int64) bool { return a == b })
		case schema.Boolean:
			picks = onlyValues(c.clients, at, l.Bools, func(a, b bool) bool { return a == b })
		}
	}
	if picks == nil {
		picks = make([]int32, len(c.all))
		for n := range picks {
			picks[n] = mixed
		}
	}
	for n, row := range picks {
		if row == mixed {
			picks[n] = int32(c.pick(c.all[n].rows))
		}
	}
	return picks
}

// onlyValues returns a row with the value of each client whose rows have only one, -1 for a client without any, and mixed for the
// others. at has the place of the first value of each row.
func onlyValues[T any](g *clients, at []int32, values []T, same func(a, b T) bool) []int32 {
	picks, known := make([]int32, len(g.all)), make([]T, len(g.all))
	for n := range picks {
		picks[n] = -1
	}
	for row, n := range g.owner {
		v := at[row]
		if n < 0 || at[row+1] == v || picks[n] == mixed {
			continue
		}
		if picks[n] < 0 {
			picks[n], known[n] = int32(row), values[v]
		} else if !same(known[n], values[v]) {
			picks[n] = mixed
		}
	}
	return picks
}

// sameText reports whether two texts are equal. Most equal ones have the same memory.
func sameText(a, b []byte) bool {
	return len(a) == len(b) && (unsafe.SliceData(a) == unsafe.SliceData(b) || bytes.Equal(a, b))
}

// get returns a key of the value in a row: equal keys are of equal values. The key is valid until the next call.
func (c *choice) get(row int) ([]byte, bool) {
	if c.member != nil {
		return c.member(row)
	}
	for _, n := range c.nodes {
		if c.PresentAt(n, row) {
			c.buf = c.appendKey(c.buf[:0], n, row)
			return c.buf, true
		}
	}
	return nil, false
}

// pick returns the row of the chosen ping of a client, -1: none.
func (c *choice) pick(rows []int) int {
	switch c.rule {
	case glean.RuleFirstPing:
		return rows[0]
	case glean.RuleLastPing:
		return rows[len(rows)-1]
	case glean.RuleFirstKnown:
		return firstKnown(rows, c.get)
	case glean.RuleLastKnown:
		return lastKnown(rows, c.get)
	}
	if row, same := oneKey(rows, c.get); same {
		return row
	}
	if c.rule == glean.RuleModeFirst {
		return mostFrequentFirst(rows, c.get)
	}
	return mostFrequent(rows, c.get)
}

// objectMember returns the text of a scalar member of an object, which is a text of JSON.
func objectMember(in *rows, nodes []*column.Node, name string) func(row int) ([]byte, bool) {
	var paths ping.PathSet
	slot := paths.Add(name)
	program := paths.Compile()
	var doc ping.Doc
	return func(row int) ([]byte, bool) {
		for _, n := range nodes {
			at, ok := in.Has(n.Leaf, row)
			if !ok || doc.Scan(program, in.b.Leaves[n.Leaf].Bytes[at]) != nil {
				continue
			}
			v := doc.Value(slot)
			if _, is := v.Bool(); is {
				return v.Raw(), true
			}
			if v.Kind() == ping.Number {
				return v.Raw(), true
			}
			if t, ok := v.Str(nil); ok {
				return t, true
			}
		}
		return nil, false
	}
}
