package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

func (c *compiler) scalar(op *pingOp, path []string, s *schema.Scalar) {
	op.slot = c.paths.Add(append(path, s.Name)...)
	op.alt = c.paths.Add(append(keyedSibling(path), s.Name)...)
	kind := s.Kind
	if s.Keyed {
		op.run = func(r *pingRow, op *pingOp) { setKeyedScalar(r, op, kind) }
		return
	}
	op.run = func(r *pingRow, op *pingOp) {
		if v := r.section(op); v.Kind() != ping.Missing {
			r.setScalar(op.col, v, kind)
		}
	}
}

func (r *pingRow) setScalar(col int, v ping.Value, kind schema.ScalarKind) {
	switch kind {
	case schema.ScalarUint:
		if n, ok := v.Integer32(); ok {
			r.out.SetInt(col, n)
		}
	case schema.ScalarBoolean:
		if b, ok := v.Bool(); ok {
			r.out.SetBool(col, b)
		}
	default:
		if t, ok := scalarText(v, r.text[:0]); ok {
			r.out.SetBytes(col, t)
		}
	}
}

// scalarText reads a string scalar: a string, or the digits of an integer.
func scalarText(v ping.Value, dst []byte) ([]byte, bool) {
	if v.Kind() == ping.Number {
		for _, c := range v.Raw() {
			if c == '.' || c == 'e' || c == 'E' {
				return nil, false
			}
		}
	}
	return v.Text(dst)
}

// usable reports whether a scalar's value passes its kind.
func (r *pingRow) usable(op *pingOp, v ping.Value, kind schema.ScalarKind) bool {
	ok := false
	switch kind {
	case schema.ScalarUint:
		_, ok = v.Integer32()
	case schema.ScalarBoolean:
		_, ok = v.Bool()
	default:
		var t []byte
		t, ok = scalarText(v, r.text[:0])
		ok = ok && !tooLong(r.out, op.col, t)
	}
	return ok
}

// writeScalar writes a usable value at node n.
func (r *pingRow) writeScalar(n *column.Node, rep int16, v ping.Value, kind schema.ScalarKind) {
	switch kind {
	case schema.ScalarUint:
		i, _ := v.Integer32()
		r.out.Int(n, rep, i)
	case schema.ScalarBoolean:
		b, _ := v.Bool()
		r.out.Bool(n, rep, b)
	default:
		t, _ := scalarText(v, r.text[:0])
		r.out.Str(n, rep, t)
	}
}

// usableMembers returns the members of a keyed scalar that pass its kind.
func (r *pingRow) usableMembers(op *pingOp, v ping.Value, kind schema.ScalarKind) []ping.Member {
	all := r.entriesOf(op, v, &r.inner)
	good := all[:0]
	for _, m := range all {
		if r.usable(op, m.Value, kind) {
			good = append(good, m)
		}
	}
	return good
}

func setKeyedScalar(r *pingRow, op *pingOp, kind schema.ScalarKind) {
	v := r.section(op)
	if v.Kind() != ping.Object {
		return
	}
	if ms := r.usableMembers(op, v, kind); len(ms) > 0 {
		r.writeMembers(r.out.Start(op.col), 0, ms, kind)
	}
}

func (r *pingRow) writeMembers(n *column.Node, rep int16, ms []ping.Member, kind schema.ScalarKind) {
	for i, m := range ms {
		at := n.ElemRep(i, rep)
		r.out.Str(n.Key, at, m.Key)
		r.writeScalar(n.Elem, at, m.Value, kind)
	}
}

// addonScalar is one definition of the dynamic process.
type addonScalar struct {
	key       []byte
	slot, alt ping.Slot
}

// addonScalars makes the function of one addon-scalar map: the definitions of
// its kind that the ping has and that are usable. The map is never null.
func addonScalars(all []schema.Scalar, kind schema.ScalarKind, keyed bool) func(*compiler, *pingOp, []string) {
	return func(c *compiler, op *pingOp, _ []string) {
		var list []addonScalar
		for _, s := range all {
			if s.Kind == kind && s.Keyed == keyed {
				list = append(list, addonScalar{
					[]byte(s.Column),
					c.paths.Add("payload", "processes", "dynamic", "scalars", s.Name),
					c.paths.Add("payload", "processes", "dynamic", "keyedScalars", s.Name),
				})
			}
		}
		op.run = func(r *pingRow, op *pingOp) { setAddonScalars(r, op, list, kind, keyed) }
	}
}

func setAddonScalars(r *pingRow, op *pingOp, list []addonScalar, kind schema.ScalarKind, keyed bool) {
	n := r.out.Start(op.col)
	written := 0
	for _, s := range list {
		v := r.section(&pingOp{slot: s.slot, alt: s.alt})
		if keyed {
			if ms := r.usableMembers(op, v, kind); len(ms) > 0 {
				at := n.ElemRep(written, 0)
				r.out.Str(n.Key, at, s.key)
				r.writeMembers(n.Elem, at, ms, kind)
				written++
			}
		} else if r.usable(op, v, kind) {
			at := n.ElemRep(written, 0)
			r.out.Str(n.Key, at, s.key)
			r.writeScalar(n.Elem, at, v, kind)
			written++
		}
	}
	if written == 0 {
		r.out.Empty(n, 0)
	}
}
