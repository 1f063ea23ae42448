package columnar

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/stretchr/testify/require"
)

// stream has two columns, and more rows than a batch.
func stream(t testing.TB) []byte {
	var out bytes.Buffer
	w := NewWriter(&out, []arrow.Field{
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "l", Type: arrow.ListOf(arrow.StructOf(arrow.Field{Name: "t", Type: arrow.BinaryTypes.String, Nullable: true})), Nullable: true},
	})
	for i := range BatchRows + 1 {
		require.NoError(t, w.Append([]any{int64(i), []any{map[string]any{"t": "text"}, nil}}))
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// readAll reads a stream, every value of it.
func readAll(data []byte) (rows int, err error) {
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for {
		batch, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		if err := Rows(batch, 0, batch.NumRows(), func([]any) error { rows++; return nil }); err != nil {
			return rows, err
		}
	}
}

func TestStream(t *testing.T) {
	rows, err := readAll(stream(t))
	require.NoError(t, err)
	require.Equal(t, BatchRows+1, rows)
}

// TestValueErrors: what is no value of a column is an error that names it.
func TestValueErrors(t *testing.T) {
	for _, c := range []struct {
		typ arrow.DataType
		v   any
	}{
		{arrow.PrimitiveTypes.Int64, "1"}, {arrow.PrimitiveTypes.Int32, 1.5}, {arrow.FixedWidthTypes.Boolean, int64(1)},
		{arrow.FixedWidthTypes.Date32, "2018"},
		{arrow.FixedWidthTypes.Date32, "2018-x-01"}, {arrow.FixedWidthTypes.Timestamp_us, "2018-03-01"},
		{arrow.FixedWidthTypes.Timestamp_ns, "9999-01-01 00:00:00"},
		{arrow.FixedWidthTypes.Time64us, "1:2"}, {arrow.FixedWidthTypes.MonthDayNanoInterval, "3 weeks"},
		{&arrow.Decimal128Type{Precision: 3}, "1000"},
		{&arrow.Decimal128Type{Precision: 3}, "x"}, {arrow.ListOf(arrow.BinaryTypes.String), "x"}, {arrow.BinaryTypes.Binary, int64(1)},
		{arrow.MapOf(arrow.BinaryTypes.String, arrow.BinaryTypes.String), []any{map[string]any{"value": "x"}}},
		{arrow.StructOf(arrow.Field{Name: "a", Type: arrow.BinaryTypes.String}), "x"},
	} {
		w := NewWriter(io.Discard, []arrow.Field{{Name: "c", Type: c.typ, Nullable: true}})
		var wrong *ValueError
		require.ErrorAs(t, w.Append([]any{c.v}), &wrong, c)
		require.Equal(t, "c", wrong.Column)
	}
	w := NewWriter(io.Discard, nil)
	require.Error(t, w.Append([]any{1}))
}

// TestDamaged: a stream that ends early, or has other bytes, is an error or has other values, and nothing else happens.
func TestDamaged(t *testing.T) {
	whole := stream(t)
	for _, n := range []int{0, 1, 7, 100, len(whole) / 2, len(whole) - 9} {
		_, err := readAll(whole[:n])
		require.ErrorIs(t, err, ErrDamaged, n)
	}
	for at := 0; at < len(whole); at += 1 + at/40 {
		data := bytes.Clone(whole)
		data[at] ^= 0xff
		if _, err := readAll(data); err != nil {
			require.ErrorIs(t, err, ErrDamaged, at)
		}
	}
}

// FuzzReader: bytes of anybody are rows or an error.
func FuzzReader(f *testing.F) {
	var small bytes.Buffer
	w := NewWriter(&small, []arrow.Field{
		{Name: "m", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.FixedWidthTypes.Date32), Nullable: true}})
	require.NoError(f, w.Append([]any{[]any{map[string]any{"key": "k", "value": "2018-03-01"}}}))
	require.NoError(f, w.Close())
	f.Add(small.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := readAll(data); err != nil {
			require.ErrorIs(t, err, ErrDamaged)
		}
	})
}
