package lake

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// arrowRead reads a file leaf by leaf with another maker's library.
func arrowRead(t *testing.T, data []byte, cols []schema.Column) *column.Batch {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got, err := arrowColumns(r.MetaData().Schema.Root())
	if err != nil {
		t.Fatal(err)
	}
	if want := describeAll(cols); describeAll(got) != want {
		t.Fatalf("schema is %s, want %s", describeAll(got), want)
	}
	b := column.NewBatch(cols)
	for g := range r.NumRowGroups() {
		group := r.RowGroup(g)
		for i := range b.Leaves {
			chunk, err := group.Column(i)
			if err != nil {
				t.Fatal(err)
			}
			if err := arrowLeaf(chunk, &b.Leaves[i]); err != nil {
				t.Fatalf("%v: %v", b.Leaves[i].Path, err)
			}
		}
	}
	b.Filled(int(r.NumRows()))
	return b
}

func describeAll(cols []schema.Column) (s string) {
	for _, c := range cols {
		s += c.Name + " " + c.Type.String()
		if c.NotNull {
			s += " not null"
		}
		s += "\n"
	}
	return s
}

func arrowLeaf(chunk file.ColumnChunkReader, l *column.Leaf) error {
	const n = 1000
	def, rep := make([]int16, n), make([]int16, n)
	for chunk.HasNext() {
		var total int64
		var read int
		var err error
		switch c := chunk.(type) {
		case *file.BooleanColumnChunkReader:
			v := make([]bool, n)
			total, read, err = c.ReadBatchInPage(n, v, def, rep)
			l.Bools = append(l.Bools, v[:read]...)
		case *file.Int32ColumnChunkReader:
			v := make([]int32, n)
			total, read, err = c.ReadBatchInPage(n, v, def, rep)
			l.Ints = append(l.Ints, v[:read]...)
		case *file.Int64ColumnChunkReader:
			v := make([]int64, n)
			total, read, err = c.ReadBatchInPage(n, v, def, rep)
			l.Longs = append(l.Longs, v[:read]...)
		case *file.Float64ColumnChunkReader:
			v := make([]float64, n)
			total, read, err = c.ReadBatchInPage(n, v, def, rep)
			l.Doubles = append(l.Doubles, v[:read]...)
		case *file.ByteArrayColumnChunkReader:
			v := make([]parquet.ByteArray, n)
			total, read, err = c.ReadBatchInPage(n, v, def, rep)
			for _, x := range v[:read] {
				l.Bytes = append(l.Bytes, slices.Clone(x))
			}
		case *file.FixedLenByteArrayColumnChunkReader:
			v := make([]parquet.FixedLenByteArray, n)
			total, read, err = c.ReadBatchInPage(n, v, def, rep)
			for _, x := range v[:read] {
				l.Decimals = append(l.Decimals, decimalOf(x))
			}
		}
		if err != nil {
			return err
		}
		if l.MaxDef > 0 {
			l.Def = append(l.Def, def[:total]...)
		}
		if l.MaxRep > 0 {
			l.Rep = append(l.Rep, rep[:total]...)
		}
	}
	return chunk.Err()
}

func decimalOf(b []byte) decimal128.Num {
	hi, lo := int64(0), uint64(0)
	if b[0]&0x80 != 0 {
		hi, lo = -1, ^uint64(0)
	}
	for _, x := range b {
		hi = hi<<8 | int64(lo>>56)
		lo = lo<<8 | uint64(x)
	}
	return decimal128.New(hi, lo)
}

// sameLeaves compares all levels and values.
func sameLeaves(t *testing.T, got, want *column.Batch) {
	t.Helper()
	if got.Rows != want.Rows {
		t.Fatalf("%d rows, want %d", got.Rows, want.Rows)
	}
	for i := range want.Leaves {
		g, w := &got.Leaves[i], &want.Leaves[i]
		same := slices.Equal(g.Def, w.Def) && slices.Equal(g.Rep, w.Rep) && slices.Equal(g.Bools, w.Bools) &&
			slices.Equal(g.Ints, w.Ints) && slices.Equal(g.Longs, w.Longs) && slices.Equal(g.Doubles, w.Doubles) &&
			slices.Equal(g.Decimals, w.Decimals) &&
			slices.EqualFunc(g.Bytes, w.Bytes, func(a, b parquet.ByteArray) bool { return bytes.Equal(a, b) })
		if !same {
			t.Errorf("%v differs: %d/%d levels, %d/%d values", w.Path, len(g.Def), len(w.Def), values(g), values(w))
		}
	}
}

func TestWideByArrow(t *testing.T) {
	for _, rows := range []int{1, 7, 100, 3000} {
		want := newWide().batch(rows)
		var buf bytes.Buffer
		f, err := NewFileWriter(&buf, want.Columns, WriterOptions{RowGroupRows: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Write(want); err != nil {
			t.Fatal(err)
		}
		info, err := f.Close()
		if err != nil {
			t.Fatal(err)
		}
		t.Log(info)
		sameLeaves(t, arrowRead(t, buf.Bytes(), want.Columns), want)
	}
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// readBack reads whole files in steps.
func readBack(t *testing.T, data []byte, cols []schema.Column, step int) *column.Batch {
	t.Helper()
	f, err := OpenFile(memoryFile{bytes.NewReader(data)})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Select(cols, step); err != nil {
		t.Fatal(err)
	}
	all, b := column.NewBatch(cols), column.NewBatch(cols)
	for {
		err := f.Next(b)
		if err == io.EOF {
			all.Filled(all.Rows)
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Leaves {
			appendLeaf(&all.Leaves[i], &b.Leaves[i], all.Copy)
		}
		all.Rows += b.Rows
	}
}

func TestWideReadBack(t *testing.T) {
	want := newWide().batch(3000)
	for _, size := range []int{100, 1000, 10000} {
		var buf bytes.Buffer
		f, err := NewFileWriter(&buf, want.Columns, WriterOptions{RowGroupRows: size, PageRows: 450})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Write(want); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Close(); err != nil {
			t.Fatal(err)
		}
		sameLeaves(t, arrowRead(t, buf.Bytes(), want.Columns), want)
		for _, step := range []int{1, 64, 777, 5000} {
			sameLeaves(t, readBack(t, buf.Bytes(), want.Columns, step), want)
		}
	}
}

func BenchmarkRead(bm *testing.B) {
	b := newWide().batch(10000)
	var buf bytes.Buffer
	f, _ := NewFileWriter(&buf, b.Columns, WriterOptions{})
	f.Write(b)
	f.Close()
	bm.Run("own", func(bm *testing.B) {
		got := column.NewBatch(b.Columns)
		t := cpu()
		for bm.Loop() {
			r, err := OpenFile(memoryFile{bytes.NewReader(buf.Bytes())})
			if err != nil {
				bm.Fatal(err)
			}
			if err := r.Select(b.Columns, 1000); err != nil {
				bm.Fatal(err)
			}
			for {
				err := r.Next(got)
				if err == io.EOF {
					break
				}
				if err != nil {
					bm.Fatal(err)
				}
			}
		}
		bm.ReportMetric(float64((cpu()-t).Nanoseconds()/1000)/float64(10000*bm.N), "cpuµs/row")
	})
	bm.Run("arrow", func(bm *testing.B) {
		t := cpu()
		for bm.Loop() {
			r, err := file.NewParquetReader(bytes.NewReader(buf.Bytes()))
			if err != nil {
				bm.Fatal(err)
			}
			group := r.RowGroup(0)
			const n = 1000
			got := column.NewBatch(b.Columns)
			for i := range got.Leaves {
				chunk, err := group.Column(i)
				if err != nil {
					bm.Fatal(err)
				}
				if err := arrowLeaf(chunk, &got.Leaves[i]); err != nil {
					bm.Fatal(err)
				}
			}
		}
		bm.ReportMetric(float64((cpu()-t).Nanoseconds()/1000)/float64(10000*bm.N), "cpuµs/row")
	})
}
