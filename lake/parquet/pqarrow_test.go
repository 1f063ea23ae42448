package parquet

import (
	"bytes"
	"context"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// pqarrowRead reads a file into arrow arrays, in which nested values are
// assembled, and takes those apart again.
func pqarrowRead(t *testing.T, data []byte, cols []schema.Column) *column.Batch {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	require.NoError(t, err)
	f, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	require.NoError(t, err)
	table, err := f.ReadTable(context.Background())
	require.NoError(t, err)
	defer table.Release()
	b := column.NewBatch(cols)
	records := array.NewTableReader(table, 0)
	defer records.Release()
	for records.Next() {
		record := records.RecordBatch()
		for row := range int(record.NumRows()) {
			for i := range cols {
				if c := record.Column(i); !c.IsNull(row) {
					takeApart(b, b.Start(i), 0, c, row)
				}
			}
			b.EndRow()
		}
	}
	b.Finish()
	return b
}

// takeApart appends value i of an array.
func takeApart(b *column.Batch, n *column.Node, rep int16, arr arrow.Array, i int) {
	if arr.IsNull(i) {
		b.Null(n, rep)
		return
	}
	switch a := arr.(type) {
	case *array.Boolean:
		b.Bool(n, rep, a.Value(i))
	case *array.Int32:
		b.Int(n, rep, a.Value(i))
	case *array.Int64:
		b.Long(n, rep, a.Value(i))
	case *array.Float64:
		b.Double(n, rep, a.Value(i))
	case *array.String:
		b.Str(n, rep, []byte(a.Value(i)))
	case *array.Decimal128:
		b.Decimal(n, rep, column.Int128{Hi: a.Value(i).HighBits(), Lo: a.Value(i).LowBits()})
	case *array.Struct:
		for j, member := range n.Fields {
			takeApart(b, member, rep, a.Field(j), i)
		}
	case *array.Map:
		from, to := a.ValueOffsets(i)
		if from == to {
			b.Empty(n, rep)
		}
		for e := from; e < to; e++ {
			takeApart(b, n.Key, n.ElemRep(int(e-from), rep), a.Keys(), int(e))
			takeApart(b, n.Elem, n.ElemRep(int(e-from), rep), a.Items(), int(e))
		}
	case *array.List:
		from, to := a.ValueOffsets(i)
		if from == to {
			b.Empty(n, rep)
		}
		for e := from; e < to; e++ {
			takeApart(b, n.Elem, n.ElemRep(int(e-from), rep), a.ListValues(), int(e))
		}
	}
}

// A reader that assembles nested values sees what was written.
func TestAssembled(t *testing.T) {
	for name, want := range map[string]*column.Batch{"wide": newWide().batch(300), "nested": nestedBatch(4, 500)} {
		var buf bytes.Buffer
		require.NoError(t, writeFile(&buf, want, Options{PageRows: 120}))
		t.Run(name, func(t *testing.T) { sameLeaves(t, pqarrowRead(t, buf.Bytes(), want.Columns), want) })
	}
}
