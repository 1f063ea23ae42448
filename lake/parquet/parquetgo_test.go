package parquet

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// parquetGoRead reads a file leaf by leaf with parquet-go.
func parquetGoRead(t *testing.T, data []byte, cols []schema.Column) *column.Batch {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	b := column.NewBatch(cols)
	for _, group := range f.RowGroups() {
		for i, chunk := range group.ColumnChunks() {
			if err := parquetGoLeaf(chunk, &b.Leaves[i]); err != nil {
				t.Fatalf("%v: %v", b.Leaves[i].Path, err)
			}
		}
	}
	b.Filled(int(f.NumRows()))
	return b
}

func parquetGoLeaf(chunk parquet.ColumnChunk, l *column.Leaf) error {
	pages := chunk.Pages()
	defer pages.Close()
	values := make([]parquet.Value, 100)
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		r := page.Values()
		for {
			n, err := r.ReadValues(values)
			for _, v := range values[:n] {
				parquetGoValue(l, v)
			}
			if err == io.EOF || err == nil && n == 0 {
				break
			}
			if err != nil {
				return errors.Join(err, pages.Close())
			}
		}
	}
}

func parquetGoValue(l *column.Leaf, v parquet.Value) {
	if l.MaxDef > 0 {
		l.Def = append(l.Def, int16(v.DefinitionLevel()))
	}
	if l.MaxRep > 0 {
		l.Rep = append(l.Rep, int16(v.RepetitionLevel()))
	}
	if v.DefinitionLevel() < int(l.MaxDef) {
		return
	}
	switch l.Kind {
	case schema.Boolean:
		l.Bools = append(l.Bools, v.Boolean())
	case schema.Int:
		l.Ints = append(l.Ints, v.Int32())
	case schema.Long:
		l.Longs = append(l.Longs, v.Int64())
	case schema.Double:
		l.Doubles = append(l.Doubles, v.Double())
	case schema.Decimal:
		l.Decimals = append(l.Decimals, decimal(v.ByteArray()))
	default:
		l.Bytes = append(l.Bytes, slices.Clone(v.ByteArray()))
	}
}
