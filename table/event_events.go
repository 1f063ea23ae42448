package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// eventFuncs maps the computed columns of event_events to their functions.
var eventFuncs = columnFuncs{
	"experiments":        at(setExperiments),
	"session_start_time": at(setMillis),
	"event_timestamp":    ofEvent(func(r *pingRow, op *pingOp) { r.out.SetLong(op.col, r.event.timestamp) }),
	"event_category":     ofEvent(eventText(0)),
	"event_method":       ofEvent(eventText(1)),
	"event_object":       ofEvent(eventText(2)),
	"event_string_value": ofEvent(eventText(3)),
	"event_map_values":   ofEvent(setEventMap),
	"event_process":      ofEvent(func(r *pingRow, op *pingOp) { r.out.SetBytes(op.col, r.process) }),
}

// ofEvent makes a column of the event at hand.
func ofEvent(run func(*pingRow, *pingOp)) func(*compiler, *pingOp, []string) {
	return func(_ *compiler, op *pingOp, _ []string) { op.run = run }
}

func eventText(part int) func(*pingRow, *pingOp) {
	return func(r *pingRow, op *pingOp) {
		if t, ok := r.event.parts[part].Str(r.text[:0]); ok {
			r.out.SetBytes(op.col, t)
		}
	}
}

// setEventMap writes the extra object of the event as texts; it is null without one.
func setEventMap(r *pingRow, op *pingOp) {
	if extra := r.event.parts[4]; extra.Kind() == ping.Object {
		entries := r.entriesOf(op, extra, &r.members)
		n := r.out.Start(op.col)
		for i, m := range entries {
			rep := n.ElemRep(i, 0)
			r.out.Str(n.Key, rep, m.Key)
			r.out.Str(n.Elem, rep, r.plainText(m.Value))
		}
		if len(entries) == 0 {
			r.out.Empty(n, 0)
		}
	}
}

// The times that can be written as a date of the years 1 to 9999, in milliseconds since 1970.
const (
	firstMillis = -62135596800000
	lastMillis  = 253402300799999
)

// setMillis reads milliseconds since 1970.
func setMillis(r *pingRow, op *pingOp) {
	if ms, ok := r.doc.Value(op.slot).Integer64(); ok && ms >= firstMillis && ms <= lastMillis {
		r.out.SetLong(op.col, ms*1000)
	}
}

// eventList finds the events of a ping. Each has a row.
type eventList struct {
	op       pingOp      // of the column in which left out events are counted; it has the slot of the events
	repeated []ping.Slot // what each row has of the document
}

// eventsOf returns the events of pings of the table. The other columns must be compiled before.
func (c *compiler) eventsOf(t *schema.Table) *eventList {
	const source = "payload/events"
	l := &eventList{}
	for i := range t.Columns {
		switch col := &t.Columns[i]; {
		case col.Source == source:
			l.op.col = i
		case col.Rule != schema.RulePartition && !ofMeta(col):
			l.repeated = append(l.repeated, c.ops[i].slot)
		}
	}
	l.op.slot = c.paths.Add("payload", "events")
	return l
}

// each calls row for each well-formed event of the document at hand, by process. Rows of a ping have MaxClientBytes at
// most: what a ping has once, each row has again.
func (l *eventList) each(r *pingRow, row func()) (rows int) {
	cost := entryBytes
	for _, slot := range l.repeated {
		cost += len(r.doc.Value(slot).Raw())
	}
	processes, whole := r.doc.Value(l.op.slot).FirstMembers(nil, MaxElements)
	if !whole {
		r.out.LeaveOut(l.op.col)
	}
	spent := 0
	for _, p := range processes {
		if tooLong(r.out, l.op.col, p.Key) {
			continue
		}
		list, whole := p.Value.FirstElements(nil, MaxElements)
		if !whole {
			r.out.LeaveOut(l.op.col)
		}
		for _, v := range list {
			e, ok := parseEvent(v)
			if !ok || r.longEvent(&l.op, &e) {
				continue
			}
			if spent += cost + len(p.Key) + len(v.Raw()); spent > MaxClientBytes {
				r.out.LeaveOut(l.op.col)
				return rows
			}
			r.event, r.process = e, p.Key
			row()
			rows++
		}
	}
	return rows
}
