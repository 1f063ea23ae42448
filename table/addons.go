package table

import (
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// addons makes a row for each add-on of each ping with a client id.
type addons struct {
	in      *input
	table   *schema.Table
	client  located
	copies  []copied
	members []int // position in the add-on struct, by output column; -1: not a member
	id      int   // output column of the add-on's id
	cost    int   // of an add-on of the row at hand, of MaxClientBytes
}

// copied is an output column that is copied from an input column.
type copied struct {
	name string
	col  int
	loc  located
	val  []byte // of the row at hand, in memory of the output; nil: null
}

func newAddons(t *schema.Table, in *input) Rows {
	return &addons{in: in, table: t, id: t.Index("addon_id")}
}

func (a *addons) Flush(*column.Batch, func() error) error { return nil }

func (a *addons) Add(out, in *column.Batch, row func() error) error {
	in.Finish()
	out.MaxText = MaxText
	n := a.in.node(in, "active_addons")
	if n == nil || !a.client.load(a.in, in, "client_id") {
		return nil
	}
	if a.members == nil {
		a.prepare(n.Elem)
	}
	for i := range a.copies {
		a.copies[i].loc.load(a.in, in, a.copies[i].name)
	}
	ids := &in.Leaves[n.Elem.Fields[0].Leaf]
	next := make([]int, len(n.Elem.Fields)) // next value by struct member
	r, with, spent := -1, false, 0
	for at := range ids.Def {
		if ids.Rep[at] == 0 {
			r++
			if with = text(a.client.leaf, a.client.at[r]) != nil; with {
				a.copyRow(out, r)
			}
			spent = 0
		}
		if spent += a.cost; with && spent > MaxClientBytes {
			out.LeaveOut(a.id)
			with = false
		}
		if with {
			for i := range a.copies {
				if c := &a.copies[i]; c.val != nil {
					out.SetShared(c.col, c.val)
				}
			}
		}
		a.element(out, in, n.Elem, at, next, with)
		if with {
			out.EndRow()
			if err := row(); err != nil {
				return err
			}
			if out.Rows == 0 {
				a.copyRow(out, r)
			}
		}
	}
	return nil
}

// copyRow copies the values of input row r that all its add-ons share.
func (a *addons) copyRow(out *column.Batch, r int) {
	a.cost = entryBytes
	for i := range a.copies {
		c := &a.copies[i]
		if c.val = text(c.loc.leaf, c.loc.at[r]); c.val != nil {
			c.val = out.Copy(c.val)
		}
		a.cost += len(c.val)
	}
}

func (a *addons) prepare(elem *column.Node) {
	for i, c := range a.table.Columns {
		member := -1
		if c.Rule == schema.RuleElem {
			for j, f := range elem.FieldNames {
				if f == c.Arg {
					member = j
				}
			}
		} else {
			a.copies = append(a.copies, copied{name: c.Name, col: i})
		}
		a.members = append(a.members, member)
	}
}

// element copies the members of the add-on at a level entry, if the row is
// wanted, and passes their values.
func (a *addons) element(out, in *column.Batch, elem *column.Node, at int, next []int, with bool) {
	for col, member := range a.members {
		if member < 0 {
			continue
		}
		l := &in.Leaves[elem.Fields[member].Leaf]
		if l.Def[at] < l.MaxDef {
			continue
		}
		i := next[member]
		next[member]++
		if !with {
			continue
		}
		switch l.Kind {
		case schema.Boolean:
			out.SetBool(col, l.Bools[i])
		case schema.Int:
			out.SetInt(col, l.Ints[i])
		default:
			out.SetBytes(col, l.Bytes[i])
		}
	}
}
