package glean

import (
	"bytes"

	"github.com/pingmill/pingmill/ping"
	times "github.com/pingmill/pingmill/ping/glean"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// infoFields compiles the members of client_info or ping_info.
func infoFields(n *column.Node) map[string]*field {
	fields := map[string]*field{}
	for i, f := range n.Fields {
		name, typ := n.FieldNames[i], n.Type.Fields[i]
		target := &field{node: f}
		switch {
		case name == "client_id":
			target.write = writeID
		case name == "experiments":
			target.write = writeExperiments
		case typ.Rule == glean.RuleJSON:
			target.write = writeJSON
		case f.Type.Kind == schema.Long:
			target.write = writeLong
		case f.Type.Kind == schema.Struct:
			target.write = writeTexts
		case f.Type.Kind == schema.String:
			target.write = writeText
		default: // a time that was read from another member
			continue
		}
		fields[name] = target
	}
	for _, name := range []string{"start_time", "end_time"} {
		if timeField, ok := fields[name]; ok {
			timeField.more, timeField.write = member(n, "parsed_"+name), writeTime
		}
	}
	return fields
}

func writeText(r *row, f *field, v ping.Value) bool {
	text, ok := v.Str(r.text[:0])
	if !ok {
		return false
	}
	column.StartNode(r.out, f.node)
	r.out.Str(f.node, 0, text)
	return true
}

// writeID writes an id in lower case.
func writeID(r *row, f *field, v ping.Value) bool {
	text, ok := v.Str(nil)
	if ok {
		r.setText(f.node, bytes.ToLower(text))
	}
	return ok
}

// writeTime writes a text, and the time in it if it can be read.
func writeTime(r *row, f *field, v ping.Value) bool {
	text, ok := v.Str(nil)
	if !ok {
		return false
	}
	r.setText(f.node, text)
	if micros, ok := times.Time(text); ok {
		column.StartNode(r.out, f.more)
		r.out.Long(f.more, 0, micros)
	}
	return true
}

// writeDatetime writes a metric, whose text is in the second column.
func writeDatetime(r *row, f *field, v ping.Value) bool {
	text := field{node: f.more, more: f.node}
	return writeTime(r, &text, v)
}

func writeLong(r *row, f *field, v ping.Value) bool {
	n, ok := v.Integer64()
	if ok {
		column.StartNode(r.out, f.node)
		r.out.Long(f.node, 0, n)
	}
	return ok
}

func writeBool(r *row, f *field, v ping.Value) bool {
	b, ok := v.Bool()
	if ok {
		column.StartNode(r.out, f.node)
		r.out.Bool(f.node, 0, b)
	}
	return ok
}

// writeJSON writes the text of any value.
func writeJSON(r *row, f *field, v ping.Value) bool {
	r.text = AppendCompact(r.text[:0], v.Raw())
	r.setText(f.node, r.text)
	return true
}

// writeTexts writes an object of texts to a struct.
func writeTexts(r *row, f *field, v ping.Value) bool {
	if v.Kind() != ping.Object {
		return false
	}
	column.StartNode(r.out, f.node)
	r.texts(f.node, 0, v)
	return true
}

// texts writes the members of an object of texts at a struct, and collects the others.
func (r *row) texts(n *column.Node, rep int16, v ping.Value) {
	members := r.membersOf(v)
	found := make([]bool, len(members))
	for i, f := range n.Fields {
		at := indexOf(members, n.FieldNames[i])
		if at < 0 {
			r.out.Null(f, rep)
			continue
		}
		text, ok := members[at].Value.Str(nil)
		if found[at] = ok; ok {
			r.out.Str(f, rep, text)
		} else {
			r.out.Null(f, rep)
		}
	}
	for i, m := range members {
		if !found[i] {
			r.rest.add(m.Key, m.Value)
		}
	}
}

func indexOf(members []ping.Member, name string) int {
	for i := range members {
		if string(members[i].Key) == name {
			return i
		}
	}
	return -1
}

// writeExperiments writes the experiments of a ping in the order of the document.
func writeExperiments(r *row, f *field, v ping.Value) bool {
	members := r.membersOf(v)
	if v.Kind() != ping.Object || len(members) > maxElements {
		return false
	}
	for _, m := range members {
		if kind := m.Value.Get("extra").Kind(); m.Value.Kind() != ping.Object || kind != ping.Missing && kind != ping.Null &&
			kind != ping.Object {
			return false
		}
	}
	n := f.node
	column.StartNode(r.out, n)
	branch, extra := member(n.Elem, "branch"), member(n.Elem, "extra")
	for i, m := range members {
		rep := n.ElemRep(i, 0)
		r.out.Str(n.Key, rep, m.Key)
		r.rest.enter(m.Key)
		r.experiment(branch, extra, rep, m.Value)
		r.rest.leave()
	}
	if len(members) == 0 {
		r.out.Empty(n, 0)
	}
	return true
}

func (r *row) experiment(branch, extra *column.Node, rep int16, v ping.Value) {
	hasBranch, hasExtra := false, false
	for _, m := range r.membersOf(v) {
		switch string(m.Key) {
		case "branch":
			if text, ok := m.Value.Str(nil); ok {
				r.out.Str(branch, rep, text)
				hasBranch = true
				continue
			}
		case "extra":
			if m.Value.Kind() == ping.Null {
				continue
			}
			r.rest.enter(m.Key)
			r.texts(extra, rep, m.Value)
			r.rest.leave()
			hasExtra = true
			continue
		}
		r.rest.add(m.Key, m.Value)
	}
	if !hasBranch {
		r.out.Null(branch, rep)
	}
	if !hasExtra {
		r.out.Null(extra, rep)
	}
}
