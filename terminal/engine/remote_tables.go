package engine

import (
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/client"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// remoteTable returns a table as the server describes it, such as one of an application whose definitions only the server has.
func remoteTable(described client.Table) *schema.Table {
	t := &schema.Table{Name: described.Name, Doc: described.Doc}
	for _, c := range described.Columns {
		typ, err := remoteType(c.Type)
		if err != nil {
			typ = schema.Type{Kind: schema.Binary} // of a later version of the server
		}
		t.Columns = append(t.Columns, schema.Column{Name: c.Name, Doc: c.Doc, Type: typ})
	}
	return t
}

// maxNesting limits the depth of a type.
const maxNesting = 50

// remoteType returns a type from its text in DuckDB's words.
func remoteType(text string) (schema.Type, error) {
	depth := 0
	for _, c := range text {
		switch c {
		case '(':
			if depth++; depth > maxNesting {
				return schema.Type{}, fmt.Errorf("a type is nested deeper than %d", maxNesting)
			}
		case ')':
			depth--
		}
	}
	t, err := types.FromDuckDB(text)
	if err != nil {
		return schema.Type{}, err
	}
	return schemaType(t)
}

var schemaKinds = map[types.Kind]schema.Kind{
	types.Boolean: schema.Boolean, types.Integer: schema.Int, types.Bigint: schema.Long, types.Double: schema.Double,
	types.Varchar: schema.String, types.Varbinary: schema.Binary, types.Date: schema.Date, types.Timestamp: schema.Timestamp,
	types.Decimal: schema.Decimal, types.Array: schema.Array, types.Map: schema.Map, types.Row: schema.Struct,
}

// schemaType returns the type of a column that has values of a type of Presto's.
func schemaType(t types.Type) (s schema.Type, err error) {
	kind, known := schemaKinds[t.Kind]
	if !known {
		return s, fmt.Errorf("no column has type %s", t)
	}
	elems := make([]schema.Type, len(t.Elems))
	for i, e := range t.Elems {
		if elems[i], err = schemaType(e); err != nil {
			return s, err
		}
	}
	s.Kind = kind
	switch kind {
	case schema.Decimal:
		s.Precision, s.Scale = t.Precision, t.Scale
	case schema.Array:
		s.Elem = &elems[0]
	case schema.Map:
		s.Key, s.Elem = &elems[0], &elems[1]
	case schema.Struct:
		for i, name := range t.Names {
			if name == "" {
				return s, errors.New("a member has no name")
			}
			s.Fields = append(s.Fields, schema.Field{Name: name, Type: elems[i]})
		}
	}
	return s, nil
}
