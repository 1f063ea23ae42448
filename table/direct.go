package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// treeFuncs returns the nested columns of tables such as the direct-to-parquet ones: trees of the document whose names
// are made hive-compatible, and the metadata.
func treeFuncs(t *schema.Table) columnFuncs {
	funcs := columnFuncs{"metadata": directMeta}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Rule == schema.RuleFunc && c.Name != "metadata" {
			funcs[c.Name] = directTree(c.Type)
		}
	}
	return funcs
}

// directTree writes an object of the document as nested structs.
func directTree(t schema.Type) func(*compiler, *pingOp, []string) {
	fields := hiveFields(t)
	return func(c *compiler, op *pingOp, path []string) {
		op.slot = c.paths.Add(path...)
		op.run = func(r *pingRow, op *pingOp) {
			if v := r.doc.Value(op.slot); isGroup(v) {
				r.writeStruct(op, r.out.Start(op.col), 0, v, fields)
			}
		}
	}
}

// hiveField finds a struct's members by the hive-compatible form of their
// names in the document, and as they are.
type hiveField struct {
	index map[string]int
	sub   []*hiveField
}

func hiveFields(t schema.Type) *hiveField {
	if t.Kind != schema.Struct {
		return nil
	}
	h := &hiveField{index: map[string]int{}}
	for i, f := range t.Fields {
		h.index[f.Name] = i
		h.sub = append(h.sub, hiveFields(f.Type))
	}
	return h
}

// find returns the member for a name of the document, which counts as it is or in its hive-compatible form; -1 for
// others.
func (h *hiveField) find(key []byte) int {
	if i, ok := h.index[string(key)]; ok {
		return i
	}
	if i, ok := h.index[schema.HiveName(string(key))]; ok {
		return i
	}
	return -1
}

// isGroup reports whether a value is a struct: an object, or the empty array that some clients write for an empty one.
func isGroup(v ping.Value) bool {
	return v.Kind() == ping.Object || v.Kind() == ping.Array && empty(v)
}

// empty reports whether an array or object holds nothing.
func empty(v ping.Value) bool {
	var buf [1]ping.Value
	var member [1]ping.Member
	es, _ := v.FirstElements(buf[:0], 1)
	ms, _ := v.FirstMembers(member[:0], 1)
	return len(es)+len(ms) == 0
}

// writeStruct writes the members of a group; missing and wrong-typed ones are null.
func (r *pingRow) writeStruct(op *pingOp, n *column.Node, rep int16, v ping.Value, h *hiveField) {
	values := make([]ping.Value, len(n.Fields))
	members, _ := r.membersOf(op, v, new([]ping.Member))
	for _, m := range members {
		if i := h.find(m.Key); i >= 0 {
			values[i] = m.Value
		}
	}
	for i, f := range n.Fields {
		switch f.Type.Kind {
		case schema.Struct:
			if isGroup(values[i]) {
				r.writeStruct(op, f, rep, values[i], h.sub[i])
			} else {
				r.out.Null(f, rep)
			}
		case schema.Array:
			r.writeNames(op, f, rep, values[i])
		default:
			r.writeValue(f, rep, values[i])
		}
	}
}

// writeNames writes an array of texts whose null elements stay; [] and {} are
// the empty array.
func (r *pingRow) writeNames(op *pingOp, n *column.Node, rep int16, v ping.Value) {
	names, _ := r.elementsOf(op, v)
	switch {
	case v.Kind() != ping.Array && (v.Kind() != ping.Object || !empty(v)):
		r.out.Null(n, rep)
	case len(names) == 0:
		r.out.Empty(n, rep)
	}
	for i, e := range names {
		r.writeValue(n.Elem, n.ElemRep(i, rep), e)
	}
}

// directMeta writes the metadata struct: each member from the metadata field
// of the same hive-compatible name.
func directMeta(_ *compiler, op *pingOp, _ []string) {
	byName := map[string]ping.MetaField{}
	for f := ping.MetaField(0); f < ping.NumMetaFields; f++ {
		byName[schema.HiveName(f.Name())] = f
	}
	op.run = func(r *pingRow, op *pingOp) {
		n := r.out.Start(op.col)
		for i, m := range n.Fields {
			f := byName[n.FieldNames[i]]
			if f.IsInt() {
				if v, ok := r.meta.Int(f); ok {
					r.out.Long(m, 0, v)
					continue
				}
			} else if t := r.meta.Text(f); t != nil {
				r.out.Str(m, 0, t)
				continue
			}
			r.out.Null(m, 0)
		}
	}
}
