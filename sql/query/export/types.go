package export

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/schema"
)

// scalar is the parquet form of an Arrow type without parts.
type scalar struct {
	kind   schema.Kind
	refine parquet.Logical
}

// scalars maps Arrow types to their forms. Parquet has no intervals of months, days and nanoseconds: they are text.
var scalars = map[arrow.Type]scalar{
	arrow.BOOL: {kind: schema.Boolean},
	arrow.INT8: {schema.Int, parquet.Int8}, arrow.INT16: {schema.Int, parquet.Int16},
	arrow.INT32: {kind: schema.Int}, arrow.INT64: {kind: schema.Long},
	arrow.UINT8: {schema.Int, parquet.Uint8}, arrow.UINT16: {schema.Int, parquet.Uint16},
	arrow.UINT32: {schema.Int, parquet.Uint32}, arrow.UINT64: {schema.Long, parquet.Uint64},
	arrow.FLOAT32: {schema.Int, parquet.Float32}, arrow.FLOAT64: {kind: schema.Double},
	arrow.STRING: {kind: schema.String}, arrow.BINARY: {kind: schema.Binary}, arrow.INTERVAL_MONTH_DAY_NANO: {kind: schema.String},
	arrow.DATE32: {schema.Int, parquet.Date}, arrow.TIME64: {schema.Long, parquet.TimeMicros},
}

// stamps maps the unit of a timestamp without a time zone to its form. Parquet has no seconds: they are milliseconds.
var stamps = map[arrow.TimeUnit]parquet.Logical{
	arrow.Second: parquet.LocalMillis, arrow.Millisecond: parquet.LocalMillis,
	arrow.Microsecond: parquet.LocalMicros, arrow.Nanosecond: parquet.LocalNanos,
}

// columns collects the columns of a file and the refinements of their leaves.
type columns struct {
	list   []schema.Column
	refine []parquet.Logical
}

func (c *columns) add(f arrow.Field) error {
	t, err := c.typeOf(f.Type)
	if err != nil {
		return fmt.Errorf("column %s: %w", f.Name, err)
	}
	c.list = append(c.list, schema.Column{Name: f.Name, Type: t, NotNull: !f.Nullable})
	return nil
}

// typeOf returns the type of a column or a part of one, and appends the refinements of its leaves.
func (c *columns) typeOf(t arrow.DataType) (schema.Type, error) {
	switch t := t.(type) {
	case *arrow.ListType:
		elem, err := c.typeOf(t.Elem())
		return schema.Type{Kind: schema.Array, Elem: &elem}, err
	case *arrow.MapType:
		key, err := c.typeOf(t.KeyType())
		if err != nil {
			return key, err
		}
		value, err := c.typeOf(t.ItemType())
		return schema.Type{Kind: schema.Map, Key: &key, Elem: &value}, err
	case *arrow.StructType:
		out := schema.Type{Kind: schema.Struct}
		for _, f := range t.Fields() {
			member, err := c.typeOf(f.Type)
			if err != nil {
				return out, err
			}
			out.Fields = append(out.Fields, schema.Field{Name: f.Name, Type: member})
		}
		return out, nil
	case *arrow.Decimal128Type:
		c.refine = append(c.refine, parquet.Unrefined)
		return schema.Type{Kind: schema.Decimal, Precision: int(t.Precision), Scale: int(t.Scale)}, nil
	case *arrow.TimestampType:
		refine, ok := stamps[t.Unit]
		if t.TimeZone != "" {
			refine, ok = parquet.InstantMicros, t.Unit == arrow.Microsecond
		}
		c.refine = append(c.refine, refine)
		return schema.Type{Kind: schema.Long}, unless(ok, t)
	}
	s, ok := scalars[t.ID()]
	c.refine = append(c.refine, s.refine)
	return schema.Type{Kind: s.kind}, unless(ok, t)
}

func unless(known bool, t arrow.DataType) error {
	if known {
		return nil
	}
	return fmt.Errorf("parquet files cannot have values of type %s", t)
}
