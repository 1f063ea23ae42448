package export

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/stretchr/testify/require"
)

// fields has a column of every type of results.
func fields() []arrow.Field {
	var out []arrow.Field
	add := func(name string, t arrow.DataType) {
		out = append(out, arrow.Field{Name: name, Type: t, Nullable: true})
	}
	for _, t := range []arrow.DataType{
		arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32,
		arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32,
		arrow.PrimitiveTypes.Uint64, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64, arrow.BinaryTypes.String,
		arrow.BinaryTypes.Binary, arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Time64us,
		&arrow.Decimal128Type{Precision: 38, Scale: 3},
	} {
		add(t.String(), t)
		add("list of "+t.String(), arrow.ListOf(t))
	}
	add("millis", &arrow.TimestampType{Unit: arrow.Millisecond})
	add("micros", &arrow.TimestampType{Unit: arrow.Microsecond})
	add("nanos", &arrow.TimestampType{Unit: arrow.Nanosecond})
	add("instant", &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"})
	member := arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
		arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true})
	add("struct", member)
	add("structs", arrow.ListOf(member))
	add("map", arrow.MapOf(arrow.PrimitiveTypes.Uint32, arrow.ListOf(arrow.FixedWidthTypes.Date32)))
	return out
}

// fill appends value n of a series to a builder: nulls, empty lists, the largest and the smallest numbers are among them.
func fill(b array.Builder, n int) {
	if n%7 == 3 {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(n%2 == 0)
	case *array.StringBuilder:
		b.Append("text "[:n%6])
	case *array.BinaryBuilder:
		b.Append([]byte{0xff, byte(n)})
	case *array.Decimal128Builder:
		b.Append(decimal128.FromI64(int64(n-50) * 1e15))
	case *array.StructBuilder:
		b.Append(true)
		fill(b.FieldBuilder(0), n/2)
		fill(b.FieldBuilder(1), n+1)
	case *array.MapBuilder:
		b.Append(true)
		for i := range n % 4 {
			b.KeyBuilder().(*array.Uint32Builder).Append(math.MaxUint32 - uint32(n+i))
			fill(b.ItemBuilder(), n+i)
		}
	case *array.ListBuilder:
		b.Append(true)
		for i := range n % 4 {
			fill(b.ValueBuilder(), n+i)
		}
	default:
		fillNumber(b, n)
	}
}

func fillNumber(b array.Builder, n int) {
	big := uint64(n) * 0x9e3779b97f4a7c15 // all bits, also the highest
	switch b := b.(type) {
	case *array.Int8Builder:
		b.Append(int8(big))
	case *array.Int16Builder:
		b.Append(int16(big))
	case *array.Int32Builder:
		b.Append(int32(big))
	case *array.Int64Builder:
		b.Append(int64(big))
	case *array.Uint8Builder:
		b.Append(uint8(big))
	case *array.Uint16Builder:
		b.Append(uint16(big))
	case *array.Uint32Builder:
		b.Append(uint32(big))
	case *array.Uint64Builder:
		b.Append(big)
	case *array.Float32Builder:
		b.Append(float32(n) - 50.5)
	case *array.Float64Builder:
		b.Append(float64(n) - 50.5)
	case *array.Date32Builder:
		b.Append(arrow.Date32(n - 50))
	case *array.Time64Builder:
		b.Append(arrow.Time64(n * 1e6))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp((n - 50) * 1e15))
	}
}

func batch(fields []arrow.Field, rows int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	for row := range rows {
		for i := range fields {
			fill(b.Field(i), row)
		}
	}
	return b.NewRecordBatch()
}

func written(t *testing.T, batches ...arrow.RecordBatch) []byte {
	var out bytes.Buffer
	w, err := NewWriter(&out, batches[0].Schema().Fields(), "test")
	require.NoError(t, err)
	for _, b := range batches {
		require.NoError(t, w.Write(b))
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func read(t *testing.T, data []byte) arrow.Table {
	in, err := file.NewParquetReader(bytes.NewReader(data))
	require.NoError(t, err)
	r, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	require.NoError(t, err)
	table, err := r.ReadTable(t.Context())
	require.NoError(t, err)
	t.Cleanup(table.Release)
	return table
}

// TestTypes reads values of all types with arrow-go: types and values equal the batches'.
func TestTypes(t *testing.T) {
	want := batch(fields(), 200)
	got := read(t, written(t, want.NewSlice(0, 90), want.NewSlice(90, 200)))
	require.Equal(t, int64(200), got.NumRows())
	for i, f := range want.Schema().Fields() {
		require.Equal(t, strings.ReplaceAll(f.Type.String(), "item:", "element:"), got.Schema().Field(i).Type.String())
		whole, err := array.Concatenate(got.Column(i).Data().Chunks(), memory.DefaultAllocator)
		require.NoError(t, err)
		for row := range 200 {
			require.Equal(t, want.Column(i).ValueStr(row), whole.ValueStr(row), "%s, row %d", f.Name, row)
		}
	}
}

// TestBounds: unsigned numbers and 32-bit floats, whose order is not that of their bits, have no bounds; others have.
func TestBounds(t *testing.T) {
	want := batch([]arrow.Field{
		{Name: "u", Type: arrow.PrimitiveTypes.Uint32}, {Name: "f", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
		{Name: "i", Type: arrow.PrimitiveTypes.Int16, Nullable: true},
	}, 3)
	in, err := file.NewParquetReader(bytes.NewReader(written(t, want)))
	require.NoError(t, err)
	for i, has := range []bool{false, false, true} {
		chunk, err := in.MetaData().RowGroup(0).ColumnChunk(i)
		require.NoError(t, err)
		s, err := chunk.Statistics()
		require.NoError(t, err)
		require.Equal(t, has, s.HasMinMax())
	}
}

// TestSeconds: parquet has no seconds and no intervals.
func TestSeconds(t *testing.T) {
	stamp := &arrow.TimestampType{Unit: arrow.Second}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "s", Type: stamp, Nullable: true}, {Name: "v", Type: arrow.FixedWidthTypes.MonthDayNanoInterval, Nullable: true},
	}, nil))
	for _, n := range []arrow.Timestamp{5, -5, math.MaxInt64, -math.MaxInt64} {
		b.Field(0).(*array.TimestampBuilder).Append(n)
		b.Field(1).(*array.MonthDayNanoIntervalBuilder).Append(arrow.MonthDayNanoInterval{Months: 1, Days: 2, Nanoseconds: 3})
	}
	got := read(t, written(t, b.NewRecordBatch()))
	stamps := got.Column(0).Data().Chunk(0).(*array.Timestamp).TimestampValues()
	require.Equal(t, []arrow.Timestamp{5000, -5000, math.MaxInt64, -math.MaxInt64}, stamps)
	require.Equal(t, `{"months":1,"days":2,"nanoseconds":3}`, got.Column(1).Data().Chunk(0).ValueStr(0))
}

// TestUnknown: a type that results have not is an error, not another type.
func TestUnknown(t *testing.T) {
	for _, f := range []arrow.Field{
		{Name: "a", Type: arrow.FixedWidthTypes.Date64},
		{Name: "b", Type: arrow.ListOf(&arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"})},
	} {
		_, err := NewWriter(&bytes.Buffer{}, []arrow.Field{f}, "test")
		require.ErrorContains(t, err, "column "+f.Name)
	}
}
