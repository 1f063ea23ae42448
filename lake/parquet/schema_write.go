package parquet

import (
	"fmt"

	"github.com/pingmill/pingmill/schema"
)

// schemaWriter lists the elements of a file's schema, depth first.
type schemaWriter struct {
	*thriftWriter
	elements int
	refine   []Logical // of the leaves to come
}

// appendSchema writes the list of schema elements, without the field's head.
func appendSchema(w *thriftWriter, cols []schema.Column, refine []Logical) {
	s := schemaWriter{thriftWriter: &thriftWriter{}, refine: refine}
	s.root(cols)
	w.size(thriftStruct, s.elements)
	w.buf = append(w.buf, s.buf...)
}

func (s *schemaWriter) root(cols []schema.Column) {
	s.open("schema", -1, len(cols))
	s.end()
	for _, c := range cols {
		s.node(c.Name, c.Type, repetition(c.NotNull))
	}
}

func repetition(notNull bool) int {
	if notNull {
		return repetitionRequired
	}
	return repetitionOptional
}

// open begins a group element; the caller adds what follows the children.
func (s *schemaWriter) open(name string, repetition, children int) {
	s.elements++
	s.element()
	if repetition >= 0 {
		s.i32(3, repetition)
	}
	s.text(4, name)
	s.i32(5, children)
}

func (s *schemaWriter) node(name string, t schema.Type, repetition int) {
	switch t.Kind {
	case schema.Array:
		s.repeated(name, repetition, convertedList, logicalList, "list", 1)
		s.node("element", *t.Elem, elemRepetition(t))
	case schema.Map:
		s.repeated(name, repetition, convertedMap, logicalMap, "key_value", 2)
		s.node("key", *t.Key, repetitionRequired)
		s.node("value", *t.Elem, repetitionOptional)
	case schema.Struct:
		s.open(name, repetition, len(t.Fields))
		s.end()
		for _, f := range t.Fields {
			s.node(f.Name, f.Type, fieldRepetition(f))
		}
	default:
		s.leaf(name, t, repetition)
	}
}

func elemRepetition(t schema.Type) int   { return repetition(t.ElemNotNull) }
func fieldRepetition(f schema.Field) int { return repetition(f.NotNull) }

// repeated writes the two groups of a list or map.
func (s *schemaWriter) repeated(name string, repetition, converted, logical int, inner string, children int) {
	s.open(name, repetition, 1)
	s.i32(6, converted)
	s.logical(logical, func() {})
	s.end()
	s.open(inner, repetitionRepeated, children)
	s.end()
}

func (s *schemaWriter) leaf(name string, t schema.Type, repetition int) {
	refine := s.refine[0]
	s.refine = s.refine[1:]
	s.elements++
	s.element()
	s.i32(1, refine.physical(physical(t.Kind)))
	if t.Kind == schema.Decimal {
		s.i32(2, decimalBytes(t.Precision))
	}
	s.i32(3, repetition)
	s.text(4, name)
	switch t.Kind {
	case schema.String:
		s.i32(6, convertedUTF8)
		s.logical(logicalString, func() {})
	case schema.Date:
		Date.write(s)
	case schema.Timestamp:
		InstantMicros.write(s)
	case schema.Decimal:
		s.i32(6, convertedDecimal)
		s.i32(7, t.Scale)
		s.i32(8, t.Precision)
		s.logical(logicalDecimal, func() {
			s.i32(1, t.Scale)
			s.i32(2, t.Precision)
		})
	default:
		refine.write(s)
	}
	s.end()
}

func (s *schemaWriter) logical(kind int, members func()) {
	s.begin(10)
	s.begin(kind)
	members()
	s.end()
	s.end()
}

// checkColumns reports what a parquet file cannot hold.
func checkColumns(cols []schema.Column) error {
	names := map[string]bool{}
	for _, c := range cols {
		if c.Name == "" || names[c.Name] {
			return fmt.Errorf("column name %q is empty or not unique", c.Name)
		}
		names[c.Name] = true
		if err := checkType(c.Type); err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	return nil
}

func checkType(t schema.Type) error {
	switch t.Kind {
	case schema.Boolean, schema.Int, schema.Long, schema.Double, schema.String, schema.Binary, schema.Date, schema.Timestamp:
		return nil
	case schema.Decimal:
		if t.Precision < 1 || t.Precision > 38 || t.Scale < 0 || t.Scale > t.Precision {
			return fmt.Errorf("%s is out of range", t)
		}
		return nil
	case schema.Array:
		return checkType(*t.Elem)
	case schema.Map:
		if err := checkType(*t.Key); err != nil {
			return err
		}
		return checkType(*t.Elem)
	case schema.Struct:
		return checkStruct(t)
	default:
		return fmt.Errorf("unknown type %s", t)
	}
}

func checkStruct(t schema.Type) error {
	if len(t.Fields) == 0 {
		return fmt.Errorf("a struct without members cannot be stored")
	}
	for _, f := range t.Fields {
		if err := checkType(f.Type); err != nil {
			return err
		}
	}
	return nil
}
