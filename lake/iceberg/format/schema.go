package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/schema"
)

// Schema is one schema of a table.
type Schema struct {
	ID     int     `json:"schema-id"`
	Kind   string  `json:"type"` // struct
	Fields []Field `json:"fields"`

	raw json.RawMessage // as it was read
}

// Field is a column, or a member of a struct.
type Field struct {
	ID       int    `json:"id"`
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Type     Type   `json:"type"`
	Doc      string `json:"doc,omitempty"`
}

// Type is a primitive type by its name, or a nested one.
type Type struct {
	Name   string
	Nested *Nested
}

// Nested is a struct, a list or a map, as Kind says.
type Nested struct {
	Kind string `json:"type"`

	Fields []Field `json:"fields,omitempty"` // struct

	ElementID       int   `json:"element-id,omitempty"` // list
	Element         *Type `json:"element,omitempty"`
	ElementRequired *bool `json:"element-required,omitempty"`

	KeyID         int   `json:"key-id,omitempty"` // map
	Key           *Type `json:"key,omitempty"`
	ValueID       int   `json:"value-id,omitempty"`
	Value         *Type `json:"value,omitempty"`
	ValueRequired *bool `json:"value-required,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (t Type) MarshalJSON() ([]byte, error) {
	if t.Nested != nil {
		return json.Marshal(t.Nested)
	}
	return json.Marshal(t.Name)
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Type) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &t.Name)
	}
	t.Nested = new(Nested)
	if err := json.Unmarshal(b, t.Nested); err != nil {
		return err
	}
	return t.Nested.check()
}

func (n *Nested) check() error {
	switch {
	case n.Kind == "struct",
		n.Kind == "list" && n.Element != nil,
		n.Kind == "map" && n.Key != nil && n.Value != nil:
		return nil
	}
	return fmt.Errorf("a type of kind %q is not whole", n.Kind)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Schema) UnmarshalJSON(b []byte) error {
	type plain Schema
	if err := json.Unmarshal(b, (*plain)(s)); err != nil {
		return err
	}
	s.raw = bytes.Clone(b)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (s Schema) MarshalJSON() ([]byte, error) {
	if s.raw != nil {
		return s.raw, nil
	}
	type plain Schema
	return json.Marshal(plain(s))
}

// Find returns the column of a name, or nil.
func (s *Schema) Find(name string) *Field {
	return find(s.Fields, name)
}

func find(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// ErrRetyped means that a column of a table has another type in its definition.
var ErrRetyped = errors.New("a column has another type")

// Evolve makes the schema of columns from an earlier one: what is in both keeps its ids, what is new gets the next ones
// after last. Every column is optional: files of other days may lack it. It gives the last id then, and
// whether anything is different.
func Evolve(from *Schema, last int, cols []schema.Column) (s *Schema, newLast int, changed bool, err error) {
	e := evolution{last: last}
	s = &Schema{Kind: "struct"}
	if from == nil {
		from = &Schema{}
	}
	for i := range cols {
		f, err := e.field(find(from.Fields, cols[i].Name), cols[i].Name, &cols[i].Type)
		if err != nil {
			return nil, 0, false, fmt.Errorf("column %s: %w", cols[i].Name, err)
		}
		f.Doc = cols[i].Doc
		s.Fields = append(s.Fields, f)
		s.ID = max(s.ID, from.ID+1)
	}
	same, err := sameFields(from.Fields, s.Fields)
	return s, e.last, !same, err
}

func sameFields(a, b []Field) (bool, error) {
	x, err := json.Marshal(a)
	if err != nil {
		return false, err
	}
	y, err := json.Marshal(b)
	return bytes.Equal(x, y), err
}

// evolution gives out ids.
type evolution struct{ last int }

func (e *evolution) next() int {
	e.last++
	return e.last
}

// id returns the earlier id, or a new one.
func (e *evolution) id(before int) int {
	if before > 0 {
		return before
	}
	return e.next()
}

func (e *evolution) field(before *Field, name string, t *schema.Type) (f Field, err error) {
	f.Name = name
	var was *Type
	if before != nil {
		f.ID, was = before.ID, &before.Type
	}
	f.ID = e.id(f.ID)
	f.Type, err = e.typ(was, t)
	return f, err
}

var primitives = map[schema.Kind]string{
	schema.Boolean: "boolean", schema.Int: "int", schema.Long: "long", schema.Double: "double", schema.String: "string",
	schema.Date: "date", schema.Timestamp: "timestamptz",
}

// typ returns the type of a column, with the ids of its earlier form.
func (e *evolution) typ(was *Type, t *schema.Type) (Type, error) {
	var before Nested
	if was != nil && was.Nested != nil {
		before = *was.Nested
	}
	n, err := e.nested(&before, t)
	if err != nil {
		return Type{}, err
	}
	out := Type{Nested: n}
	switch {
	case n != nil:
		if was != nil && before.Kind != n.Kind {
			return Type{}, fmt.Errorf("%w: it was %s, and is %s", ErrRetyped, was, n.Kind)
		}
		return out, nil
	case t.Kind == schema.Decimal:
		out.Name = fmt.Sprintf("decimal(%d, %d)", t.Precision, t.Scale)
	default:
		var known bool
		if out.Name, known = primitives[t.Kind]; !known {
			return Type{}, fmt.Errorf("type %s has no counterpart", t)
		}
	}
	if was != nil && !samePrimitive(was.Name, out.Name) {
		return Type{}, fmt.Errorf("%w: it was %s, and is %s", ErrRetyped, was, out.Name)
	}
	if was != nil {
		out.Name = was.Name
	}
	return out, nil
}

// String returns the type in few words.
func (t *Type) String() string {
	if t.Nested != nil {
		return t.Nested.Kind
	}
	return t.Name
}

// samePrimitive compares names of types, in which blanks do not count.
func samePrimitive(a, b string) bool {
	plain := func(s string) string { return string(bytes.ReplaceAll([]byte(s), []byte(" "), nil)) }
	return plain(a) == plain(b)
}

// nested returns nil for a primitive type.
func (e *evolution) nested(was *Nested, t *schema.Type) (n *Nested, err error) {
	optional := new(bool)
	switch t.Kind {
	case schema.Struct:
		n = &Nested{Kind: "struct"}
		for i := range t.Fields {
			f, err := e.field(find(was.Fields, t.Fields[i].Name), t.Fields[i].Name, &t.Fields[i].Type)
			if err != nil {
				return nil, fmt.Errorf("member %s: %w", t.Fields[i].Name, err)
			}
			n.Fields = append(n.Fields, f)
		}
	case schema.Array:
		n = &Nested{Kind: "list", ElementID: e.id(was.ElementID), ElementRequired: optional}
		n.Element, err = e.part(was.Element, t.Elem)
	case schema.Map:
		n = &Nested{Kind: "map", KeyID: e.id(was.KeyID), ValueID: e.id(was.ValueID), ValueRequired: optional}
		if n.Key, err = e.part(was.Key, t.Key); err == nil {
			n.Value, err = e.part(was.Value, t.Elem)
		}
	}
	return n, err
}

func (e *evolution) part(was *Type, t *schema.Type) (*Type, error) {
	out, err := e.typ(was, t)
	return &out, err
}

// nameMapping is an element of a name mapping.
type nameMapping struct {
	ID     int           `json:"field-id"`
	Names  []string      `json:"names"`
	Fields []nameMapping `json:"fields,omitempty"`
}

// NameMapping returns the property by which readers find the columns of files that have names and no ids.
func (s *Schema) NameMapping() (string, error) {
	b, err := json.Marshal(mappings(s.Fields))
	return string(b), err
}

func mappings(fields []Field) (all []nameMapping) {
	for i := range fields {
		f := &fields[i]
		all = append(all, nameMapping{f.ID, []string{f.Name}, f.Type.mappings()})
	}
	return all
}

func (t *Type) mappings() []nameMapping {
	n := t.Nested
	if n == nil {
		return nil
	}
	switch n.Kind {
	case "list":
		return []nameMapping{{n.ElementID, []string{"element"}, n.Element.mappings()}}
	case "map":
		return []nameMapping{{n.KeyID, []string{"key"}, n.Key.mappings()}, {n.ValueID, []string{"value"}, n.Value.mappings()}}
	}
	return mappings(n.Fields)
}
