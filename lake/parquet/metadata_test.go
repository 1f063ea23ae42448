package parquet

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	arrow "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// statBatch has columns whose bounds are known: 1 null row and some values.
func statBatch() (*column.Batch, [][2]string) {
	b := column.NewBatch([]schema.Column{
		newColumn("flag", "boolean"), newColumn("i", "int"), newColumn("l", "long"), newColumn("d", "double"),
		newColumn("zero", "double"), newColumn("nan", "double"), newColumn("s", "string"), newColumn("empty", "string"),
		newColumn("long", "string"), newColumn("dec", "decimal(20,2)"), newColumn("list", "array<int>"), newColumn("null", "int"),
	})
	texts := [][]byte{[]byte("b"), []byte("a\xc3\xbc"), []byte("c")}
	for i := range 3 {
		b.SetBool(0, i == 1)
		b.SetInt(1, []int32{3, -5, 4}[i])
		b.SetLong(2, []int64{0, math.MinInt64, math.MaxInt64}[i])
		b.SetDouble(3, []float64{1.5, math.Inf(-1), -2}[i])
		b.SetDouble(4, []float64{0, math.Copysign(0, -1), 0}[i])
		b.SetDouble(5, []float64{1, math.NaN(), 2}[i])
		b.SetBytes(6, texts[i])
		b.SetBytes(7, nil)
		b.SetBytes(8, []byte(strings.Repeat("x", 200*i)))
		b.SetDecimal(9, column.Int128Of([]int64{5, -300, 70}[i]))
		n := b.Start(10)
		b.Int(n.Elem, 0, 1)
		b.EndRow()
	}
	b.EndRow() // nulls
	b.Finish()
	plain := func(v any) string { return string(plainBytes(v)) }
	return b, [][2]string{
		{"\x00", "\x01"}, {plain(int32(-5)), plain(int32(4))}, {plain(int64(math.MinInt64)), plain(int64(math.MaxInt64))},
		{plain(math.Inf(-1)), plain(1.5)}, {plain(math.Copysign(0, -1)), plain(0.0)}, {"none"}, {"aü", "c"}, {"", ""},
		{"none"}, {strings.Repeat("\xff", 7) + "\xfe\xd4", strings.Repeat("\x00", 8) + "F"}, {"none"}, {"none"},
	}
}

func plainBytes(v any) []byte {
	switch v := v.(type) {
	case int32:
		return appendInts(nil, []int32{v})
	case int64:
		return appendLongs(nil, []int64{v})
	default:
		return appendDoubles(nil, []float64{v.(float64)})
	}
}

// Another maker's reader finds the statistics, and they are right.
func TestStatistics(t *testing.T) {
	b, want := statBatch()
	var buf bytes.Buffer
	require.NoError(t, writeFile(&buf, b, Options{PageRows: 2, CreatedBy: "test version 1"}))
	r, err := file.NewParquetReader(bytes.NewReader(buf.Bytes()))
	require.NoError(t, err)
	if app := r.WriterVersion(); app.App != "test" {
		t.Errorf("written by %+v", app)
	}
	for i := range b.Leaves {
		chunk, err := r.MetaData().RowGroup(0).ColumnChunk(i)
		require.NoError(t, err)
		s, err := chunk.Statistics()
		require.NoError(t, err)
		name := b.Leaves[i].Path[0]
		if b.Leaves[i].MaxRep > 0 {
			if s != nil || want[i][0] != "none" {
				t.Errorf("%s: statistics of elements: %v", name, s)
			}
			continue
		}
		if got := s.NullCount(); got != 1 && name != "null" {
			t.Errorf("%s: %d nulls", name, got)
		}
		got := [2]string{"none"}
		if s.HasMinMax() {
			got = [2]string{string(s.EncodeMin()), string(s.EncodeMax())}
		}
		if got != want[i] {
			t.Errorf("%s: bounds %q, want %q", name, got, want[i])
		}
	}
}

// The page index says of every page where it is, its bounds and its nulls.
func TestPageIndex(t *testing.T) {
	const rows, pageRows = 1000, 300
	b := column.NewBatch([]schema.Column{newColumn("n", "int"), newColumn("s", "string"), newColumn("list", "array<int>")})
	for i := range rows {
		if i%2 == 0 {
			b.SetInt(0, int32(i))
		}
		if i < 300 {
			b.SetBytes(1, fmt.Appendf(nil, "%04d", i))
		}
		n := b.Start(2)
		for e := range 1 + i%3 {
			b.Int(n.Elem, n.ElemRep(e, 0), int32(e))
		}
		b.EndRow()
	}
	var buf bytes.Buffer
	b.Finish()
	require.NoError(t, writeFile(&buf, b, Options{PageRows: pageRows}))
	f, err := parquet.OpenFile(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	require.NoError(t, err)
	for i, chunk := range f.RowGroups()[0].ColumnChunks() {
		offsets, err := chunk.OffsetIndex()
		if err != nil || offsets.NumPages() != 4 {
			t.Fatalf("column %d: %v, %d pages", i, err, offsets.NumPages())
		}
		for p := range 4 {
			if offsets.FirstRowIndex(p) != int64(p*pageRows) {
				t.Errorf("column %d: page %d begins at row %d", i, p, offsets.FirstRowIndex(p))
			}
			if p > 0 && offsets.Offset(p) != offsets.Offset(p-1)+offsets.CompressedPageSize(p-1) {
				t.Errorf("column %d: page %d does not follow the one before", i, p)
			}
		}
		index, err := chunk.ColumnIndex()
		if i == 2 { // lists have no bounds, so no index
			if err == nil && index.NumPages() > 0 {
				t.Errorf("the list has a column index of %d pages", index.NumPages())
			}
			continue
		}
		require.NoError(t, err)
		var got []string
		for p := range index.NumPages() {
			got = append(got, fmt.Sprint(index.MinValue(p), index.MaxValue(p), index.NullCount(p), index.NullPage(p)))
		}
		want := [][]string{
			{"0 298 150 false", "300 598 150 false", "600 898 150 false", "900 998 50 false"},
			{"0000 0299 0 false", "<null> <null> 300 true", "<null> <null> 300 true", "<null> <null> 100 true"},
		}[i]
		if !slices.Equal(got, want) {
			t.Errorf("column %d: got %q, want %q", i, got, want)
		}
	}
}

// Bloom filters of values with and without a dictionary hold every value and
// few others, for two other readers.
func TestBloom(t *testing.T) {
	b := column.NewBatch([]schema.Column{newColumn("id", "string"), newColumn("kind", "string"), newColumn("n", "int")})
	const rows = 3000
	for i := range rows {
		b.SetBytes(0, fmt.Appendf(nil, "id-%d", i))
		b.SetBytes(1, fmt.Appendf(nil, "kind-%d", i%20))
		b.EndRow()
	}
	b.Finish()
	var buf bytes.Buffer
	if err := writeFile(&buf, b, Options{Bloom: []string{"id", "kind", "n", "missing"}}); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	require.NoError(t, err)
	r, err := file.NewParquetReader(bytes.NewReader(buf.Bytes()))
	require.NoError(t, err)
	filters, err := r.GetBloomFilterReader().RowGroup(0)
	require.NoError(t, err)
	for i, kinds := range []int{rows, 20} {
		prefix := []string{"id", "kind"}[i]
		filter := f.RowGroups()[0].ColumnChunks()[i].BloomFilter()
		other, err := filters.GetColumnBloomFilter(i)
		require.NoError(t, err)
		found := 0
		for k := range 2 * kinds {
			v := fmt.Sprintf("%s-%d", prefix, k)
			has, err := filter.Check(parquet.ByteArrayValue([]byte(v)))
			require.NoError(t, err)
			if also := other.CheckHash(other.Hasher().Sum64(arrow.ByteArray(v))); also != has {
				t.Errorf("%s: readers disagree", v)
			}
			if has {
				found++
			}
			if !has && k < kinds {
				t.Errorf("%s is not in the filter", v)
			}
		}
		if found > kinds+kinds/20+1 {
			t.Errorf("%s: %d of %d values are falsely in the filter", prefix, found-kinds, kinds)
		}
	}
	if f.RowGroups()[0].ColumnChunks()[2].BloomFilter() != nil {
		t.Error("a number has a filter")
	}
}

func TestBloomBytes(t *testing.T) {
	for n, want := range map[int]int{0: 32, 1: 32, 20: 32, 100: 128, 10_000: 16 << 10, 1 << 30: maxBloom} {
		if got := bloomBytes(n); got != want {
			t.Errorf("%d values: %d bytes, want %d", n, got, want)
		}
	}
}

// A chunk is compressed only where that saves something.
func TestCodecs(t *testing.T) {
	b := column.NewBatch([]schema.Column{newColumn("small", "int"), newColumn("repeated", "string"), newColumn("noise", "long")})
	rng := newWide().rng
	for range 3000 {
		b.SetInt(0, 1)
		b.SetBytes(1, []byte(strings.Repeat("abc", 20)+fmt.Sprint(rng.Uint64())))
		b.SetLong(2, rng.Int64())
		b.EndRow()
	}
	b.Finish()
	var buf bytes.Buffer
	require.NoError(t, writeFile(&buf, b, Options{}))
	f, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	require.NoError(t, err)
	for i, want := range []int{codecUncompressed, codecZstd, codecUncompressed} {
		if got := f.groups[0].chunks[i].codec; got != want {
			t.Errorf("column %v: codec %d, want %d", b.Leaves[i].Path, got, want)
		}
	}
	sameLeaves(t, readAll(t, buf.Bytes(), b.Columns, 100), b)
}
