package parquet

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// TestTimes: dates and timestamps have the annotations by which other readers know them, also in structs.
func TestTimes(t *testing.T) {
	cols := []schema.Column{
		{Name: "day", Type: schema.MustType("date")},
		{Name: "at", Type: schema.MustType("timestamp"), NotNull: true},
		{Name: "in", Type: schema.MustType("struct<day:date,at:map<string,timestamp>>")},
	}
	b := column.NewBatch(cols)
	row := map[string]any{"day": "1969-12-31", "at": "2026-11-21T23:38:24.079954Z",
		"in": map[string]any{"day": "2026-11-21", "at": map[string]any{"a": "0001-01-01T00:00:00.000000Z"}}}
	require.NoError(t, b.AppendJSONRow(row))
	require.Contains(t, string(column.NewRowWriter(b).AppendRow(nil)), `"at":"2026-11-21T23:38:24.079954Z"`)
	var buf bytes.Buffer
	require.NoError(t, writeFile(&buf, b, Options{}))
	out := buf.Bytes()
	r, err := file.NewParquetReader(bytes.NewReader(out))
	require.NoError(t, err)
	for i, want := range []string{
		"Date", "Timestamp(isAdjustedToUTC=true, timeUnit=microseconds, is_from_converted_type=false, force_set_converted_type=false)",
	} {
		require.Equal(t, want, r.MetaData().Schema.Column(i).LogicalType().String())
	}
	f, err := Open(bytes.NewReader(out), int64(len(out)))
	require.NoError(t, err)
	for i := range cols {
		require.True(t, f.Columns[i].Type.Same(&cols[i].Type), f.Columns[i].Type.String())
	}
}
