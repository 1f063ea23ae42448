package table

import (
	"strconv"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/ping"
)

// eventProcesses in the order of the events in the column.
var eventProcesses = []string{"dynamic", "parent", "content", "gpu"}

const processKey = "telemetry_process"

func events(c *compiler, op *pingOp, _ []string) {
	var slots []ping.Slot
	for _, p := range eventProcesses {
		slots = append(slots, c.paths.Add("payload", "processes", p, "events"))
	}
	op.run = func(r *pingRow, op *pingOp) {
		written := 0
		for i, slot := range slots {
			r.values = r.doc.Value(slot).Elements(r.values[:0])
			for _, v := range r.values {
				e, ok := parseEvent(v)
				if !ok {
					continue
				}
				n := r.node(op)
				if written == 0 {
					r.out.Start(op.col)
				}
				r.writeEvent(n.Elem, n.ElemRep(written, 0), &e, eventProcesses[i])
				written++
			}
		}
	}
}

// node is the column's node, without starting a value.
func (r *pingRow) node(op *pingOp) *column.Node { return r.out.Node(op.col) }

// event is a well-formed event.
type event struct {
	timestamp int64
	parts     [5]ping.Value // category, method, object, value, extra
}

// parseEvent reads [int, string, string, string] with an optional string
// after it, and an optional object after that string or null.
func parseEvent(v ping.Value) (e event, ok bool) {
	var buf [8]ping.Value
	parts := v.Elements(buf[:0])
	if len(parts) < 4 || len(parts) > 6 {
		return e, false
	}
	if e.timestamp, ok = parts[0].Integer64(); !ok {
		return e, false
	}
	copy(e.parts[:], parts[1:])
	for _, p := range e.parts[:3] {
		ok = ok && p.Kind() == ping.String
	}
	value := e.parts[3].Kind()
	switch len(parts) {
	case 5:
		ok = ok && value == ping.String
	case 6:
		ok = ok && (value == ping.String || value == ping.Null) && e.parts[4].Kind() == ping.Object
	}
	return e, ok
}

func (r *pingRow) writeEvent(n *column.Node, rep int16, e *event, process string) {
	r.out.Long(n.Fields[0], rep, e.timestamp)
	for i := range 4 {
		r.writeValue(n.Fields[1+i], rep, e.parts[i])
	}
	r.writeEventMap(n.Fields[5], rep, e.parts[4], process)
}

// writeEventMap writes the extra object with the process added, unless the
// object has that member itself.
func (r *pingRow) writeEventMap(n *column.Node, rep int16, extra ping.Value, process string) {
	r.members = extra.Members(r.members[:0])
	written := 0
	if extra.Get(processKey).Kind() == ping.Missing {
		r.out.Str(n.Key, rep, []byte(processKey))
		r.out.Str(n.Elem, rep, []byte(process))
		written++
	}
	for _, m := range r.members {
		at := n.ElemRep(written, rep)
		r.out.Str(n.Key, at, m.Key)
		r.out.Str(n.Elem, at, r.plainText(m.Value))
		written++
	}
}

// plainText writes any value as text: strings and numbers by rule S, literals
// by name, arrays and objects as JSON.
func (r *pingRow) plainText(v ping.Value) []byte {
	if t, ok := v.Text(r.text[:0]); ok {
		return t
	}
	return v.Raw()
}

// newerVersion compares two versions: dotted integers part by part, missing
// parts as 0; what is not dotted integers is older than what is. Equal versions
// are not newer.
func newerVersion(a, b string) bool {
	as, aOK := versionParts(a)
	bs, bOK := versionParts(b)
	if !aOK || !bOK {
		return aOK && !bOK
	}
	for i := range max(len(as), len(bs)) {
		x, y := part(as, i), part(bs, i)
		if x != y {
			return x > y
		}
	}
	return false
}

func part(parts []int64, i int) int64 {
	if i < len(parts) {
		return parts[i]
	}
	return 0
}

func versionParts(s string) (parts []int64, ok bool) {
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '.' {
			continue
		}
		n, err := strconv.ParseInt(s[start:i], 10, 64)
		if err != nil {
			return nil, false
		}
		parts = append(parts, n)
		start = i + 1
	}
	return parts, true
}
