package table

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
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
			list, _ := r.elementsOf(op, r.doc.Value(slot))
			for _, v := range list {
				e, ok := parseEvent(v)
				if !ok || r.longEvent(op, &e) {
					continue
				}
				n := r.node(op)
				if written == 0 {
					r.out.Start(op.col)
				}
				r.writeEvent(op, n.Elem, n.ElemRep(written, 0), &e, eventProcesses[i])
				written++
			}
		}
	}
}

// node returns the column's node, without starting a value.
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
	parts, whole := v.FirstElements(buf[:0], 6)
	if len(parts) < 4 || !whole {
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

// longEvent reports whether a text of an event that must not be null is too long.
func (r *pingRow) longEvent(op *pingOp, e *event) bool {
	for _, p := range e.parts[:3] {
		if t, _ := p.Str(r.text[:0]); tooLong(r.out, op.col, t) {
			return true
		}
	}
	return false
}

func (r *pingRow) writeEvent(op *pingOp, n *column.Node, rep int16, e *event, process string) {
	r.out.Long(n.Fields[0], rep, e.timestamp)
	for i := range 4 {
		r.writeValue(n.Fields[1+i], rep, e.parts[i])
	}
	r.writeEventMap(op, n.Fields[5], rep, e.parts[4], process)
}

// writeEventMap writes the extra object with the process added, unless the
// object has that member itself.
func (r *pingRow) writeEventMap(op *pingOp, n *column.Node, rep int16, extra ping.Value, process string) {
	entries := r.entriesOf(op, extra, &r.members)
	written := 0
	if extra.Get(processKey).Kind() == ping.Missing {
		r.out.Str(n.Key, rep, []byte(processKey))
		r.out.Str(n.Elem, rep, []byte(process))
		written++
	}
	for _, m := range entries {
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

// newerVersion compares two versions part by part, missing parts as 0; what is
// not dotted integers is older than what is. Equal versions are not newer.
func newerVersion(as, bs []int32) bool {
	if as == nil || bs == nil {
		return as != nil && bs == nil
	}
	for i := range max(len(as), len(bs)) {
		x, y := part(as, i), part(bs, i)
		if x != y {
			return x > y
		}
	}
	return false
}

func part(parts []int32, i int) int32 {
	if i < len(parts) {
		return parts[i]
	}
	return 0
}

// versionParts returns the dotted 32-bit integers of a version, nil if it is none. Empty parts at the end do not count,
// so a version of dots alone has no parts and is 0.
func versionParts(s string) []int32 {
	parts, trimmed := []int32{}, strings.TrimRight(s, ".")
	if trimmed == "" && s != "" {
		return parts
	}
	for part := range strings.SplitSeq(trimmed, ".") {
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil {
			return nil
		}
		parts = append(parts, int32(n))
	}
	return parts
}
