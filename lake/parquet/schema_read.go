package parquet

import (
	"fmt"

	"github.com/pingmill/pingmill/schema"
)

// element is one entry of a file's schema, which lists a tree depth first.
type element struct {
	kind       int // -1 for groups
	length     int
	repetition int
	name       string
	children   int
	converted  int // -1: none
	scale      int
	precision  int
}

func readElements(r *thriftReader) []element {
	elements := make([]element, 0, 64)
	for range r.list(thriftStruct) {
		elements = append(elements, readElement(r))
	}
	return elements
}

func readElement(r *thriftReader) element {
	e := element{kind: -1, converted: -1}
	r.structure(func(id int, kind byte) {
		switch {
		case id == 4 && kind == thriftBinary:
			e.name = string(r.bytes())
		case id <= 8 && kind == thriftI32:
			e.set(id, int(r.number()))
		default:
			r.skip(kind)
		}
	})
	return e
}

func (e *element) set(id, v int) {
	switch id {
	case 1:
		e.kind = v
	case 2:
		e.length = v
	case 3:
		e.repetition = v
	case 5:
		e.children = v
	case 6:
		e.converted = v
	case 7:
		e.scale = v
	case 8:
		e.precision = v
	}
}

// tree reads types from a list of elements.
type tree struct {
	rest  []element
	depth int
}

// columnsOf returns the columns of a file. Types other than those that appendSchema writes are an error.
func columnsOf(elements []element) ([]schema.Column, error) {
	if len(elements) == 0 || elements[0].kind >= 0 {
		return nil, fmt.Errorf("the schema has no root")
	}
	t := tree{rest: elements[1:]}
	var cols []schema.Column
	for range elements[0].children {
		e, typ, err := t.node()
		if err != nil {
			return nil, err
		}
		cols = append(cols, schema.Column{Name: e.name, Type: typ, NotNull: e.repetition == repetitionRequired})
	}
	if len(t.rest) > 0 {
		return nil, fmt.Errorf("the schema has %d elements too many", len(t.rest))
	}
	return cols, checkColumns(cols)
}

func (t *tree) next() (element, error) {
	if len(t.rest) == 0 {
		return element{}, fmt.Errorf("the schema is cut short")
	}
	e := t.rest[0]
	t.rest = t.rest[1:]
	return e, nil
}

// node reads an element that is not repeated, with its children.
func (t *tree) node() (element, schema.Type, error) {
	e, err := t.next()
	if err != nil {
		return e, schema.Type{}, err
	}
	if t.depth++; t.depth > maxNesting {
		return e, schema.Type{}, fmt.Errorf("the schema is nested too deeply")
	}
	defer func() { t.depth-- }()
	var typ schema.Type
	switch {
	case e.repetition != repetitionRequired && e.repetition != repetitionOptional:
		err = fmt.Errorf("it is repeated outside of a list or map")
	case e.kind >= 0:
		typ, err = e.leafType()
	case e.converted == convertedList:
		typ, err = t.array()
	case e.converted == convertedMap:
		typ, err = t.mapping()
	default:
		typ, err = t.structure(e.children)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", e.name, err)
	}
	return e, typ, err
}

func (e *element) leafType() (schema.Type, error) {
	switch e.kind {
	case typeBoolean:
		return schema.Type{Kind: schema.Boolean}, nil
	case typeInt32:
		if e.converted == convertedDate {
			return schema.Type{Kind: schema.Date}, nil
		}
		return schema.Type{Kind: schema.Int}, nil
	case typeInt64:
		if e.converted == convertedMicros {
			return schema.Type{Kind: schema.Timestamp}, nil
		}
		return schema.Type{Kind: schema.Long}, nil
	case typeDouble:
		return schema.Type{Kind: schema.Double}, nil
	case typeBytes:
		switch e.converted {
		case convertedUTF8:
			return schema.Type{Kind: schema.String}, nil
		case -1:
			return schema.Type{Kind: schema.Binary}, nil
		}
	case typeFixed:
		t := schema.Type{Kind: schema.Decimal, Precision: e.precision, Scale: e.scale}
		if e.converted == convertedDecimal && checkType(t) == nil && e.length == decimalBytes(e.precision) {
			return t, nil
		}
	}
	return schema.Type{}, fmt.Errorf("unknown type %d (%d)", e.kind, e.converted)
}

// repeated reads the inner group of a list or map.
func (t *tree) repeated(children int) error {
	e, err := t.next()
	if err == nil && (e.repetition != repetitionRepeated || e.kind >= 0 || e.children != children) {
		err = fmt.Errorf("unknown layout of a list or map")
	}
	return err
}

func (t *tree) array() (schema.Type, error) {
	if err := t.repeated(1); err != nil {
		return schema.Type{}, err
	}
	e, elem, err := t.node()
	return schema.Type{Kind: schema.Array, Elem: &elem, ElemNotNull: e.repetition == repetitionRequired}, err
}

func (t *tree) mapping() (schema.Type, error) {
	if err := t.repeated(2); err != nil {
		return schema.Type{}, err
	}
	k, key, err := t.node()
	if err != nil {
		return schema.Type{}, err
	}
	v, value, err := t.node()
	if err == nil && (k.repetition != repetitionRequired || v.repetition != repetitionOptional) {
		err = fmt.Errorf("unknown layout of a map")
	}
	return schema.Type{Kind: schema.Map, Key: &key, Elem: &value}, err
}

func (t *tree) structure(children int) (schema.Type, error) {
	typ := schema.Type{Kind: schema.Struct}
	for range children {
		e, member, err := t.node()
		if err != nil {
			return schema.Type{}, err
		}
		typ.Fields = append(typ.Fields, schema.Field{Name: e.name, Type: member, NotNull: e.repetition == repetitionRequired})
	}
	return typ, nil
}
