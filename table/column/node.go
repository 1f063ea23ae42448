package column

import "github.com/pingmill/pingmill/schema"

// Node is one place of the schema tree: a scalar, or the array, map or struct
// around others. It knows which leaves lie below it and at which levels a null
// or an empty value of it is written.
type Node struct {
	Type       schema.Type
	Nullable   bool
	Def        int16 // definition level when this node is present (not null)
	Rep        int16 // repetition level of the node itself; its elements repeat at Rep+1
	Leaf       int   // index of its first leaf
	Leaves     int   // number of leaves below it
	Key        *Node
	Elem       *Node
	Fields     []*Node
	FieldNames []string
}

// level is the position of a node under its parents.
type level struct {
	def, rep int16
	nullable bool
	present  int16 // definition level of the innermost struct around that every row has
}

// build makes the node of one type and the leaves below it.
func (b *Batch) build(col int, t schema.Type, path []string, at level) *Node {
	n := &Node{Type: t, Nullable: at.nullable, Def: at.def, Rep: at.rep, Leaf: len(b.Leaves)}
	if at.nullable {
		n.Def++
	}
	sub := func(t schema.Type, nullable bool, repeated bool, names ...string) *Node {
		l := level{def: n.Def, rep: n.Rep, nullable: nullable, present: at.present}
		if t := n.Type; t.Present && at.present == at.def {
			l.present = n.Def
		}
		if repeated {
			l.def++
			l.rep++
		}
		p := append(append([]string(nil), path...), names...)
		return b.build(col, t, p, l)
	}
	switch t.Kind {
	case schema.Array:
		n.Elem = sub(*t.Elem, !t.ElemNotNull, true, "list", "element")
	case schema.Map:
		n.Key = sub(*t.Key, false, true, "key_value", "key")
		n.Elem = sub(*t.Elem, true, true, "key_value", "value")
	case schema.Struct:
		for _, f := range t.Fields {
			n.Fields = append(n.Fields, sub(f.Type, !f.NotNull, false, f.Name))
			n.FieldNames = append(n.FieldNames, f.Name)
		}
	default:
		b.Leaves = append(b.Leaves, Leaf{
			Path: path, Column: col, Kind: t.Kind.Stored(), Precision: t.Precision, Scale: t.Scale,
			MaxDef: n.Def, MaxRep: n.Rep, NullDef: at.present,
		})
	}
	n.Leaves = len(b.Leaves) - n.Leaf
	return n
}

// Node returns the tree of column i.
func (b *Batch) Node(i int) *Node { return b.nodes[i] }
