package pq

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	pq "github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/pingmill/pingmill/schema"
)

const noID = -1 // fields are found by name, not by number

// arrowSchema builds a schema with arrow-go, to compare with the one written.
func arrowSchema(cols []schema.Column) (*pq.GroupNode, error) {
	var fields pq.FieldList
	for _, c := range cols {
		n, err := arrowNode(c.Name, c.Type, arrowRepetition(c.NotNull))
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields = append(fields, n)
	}
	return pq.NewGroupNode("schema", parquet.Repetitions.Required, fields, noID)
}

func arrowRepetition(notNull bool) parquet.Repetition {
	if notNull {
		return parquet.Repetitions.Required
	}
	return parquet.Repetitions.Optional
}

func arrowNode(name string, t schema.Type, rep parquet.Repetition) (pq.Node, error) {
	switch t.Kind {
	case schema.Array:
		elem, err := arrowNode("element", *t.Elem, arrowRepetition(t.ElemNotNull))
		if err != nil {
			return nil, err
		}
		return arrowRepeated(name, rep, "list", pq.NewListLogicalType(), elem)
	case schema.Map:
		key, err := arrowNode("key", *t.Key, parquet.Repetitions.Required)
		if err != nil {
			return nil, err
		}
		value, err := arrowNode("value", *t.Elem, parquet.Repetitions.Optional)
		if err != nil {
			return nil, err
		}
		return arrowRepeated(name, rep, "key_value", pq.MapLogicalType{}, key, value)
	case schema.Struct:
		return arrowStructNode(name, t, rep)
	default:
		return arrowLeafNode(name, t, rep)
	}
}

// arrowRepeated is a list or map: a group around a repeated group of fields.
func arrowRepeated(name string, rep parquet.Repetition, inner string, logical pq.LogicalType, fields ...pq.Node) (pq.Node, error) {
	repeated, err := pq.NewGroupNode(inner, parquet.Repetitions.Repeated, fields, noID)
	if err != nil {
		return nil, err
	}
	return pq.NewGroupNodeLogical(name, rep, pq.FieldList{repeated}, logical, noID)
}

func arrowStructNode(name string, t schema.Type, rep parquet.Repetition) (pq.Node, error) {
	if len(t.Fields) == 0 {
		return nil, fmt.Errorf("a struct without members cannot be stored")
	}
	var fields pq.FieldList
	for _, f := range t.Fields {
		n, err := arrowNode(f.Name, f.Type, arrowRepetition(f.NotNull))
		if err != nil {
			return nil, err
		}
		fields = append(fields, n)
	}
	return pq.NewGroupNode(name, rep, fields, noID)
}

func arrowLeafNode(name string, t schema.Type, rep parquet.Repetition) (pq.Node, error) {
	switch t.Kind {
	case schema.Boolean:
		return pq.NewPrimitiveNode(name, rep, parquet.Types.Boolean, noID, 0)
	case schema.Int:
		return pq.NewPrimitiveNode(name, rep, parquet.Types.Int32, noID, 0)
	case schema.Long:
		return pq.NewPrimitiveNode(name, rep, parquet.Types.Int64, noID, 0)
	case schema.Double:
		return pq.NewPrimitiveNode(name, rep, parquet.Types.Double, noID, 0)
	case schema.String:
		return pq.NewPrimitiveNodeLogical(name, rep, pq.StringLogicalType{}, parquet.Types.ByteArray, 0, noID)
	case schema.Decimal:
		logical := pq.NewDecimalLogicalType(int32(t.Precision), int32(t.Scale))
		return pq.NewPrimitiveNodeLogical(name, rep, logical, parquet.Types.FixedLenByteArray, decimalBytes(t.Precision), noID)
	default:
		return nil, fmt.Errorf("type %s cannot be stored", t)
	}
}
