package lake

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/parquet"
	pq "github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/pingmill/pingmill/schema"
)

const noID = -1 // fields are found by name, not by number

// parquetSchema is the parquet form of columns: lists of three levels, maps
// with key_value groups, decimals as big-endian two's complement.
func parquetSchema(cols []schema.Column) (*pq.GroupNode, error) {
	var fields pq.FieldList
	for _, c := range cols {
		n, err := node(c.Name, c.Type, repetition(c.NotNull))
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields = append(fields, n)
	}
	return pq.NewGroupNode("schema", parquet.Repetitions.Required, fields, noID)
}

func repetition(notNull bool) parquet.Repetition {
	if notNull {
		return parquet.Repetitions.Required
	}
	return parquet.Repetitions.Optional
}

func node(name string, t schema.Type, rep parquet.Repetition) (pq.Node, error) {
	switch t.Kind {
	case schema.Array:
		elem, err := node("element", *t.Elem, repetition(t.ElemNotNull))
		if err != nil {
			return nil, err
		}
		return repeatedGroup(name, rep, "list", pq.NewListLogicalType(), elem)
	case schema.Map:
		key, err := node("key", *t.Key, parquet.Repetitions.Required)
		if err != nil {
			return nil, err
		}
		value, err := node("value", *t.Elem, parquet.Repetitions.Optional)
		if err != nil {
			return nil, err
		}
		return repeatedGroup(name, rep, "key_value", pq.MapLogicalType{}, key, value)
	case schema.Struct:
		return structNode(name, t, rep)
	default:
		return leafNode(name, t, rep)
	}
}

// repeatedGroup is a list or map: a group around a repeated group of fields.
func repeatedGroup(name string, rep parquet.Repetition, inner string, logical pq.LogicalType, fields ...pq.Node) (pq.Node, error) {
	repeated, err := pq.NewGroupNode(inner, parquet.Repetitions.Repeated, fields, noID)
	if err != nil {
		return nil, err
	}
	return pq.NewGroupNodeLogical(name, rep, pq.FieldList{repeated}, logical, noID)
}

func structNode(name string, t schema.Type, rep parquet.Repetition) (pq.Node, error) {
	if len(t.Fields) == 0 {
		return nil, fmt.Errorf("a struct without members cannot be stored")
	}
	var fields pq.FieldList
	for _, f := range t.Fields {
		n, err := node(f.Name, f.Type, repetition(f.NotNull))
		if err != nil {
			return nil, err
		}
		fields = append(fields, n)
	}
	return pq.NewGroupNode(name, rep, fields, noID)
}

func leafNode(name string, t schema.Type, rep parquet.Repetition) (pq.Node, error) {
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

// decimalBytes is the number of bytes that hold every value of a number of
// decimal digits as two's complement.
func decimalBytes(precision int) int {
	return int(math.Ceil((float64(precision)*math.Log2(10) + 1) / 8))
}

// arrowColumns reads the columns back from a file's schema, for comparison with
// what a reader asks for.
func arrowColumns(root *pq.GroupNode) ([]schema.Column, error) {
	var cols []schema.Column
	for i := range root.NumFields() {
		n := root.Field(i)
		t, err := typeOf(n)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", n.Name(), err)
		}
		cols = append(cols, schema.Column{Name: n.Name(), Type: t, NotNull: required(n)})
	}
	return cols, nil
}

func required(n pq.Node) bool { return n.RepetitionType() == parquet.Repetitions.Required }

func typeOf(n pq.Node) (schema.Type, error) {
	if n.RepetitionType() == parquet.Repetitions.Repeated {
		return schema.Type{}, fmt.Errorf("%s is repeated outside of a list or map", n.Name())
	}
	switch n := n.(type) {
	case *pq.PrimitiveNode:
		return leafType(n)
	case *pq.GroupNode:
		return groupType(n)
	default:
		return schema.Type{}, fmt.Errorf("unknown node %T", n)
	}
}

func groupType(n *pq.GroupNode) (schema.Type, error) {
	switch n.LogicalType().(type) {
	case pq.ListLogicalType:
		return listType(n)
	case pq.MapLogicalType:
		return mapType(n)
	}
	t := schema.Type{Kind: schema.Struct}
	for i := range n.NumFields() {
		f := n.Field(i)
		ft, err := typeOf(f)
		if err != nil {
			return schema.Type{}, err
		}
		t.Fields = append(t.Fields, schema.Field{Name: f.Name(), Type: ft, NotNull: required(f)})
	}
	return t, nil
}

// inner returns the repeated group of a list or map if it has the wanted
// number of fields.
func inner(n *pq.GroupNode, fields int) (*pq.GroupNode, error) {
	if n.NumFields() == 1 {
		g, ok := n.Field(0).(*pq.GroupNode)
		if ok && g.RepetitionType() == parquet.Repetitions.Repeated && g.NumFields() == fields {
			return g, nil
		}
	}
	return nil, fmt.Errorf("%s has an unknown layout", n.Name())
}

func listType(n *pq.GroupNode) (schema.Type, error) {
	g, err := inner(n, 1)
	if err != nil {
		return schema.Type{}, err
	}
	elem, err := typeOf(g.Field(0))
	return schema.Type{Kind: schema.Array, Elem: &elem, ElemNotNull: required(g.Field(0))}, err
}

func mapType(n *pq.GroupNode) (schema.Type, error) {
	g, err := inner(n, 2)
	if err != nil {
		return schema.Type{}, err
	}
	key, err := typeOf(g.Field(0))
	if err != nil {
		return schema.Type{}, err
	}
	elem, err := typeOf(g.Field(1))
	if err == nil && required(g.Field(1)) {
		err = fmt.Errorf("%s has required values", n.Name())
	}
	return schema.Type{Kind: schema.Map, Key: &key, Elem: &elem}, err
}

func leafType(n *pq.PrimitiveNode) (schema.Type, error) {
	switch logical := n.LogicalType().(type) {
	case pq.StringLogicalType:
		return schema.Type{Kind: schema.String}, nil
	case pq.DecimalLogicalType:
		if n.PhysicalType() == parquet.Types.FixedLenByteArray {
			return schema.Type{Kind: schema.Decimal, Precision: int(logical.Precision()), Scale: int(logical.Scale())}, nil
		}
	case pq.NoLogicalType, pq.UnknownLogicalType:
		switch n.PhysicalType() {
		case parquet.Types.Boolean:
			return schema.Type{Kind: schema.Boolean}, nil
		case parquet.Types.Int32:
			return schema.Type{Kind: schema.Int}, nil
		case parquet.Types.Int64:
			return schema.Type{Kind: schema.Long}, nil
		case parquet.Types.Double:
			return schema.Type{Kind: schema.Double}, nil
		}
	}
	return schema.Type{}, fmt.Errorf("%s has the unknown type %s %s", n.Name(), n.PhysicalType(), n.LogicalType())
}
