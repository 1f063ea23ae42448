package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// crashFuncs maps the computed columns of crash_summary to their functions.
var crashFuncs = columnFuncs{
	"experiment_id":     crashExperiment,
	"experiment_branch": crashExperiment,
	"experiments": at(func(r *pingRow, op *pingOp) {
		r.writeBranches(op, r.entriesOf(op, r.doc.Value(op.slot), &r.members)) // none are an empty map here
	}),
	"payload": at(setCrashPayload),
}

// crashExperiment is a member of the running experiment, null unless the
// experiment has both id and branch. One of them may be null: that is not lacking.
func crashExperiment(c *compiler, op *pingOp, path []string) {
	parent := path[:len(path)-1]
	op.slot = c.paths.Add(path...)
	id := c.paths.Add(append(parent[:len(parent):len(parent)], "id")...)
	branch := c.paths.Add(append(parent[:len(parent):len(parent)], "branch")...)
	op.run = func(r *pingRow, op *pingOp) {
		if textOrNull(r.doc.Value(id)) && textOrNull(r.doc.Value(branch)) {
			setText(r, op)
		}
	}
}

func textOrNull(v ping.Value) bool {
	switch v.Kind() {
	case ping.String, ping.Number, ping.Null:
		return true
	}
	return false
}

func setCrashPayload(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	if v.Kind() != ping.Object {
		return
	}
	n := r.out.Start(op.col)
	for i, name := range n.FieldNames {
		r.writeTree(op, n.Fields[i], 0, v.Get(name))
	}
}

// writeTree writes a value at a node of scalar type, or as a map of text by
// rule S; a wrong type is null.
func (r *pingRow) writeTree(op *pingOp, n *column.Node, rep int16, v ping.Value) {
	if n.Type.Kind != schema.Map {
		r.writeValue(n, rep, v)
		return
	}
	if v.Kind() != ping.Object {
		r.out.Null(n, rep)
		return
	}
	entries := r.entriesOf(op, v, &r.members)
	for i, m := range entries {
		at := n.ElemRep(i, rep)
		r.out.Str(n.Key, at, m.Key)
		r.writeValue(n.Elem, at, m.Value)
	}
	if len(entries) == 0 {
		r.out.Empty(n, rep)
	}
}
