package glean

import (
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// compileMetrics prepares the columns of the metrics, by type and id.
func (p *Pings) compileMetrics(n *column.Node, typ schema.Type) {
	p.types, p.byColumn, p.columns = map[string]map[string]*field{}, map[string]map[string]*field{}, map[string]string{}
	for i, typeNode := range n.Fields {
		name := n.FieldNames[i]
		ids, columns := map[string]*field{}, map[string]*field{}
		members := typ.Fields[i].Type.Fields
		for k, f := range typeNode.Fields {
			if members[k].Rule == glean.RuleRaw {
				continue
			}
			m := &field{node: f, write: metricWriter(name, f)}
			if name == "datetime" {
				m.more = member(typeNode, "raw_"+members[k].Name)
			}
			if id := members[k].Source; id != "" {
				ids[id] = m
			} else {
				columns[members[k].Name] = m
			}
		}
		p.types[name], p.byColumn[name] = ids, columns
	}
}

// metricWriter returns how values of a metric type are written.
func metricWriter(typ string, n *column.Node) func(*row, *field, ping.Value) bool {
	labeled, is := strings.CutPrefix(typ, "labeled_")
	switch {
	case is:
		return writeLabeled(entryOf(labeled))
	case typ == "dual_labeled_counter":
		return writeLabeled(mapEntry(countEntry))
	case typ == "datetime":
		return writeDatetime
	case typ == "object":
		return writeJSON
	case typ == "string_list":
		return writeTextList
	case n.Type.Kind == schema.Boolean:
		return writeBool
	case n.Type.Kind == schema.Long:
		return writeLong
	case n.Type.Kind == schema.Struct:
		return writeEntry(entryOf(typ))
	}
	return writeText
}

// metricTypes writes the metrics of the document.
func (p *Pings) metricTypes(r *row, document ping.Member) {
	r.rest.enter(document.Key)
	for _, typ := range r.membersOf(document.Value) {
		if typ.Value.Kind() != ping.Object {
			r.rest.add(typ.Key, typ.Value)
			continue
		}
		r.rest.enter(typ.Key)
		ids, columns := p.types[string(typ.Key)], p.byColumn[string(typ.Key)]
		for _, m := range r.membersOf(typ.Value) {
			f, known := ids[string(m.Key)]
			if !known && len(columns) > 0 {
				if f, known = columns[p.columnOf(m.Key)]; known {
					known = f.row != p.rows
					f.row = p.rows
				}
			}
			if !known || !r.write(f, m) {
				r.rest.add(m.Key, m.Value)
			}
		}
		r.rest.leave()
	}
	r.rest.leave()
}

// maxColumnNames limits the names of columns that are remembered: clients could send any number of metrics.
const maxColumnNames = 10_000

// columnOf returns the column of a metric.
func (p *Pings) columnOf(id []byte) string {
	name, known := p.columns[string(id)]
	if !known {
		name = glean.ColumnName(string(id))
		if len(p.columns) < maxColumnNames {
			p.columns[string(id)] = name
		}
	}
	return name
}

// writeTextList writes an array of texts.
func writeTextList(r *row, f *field, v ping.Value) bool {
	elements, ok := r.texted(v)
	if !ok {
		return false
	}
	n := f.node
	column.StartNode(r.out, n)
	for i, e := range elements {
		text, _ := e.Str(r.text[:0])
		r.out.Str(n.Elem, n.ElemRep(i, 0), text)
	}
	if len(elements) == 0 {
		r.out.Empty(n, 0)
	}
	return true
}

// texted returns the elements of an array of texts.
func (r *row) texted(v ping.Value) (elements []ping.Value, ok bool) {
	if v.Kind() != ping.Array {
		return nil, false
	}
	elements, ok = v.FirstElements(r.values[:0], maxElements)
	r.values = elements
	for _, e := range elements {
		ok = ok && e.Kind() == ping.String
	}
	return elements, ok
}

// entry checks a value inside of a map or struct, and then writes it. A value is written as a whole. If a part does not
// fit, the whole value stays in additional_properties.
type entry struct {
	fits  func(r *row, v ping.Value) bool
	write func(r *row, n *column.Node, rep int16, v ping.Value)
}

// entryOf returns the entry of a metric type below a label.
func entryOf(typ string) entry {
	switch typ {
	case "boolean":
		return entry{
			func(_ *row, v ping.Value) bool { _, ok := v.Bool(); return ok },
			func(r *row, n *column.Node, rep int16, v ping.Value) { b, _ := v.Bool(); r.out.Bool(n, rep, b) },
		}
	case "string":
		return textEntry
	case "rate":
		return structEntry(map[string]entry{"denominator": countEntry, "numerator": countEntry}, "denominator", "numerator")
	case "timespan":
		return structEntry(map[string]entry{"time_unit": textEntry, "value": countEntry}, "time_unit", "value")
	case "timing_distribution", "memory_distribution", "custom_distribution":
		return structEntry(map[string]entry{"sum": countEntry, "values": mapEntry(countEntry)}, "values")
	}
	return countEntry
}

var textEntry = entry{
	func(_ *row, v ping.Value) bool { return v.Kind() == ping.String },
	func(r *row, n *column.Node, rep int16, v ping.Value) {
		text, _ := v.Str(r.text[:0])
		r.out.Str(n, rep, text)
	},
}

var countEntry = entry{
	func(_ *row, v ping.Value) bool { _, ok := v.Integer64(); return ok },
	func(r *row, n *column.Node, rep int16, v ping.Value) {
		count, _ := v.Integer64()
		r.out.Long(n, rep, count)
	},
}

// structEntry returns an object with these members. The required ones must exist. Others are collected.
func structEntry(members map[string]entry, required ...string) entry {
	return entry{
		fits: func(r *row, v ping.Value) bool {
			if v.Kind() != ping.Object {
				return false
			}
			found := 0
			for _, m := range r.membersOf(v) {
				inner, known := members[string(m.Key)]
				if known && !inner.fits(r, m.Value) {
					return false
				}
				for _, name := range required {
					if name == string(m.Key) {
						found++
					}
				}
			}
			return found == len(required)
		},
		write: func(r *row, n *column.Node, rep int16, v ping.Value) {
			all := r.membersOf(v)
			for i, f := range n.Fields {
				if at := indexOf(all, n.FieldNames[i]); at >= 0 {
					members[n.FieldNames[i]].write(r, f, rep, all[at].Value)
				} else {
					r.out.Null(f, rep)
				}
			}
			for _, m := range all {
				if _, known := members[string(m.Key)]; !known {
					r.rest.add(m.Key, m.Value)
				}
			}
		},
	}
}

// mapEntry returns an object of values of one kind, as a map.
func mapEntry(inner entry) entry {
	return entry{
		fits: func(r *row, v ping.Value) bool {
			members := r.membersOf(v)
			if v.Kind() != ping.Object || len(members) > maxElements {
				return false
			}
			for _, m := range members {
				if !inner.fits(r, m.Value) {
					return false
				}
			}
			return true
		},
		write: func(r *row, n *column.Node, rep int16, v ping.Value) {
			members := r.membersOf(v)
			for i, m := range members {
				at := n.ElemRep(i, rep)
				r.out.Str(n.Key, at, m.Key)
				r.rest.enter(m.Key)
				inner.write(r, n.Elem, at, m.Value)
				r.rest.leave()
			}
			if len(members) == 0 {
				r.out.Empty(n, rep)
			}
		},
	}
}

// writeEntry writes a metric by an entry.
func writeEntry(inner entry) func(*row, *field, ping.Value) bool {
	return func(r *row, f *field, v ping.Value) bool {
		if !inner.fits(r, v) {
			return false
		}
		column.StartNode(r.out, f.node)
		inner.write(r, f.node, 0, v)
		return true
	}
}

// writeLabeled writes a metric with labels.
func writeLabeled(inner entry) func(*row, *field, ping.Value) bool {
	return writeEntry(mapEntry(inner))
}
