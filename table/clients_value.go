package table

import (
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

func splitPath(source string) []string { return strings.Split(source, "/") }

// shape is a type whose values are read from pings, with the names that members of structs have there.
type shape struct {
	kind   schema.Kind
	names  *ping.Names
	fields []*shape
	elem   *shape
	values []ping.Value // scratch: the members of a struct
}

func newShape(t schema.Type) *shape {
	s := &shape{kind: t.Kind}
	if t.Elem != nil {
		s.elem = newShape(*t.Elem)
	}
	if t.Kind != schema.Struct {
		return s
	}
	var names []string
	for _, f := range t.Fields {
		names = append(names, memberName(f.Name))
		s.fields = append(s.fields, newShape(f.Type))
	}
	s.names, s.values = ping.NewNames(names...), make([]ping.Value, len(names))
	return s
}

// fits reports whether a value can be read as the type. Members and elements need not be readable.
func (s *shape) fits(v ping.Value) bool {
	switch s.kind {
	case schema.Struct, schema.Map:
		return v.Kind() == ping.Object
	case schema.Array:
		return v.Kind() == ping.Array
	case schema.Int:
		_, ok := v.Integer32()
		return ok
	case schema.Long:
		_, ok := v.Integer64()
		return ok
	case schema.Double:
		_, ok := v.Float64()
		return ok
	case schema.Boolean:
		_, ok := v.Bool()
		return ok
	}
	t, ok := eachText(v, nil)
	return ok && len(t) <= MaxText
}

// eachText reads a text; integers, fractions and booleans are written as texts.
func eachText(v ping.Value, dst []byte) ([]byte, bool) {
	if v.Kind() == ping.Bool {
		_, ok := v.Bool()
		return v.Raw(), ok
	}
	return v.Text(dst)
}

// write writes a value that fits. Members that do not fit are null; elements and entries that do not fit are left out.
func (r *eachRow) write(n *column.Node, rep int16, v ping.Value, s *shape) {
	switch s.kind {
	case schema.Struct:
		s.names.Pick(v, s.values, MaxElements)
		for i, f := range n.Fields {
			if s.fields[i].fits(s.values[i]) {
				r.write(f, rep, s.values[i], s.fields[i])
			} else {
				r.out.Null(f, rep)
			}
		}
	case schema.Array:
		r.writeElements(n, rep, v, s)
	case schema.Map:
		r.writeEntries(n, rep, v, s)
	case schema.Int:
		i, _ := v.Integer32()
		r.out.Int(n, rep, i)
	case schema.Long:
		i, _ := v.Integer64()
		r.out.Long(n, rep, i)
	case schema.Double:
		f, _ := v.Float64()
		r.out.Double(n, rep, f)
	case schema.Boolean:
		b, _ := v.Bool()
		r.out.Bool(n, rep, b)
	default:
		t, _ := eachText(v, r.text[:0])
		r.out.Str(n, rep, t)
	}
}

func (r *eachRow) writeElements(n *column.Node, rep int16, v ping.Value, s *shape) {
	all, whole := v.FirstElements(nil, MaxElements)
	if !whole {
		r.out.LeaveOut(r.col)
	}
	written := 0
	for _, e := range all {
		if s.elem.fits(e) {
			r.write(n.Elem, n.ElemRep(written, rep), e, s.elem)
			written++
		}
	}
	if written == 0 {
		r.out.Empty(n, rep)
	}
}

func (r *eachRow) writeEntries(n *column.Node, rep int16, v ping.Value, s *shape) {
	written := 0
	for _, m := range r.entries(v) {
		if s.elem.fits(m.Value) {
			at := n.ElemRep(written, rep)
			r.out.Str(n.Key, at, m.Key)
			r.write(n.Elem, at, m.Value, s.elem)
			written++
		}
	}
	if written == 0 {
		r.out.Empty(n, rep)
	}
}

// entries returns the members of an object that may be entries of a map.
func (r *eachRow) entries(v ping.Value) []ping.Member {
	all, whole := v.FirstMembers(nil, MaxElements)
	if !whole {
		r.out.LeaveOut(r.col)
	}
	entries := all[:0]
	for _, m := range all {
		if !tooLong(r.out, r.col, m.Key) {
			entries = append(entries, m)
		}
	}
	return entries
}

// scalarType returns the type of a scalar's value.
func scalarType(col *schema.Column) schema.Type {
	t := col.Element()
	if col.Scalar.Keyed {
		t = *t.Elem
	}
	return t.Fields[0].Type
}

// fitsScalar reports whether a value is one of the scalar: a text scalar takes texts only.
func (op *eachOp) fitsScalar(v ping.Value) bool {
	if op.col.Scalar.Kind == schema.ScalarString && v.Kind() != ping.String {
		return false
	}
	return op.shape.fits(v)
}

func setScalar(r *eachRow, op *eachOp) bool {
	r.writeScalar(r.out.Start(r.col), 0, r.doc.Value(op.slot), op)
	return true
}

// writeScalar writes the struct with a scalar's value, or with a null.
func (r *eachRow) writeScalar(n *column.Node, rep int16, v ping.Value, op *eachOp) {
	if !op.fitsScalar(v) {
		op.bad = op.bad || v.Kind() != ping.Missing && v.Kind() != ping.Null
		zeroScalar(r.out, n, rep, op)
		return
	}
	r.write(n.Fields[0], rep, v, op.shape)
}

func zeroScalar(b *column.Batch, n *column.Node, rep int16, _ *eachOp) { b.Null(n.Fields[0], rep) }

func setKeyedEachScalar(r *eachRow, op *eachOp) bool {
	v := r.doc.Value(op.slot)
	if v.Kind() != ping.Object {
		op.bad = v.Kind() != ping.Missing && v.Kind() != ping.Null
		return true
	}
	r.keyed(v, func(n *column.Node, rep int16, v ping.Value) { r.writeScalar(n, rep, v, op) })
	return true
}

// keyed writes the entries of a keyed probe, each with a function.
func (r *eachRow) keyed(v ping.Value, write func(n *column.Node, rep int16, v ping.Value)) {
	n := r.out.Start(r.col)
	entries := r.entries(v)
	if len(entries) == 0 {
		r.out.Empty(n, 0)
	}
	for i, m := range entries {
		rep := n.ElemRep(i, 0)
		r.out.Str(n.Key, rep, m.Key)
		write(n.Elem, rep, m.Value)
	}
}

// irregularNames are the names of members in the ping that are not the camel case of the column's.
var irregularNames = map[string]string{
	"submission_url": "submissionURL", "memory_mb": "memoryMB", "windows_ubr": "windowsUBR", "virtual_max_mb": "virtualMaxMB",
	"l2cache_kb": "l2cacheKB", "l3cache_kb": "l3cacheKB", "speed_mhz": "speedMHz", "d2d_enabled": "D2DEnabled",
	"d_write_enabled": "DWriteEnabled", "vendor_id": "vendorID", "device_id": "deviceID", "subsys_id": "subsysID", "ram": "RAM",
	"gpu_active": "GPUActive", "first_load_uri": "firstLoadURI",
}

// memberName returns the name that a member of a struct of a table of snapshots has in the ping.
func memberName(name string) string {
	if n, ok := irregularNames[name]; ok {
		return n
	}
	var out strings.Builder
	upper := false
	for _, r := range name {
		switch {
		case r == '_':
			upper = true
		case upper && r < utf8.RuneSelf:
			out.WriteString(strings.ToUpper(string(r)))
			upper = false
		default:
			out.WriteRune(r)
			upper = false
		}
	}
	return out.String()
}
