package queryservice

import (
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/pingmill/pingmill/sql/query/encode"
)

// groupRows and groupBytes limit the rows and the bytes of values in a row group, because a row group is held in
// memory.
const (
	groupRows  = 122_880
	groupBytes = 32 << 20
)

// WriteParquet writes the result as a parquet file with the types of the stream, but intervals as text. It numbers
// columns of the same name.
func (r *Result) WriteParquet(w io.Writer) error {
	schema := r.parquetSchema()
	out, err := pqarrow.NewFileWriter(schema, w, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd)), pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		return err
	}
	rows, size := int64(0), int64(0)
	err = r.Batches(0, math.MaxInt64, func(b arrow.RecordBatch, _ int64) error {
		if rows == 0 || rows+b.NumRows() > groupRows || size > groupBytes {
			out.NewBufferedRowGroup()
			rows, size = 0, 0
		}
		for _, c := range b.Columns() {
			size += int64(c.Data().SizeInBytes())
		}
		rows += b.NumRows()
		return writeBatch(out, schema, b)
	})
	if err != nil {
		return err
	}
	return out.Close()
}

func (r *Result) parquetSchema() *arrow.Schema {
	names := encode.Unique(r.names())
	fields := make([]arrow.Field, len(r.Fields))
	for i, f := range r.Fields {
		f.Name, f.Type = names[i], parquetType(f.Type)
		fields[i] = f
	}
	return arrow.NewSchema(fields, nil)
}

// parquetType returns the type that parquet stores for t.
func parquetType(t arrow.DataType) arrow.DataType {
	if t.ID() == arrow.INTERVAL_MONTH_DAY_NANO {
		return arrow.BinaryTypes.String
	}
	return t
}

func writeBatch(out *pqarrow.FileWriter, schema *arrow.Schema, b arrow.RecordBatch) error {
	columns := make([]arrow.Array, b.NumCols())
	for i, c := range b.Columns() {
		columns[i] = c
		if !arrow.TypeEqual(c.DataType(), schema.Field(i).Type) {
			texts := array.NewStringBuilder(memory.DefaultAllocator)
			for row := range c.Len() {
				if c.IsNull(row) {
					texts.AppendNull()
				} else {
					texts.Append(c.ValueStr(row))
				}
			}
			columns[i] = texts.NewArray()
		}
	}
	batch := array.NewRecordBatch(schema, columns, b.NumRows())
	defer batch.Release()
	return out.WriteBuffered(batch)
}
