package arrowgo

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/parquet"
	arrow "github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/pingmill/pingmill/schema"
)

const noID = -1 // fields are found by name, not by number

// Schema returns the schema of files with the given columns.
func Schema(cols []schema.Column) (*arrow.GroupNode, error) {
	var fields arrow.FieldList
	for _, c := range cols {
		n, err := node(c.Name, c.Type, repetition(c.NotNull))
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields = append(fields, n)
	}
	return arrow.NewGroupNode("schema", parquet.Repetitions.Required, fields, noID)
}

func repetition(notNull bool) parquet.Repetition {
	if notNull {
		return parquet.Repetitions.Required
	}
	return parquet.Repetitions.Optional
}

func node(name string, t schema.Type, rep parquet.Repetition) (arrow.Node, error) {
	switch t.Kind {
	case schema.Array:
		elem, err := node("element", *t.Elem, repetition(t.ElemNotNull))
		if err != nil {
			return nil, err
		}
		return repeated(name, rep, "list", arrow.NewListLogicalType(), elem)
	case schema.Map:
		key, err := node("key", *t.Key, parquet.Repetitions.Required)
		if err != nil {
			return nil, err
		}
		value, err := node("value", *t.Elem, parquet.Repetitions.Optional)
		if err != nil {
			return nil, err
		}
		return repeated(name, rep, "key_value", arrow.MapLogicalType{}, key, value)
	case schema.Struct:
		return structNode(name, t, rep)
	default:
		return leafNode(name, t, rep)
	}
}

// repeated returns a list or map: a group around a repeated group of fields.
func repeated(name string, rep parquet.Repetition, inner string, logical arrow.LogicalType, fields ...arrow.Node) (arrow.Node, error) {
	list, err := arrow.NewGroupNode(inner, parquet.Repetitions.Repeated, fields, noID)
	if err != nil {
		return nil, err
	}
	return arrow.NewGroupNodeLogical(name, rep, arrow.FieldList{list}, logical, noID)
}

func structNode(name string, t schema.Type, rep parquet.Repetition) (arrow.Node, error) {
	if len(t.Fields) == 0 {
		return nil, fmt.Errorf("a struct without members cannot be stored")
	}
	var fields arrow.FieldList
	for _, f := range t.Fields {
		n, err := node(f.Name, f.Type, repetition(f.NotNull))
		if err != nil {
			return nil, err
		}
		fields = append(fields, n)
	}
	return arrow.NewGroupNode(name, rep, fields, noID)
}

func leafNode(name string, t schema.Type, rep parquet.Repetition) (arrow.Node, error) {
	switch t.Kind {
	case schema.Boolean:
		return arrow.NewPrimitiveNode(name, rep, parquet.Types.Boolean, noID, 0)
	case schema.Int:
		return arrow.NewPrimitiveNode(name, rep, parquet.Types.Int32, noID, 0)
	case schema.Long:
		return arrow.NewPrimitiveNode(name, rep, parquet.Types.Int64, noID, 0)
	case schema.Double:
		return arrow.NewPrimitiveNode(name, rep, parquet.Types.Double, noID, 0)
	case schema.Binary:
		return arrow.NewPrimitiveNode(name, rep, parquet.Types.ByteArray, noID, 0)
	case schema.String:
		return arrow.NewPrimitiveNodeLogical(name, rep, arrow.StringLogicalType{}, parquet.Types.ByteArray, 0, noID)
	case schema.Date:
		return arrow.NewPrimitiveNodeLogical(name, rep, arrow.DateLogicalType{}, parquet.Types.Int32, 0, noID)
	case schema.Timestamp:
		return arrow.NewPrimitiveNodeLogical(name, rep, arrow.NewTimestampLogicalType(true, arrow.TimeUnitMicros), parquet.Types.Int64, 0, noID)
	case schema.Decimal:
		logical := arrow.NewDecimalLogicalType(int32(t.Precision), int32(t.Scale))
		return arrow.NewPrimitiveNodeLogical(name, rep, logical, parquet.Types.FixedLenByteArray, decimalBytes(t.Precision), noID)
	default:
		return nil, fmt.Errorf("type %s cannot be stored", t)
	}
}

// decimalBytes returns the number of bytes that hold every value of a number of decimal digits.
func decimalBytes(precision int) int {
	return int(math.Ceil((float64(precision)*math.Log2(10) + 1) / 8))
}
