package schema

import (
	"fmt"
	"slices"
	"strings"
)

// changeKind is the effect of a change of definitions on a column.
type changeKind string

// The kinds of changes.
const (
	added   changeKind = "added"   // partitions made before read null
	removed changeKind = "removed" // new partitions lack it, those made before keep it in their files
	retyped changeKind = "retyped" // not possible within a version of the table
	Remade  changeKind = "remade"  // same type, but its values come about in another way
)

// Change is one difference between two definitions of a table.
type Change struct {
	Kind     changeKind
	Column   string
	Old, New string // type or, of Remade, definition; "" where there is none
}

// String writes a change on one line.
func (c Change) String() string {
	switch c.Kind {
	case added:
		return fmt.Sprintf("+ %s %s", c.Column, c.New)
	case removed:
		return fmt.Sprintf("- %s %s", c.Column, c.Old)
	case retyped:
		return fmt.Sprintf("! %s %s becomes %s", c.Column, c.Old, c.New)
	}
	return fmt.Sprintf("~ %s: %s becomes %s", c.Column, c.Old, c.New)
}

// Diff lists the differences between two definitions of a table: first the
// columns of before that changed, in their order, then the added ones in
// after's order. Docs do not count, nor does the order of columns.
func Diff(before, after []Column) []Change {
	var changes []Change
	in := make(map[string]*Column, len(after))
	for i := range after {
		in[after[i].Name] = &after[i]
	}
	had := make(map[string]bool, len(before))
	for i := range before {
		old := &before[i]
		had[old.Name] = true
		if now := in[old.Name]; now != nil && now.NotNull == old.NotNull && now.Type.holds(&old.Type) {
			changes = grown(changes, old.Name, &old.Type, &now.Type)
			if c, differs := remade(old, now); differs {
				changes = append(changes, c)
			}
		} else if c, differs := changed(old, now); differs {
			changes = append(changes, c)
		}
	}
	for i := range after {
		if c := &after[i]; !had[c.Name] {
			changes = append(changes, Change{Kind: added, Column: c.Name, New: c.typeText()})
		}
	}
	return changes
}

func changed(old, now *Column) (Change, bool) {
	c := Change{Column: old.Name, Old: old.typeText()}
	if now == nil {
		c.Kind = removed
		return c, true
	}
	if path, was := now.Type.lost(&old.Type); path != "" {
		return Change{Kind: retyped, Column: old.Name + path, Old: was, New: "no member"}, true
	}
	if c.New = now.typeText(); c.New != c.Old {
		c.Kind = retyped
		return c, true
	}
	return remade(old, now)
}

// remade returns the change of a column whose type stays.
func remade(old, now *Column) (Change, bool) {
	c := Change{Kind: Remade, Column: old.Name, Old: old.making(), New: now.making()}
	return c, c.Old != c.New
}

// grown appends the members that structs of a type have got since.
func grown(changes []Change, at string, old, now *Type) []Change {
	if now.Kind != Struct {
		return changes
	}
	for i := range now.Fields {
		f := &now.Fields[i]
		if was := old.field(f.Name); was != nil {
			changes = grown(changes, at+"."+f.Name, &was.Type, &f.Type)
		} else {
			changes = append(changes, Change{Kind: added, Column: at + "." + f.Name, New: f.Type.String()})
		}
	}
	return changes
}

func (c *Column) typeText() string { return c.Type.String() + notNull(c.NotNull) }

// making describes how the column's values are computed, as far as the probe definitions can change it.
func (c *Column) making() string {
	s := c.Arg
	if h := c.Histogram; h != nil {
		s += " " + h.Kind.String()
		if len(h.Labels) > 0 {
			s += " " + strings.Join(h.Labels, ",")
		}
	}
	if c.Scalar != nil {
		s += " " + c.Scalar.Kind.String()
	}
	return s
}

// Retypings returns the changes that are impossible within a version of a table.
func Retypings(changes []Change) []Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return c.Kind != retyped })
}

// DiffAddonScalars lists the differences in the keys of the addon-scalar maps.
// They are no columns: a key that is new is absent from older rows, and one
// whose kind changes goes on in another map.
func DiffAddonScalars(before, after *Probes) []Change {
	asColumns := func(scalars []Scalar) []Column {
		cols := make([]Column, len(scalars))
		for i := range scalars {
			s := &scalars[i]
			cols[i] = Column{Name: s.Column, Arg: "in " + s.mapName(), Type: Type{Kind: String}}
		}
		return cols
	}
	place := map[string]string{}
	for _, s := range slices.Concat(after.AddonScalars, before.AddonScalars) {
		place[s.Column] = "in " + s.mapName()
	}
	changes := Diff(asColumns(before.AddonScalars), asColumns(after.AddonScalars))
	for i := range changes {
		c := &changes[i]
		switch c.Kind {
		case added:
			c.New = place[c.Column]
		case removed:
			c.Old = place[c.Column]
		}
		c.Column = "addon scalar " + c.Column
	}
	return changes
}

// mapName names the column that holds an addon scalar.
func (s *Scalar) mapName() string {
	name := map[ScalarKind]string{ScalarUint: "uint", ScalarBoolean: "boolean", ScalarString: "string"}[s.Kind] + "_addon_scalars"
	if s.Keyed {
		return "keyed_" + name
	}
	return name
}
