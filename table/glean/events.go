package glean

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// extraEntry is the extras of an event, sessionEntry its session, eventEntry an event of a ping.
var (
	extraEntry   = mapEntry(textEntry)
	sessionEntry = structEntry(map[string]entry{
		"event_seq": countEntry, "session_id": textEntry, "session_sample_rate": numberEntry, "session_seq": countEntry,
		"session_start_time": textEntry,
	})
	eventEntry = structEntry(map[string]entry{
		"category": textEntry, "name": textEntry, "timestamp": countEntry, "extra": extraEntry, "session": sessionEntry,
	}, "timestamp", "category", "name")
)

var numberEntry = entry{
	func(_ *row, v ping.Value) bool { _, ok := v.Float64(); return ok },
	func(r *row, n *column.Node, rep int16, v ping.Value) {
		f, _ := v.Float64()
		r.out.Double(n, rep, f)
	},
}

// events writes the events of a ping. It reports false, with nothing written, if they are no events.
func (r *row) events(col int, v ping.Value) bool {
	if v.Kind() != ping.Array {
		return false
	}
	elements, whole := v.FirstElements(nil, maxElements)
	for _, e := range elements {
		whole = whole && eventEntry.fits(r, e) && len(r.membersOf(e)) <= 5 && r.noMore(e)
	}
	if !whole {
		return false
	}
	n := r.out.Start(col)
	for i, e := range elements {
		eventEntry.write(r, n.Elem, n.ElemRep(i, 0), e)
	}
	if len(elements) == 0 {
		r.out.Empty(n, 0)
	}
	return true
}

// noMore reports whether an event and its session have no unknown members: these have no path in an object.
func (r *row) noMore(e ping.Value) bool {
	for _, m := range r.membersOf(e) {
		switch string(m.Key) {
		case "category", "name", "timestamp", "extra":
		case "session":
			for _, m := range r.membersOf(m.Value) {
				switch string(m.Key) {
				case "event_seq", "session_id", "session_sample_rate", "session_seq", "session_start_time":
				default:
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
