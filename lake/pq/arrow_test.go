package pq

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// arrowRead reads a file leaf by leaf with arrow-go and checks its schema.
func arrowRead(t *testing.T, data []byte, cols []schema.Column) *column.Batch {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	root, err := arrowSchema(cols)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.MetaData().Schema.Root(); !got.Equals(root) {
		t.Fatalf("schema is %v, want %v", got, root)
	}
	b := column.NewBatch(cols)
	if err := arrowGroups(r, b); err != nil {
		t.Fatal(err)
	}
	b.Filled(int(r.NumRows()))
	return b
}

func arrowGroups(r *file.Reader, b *column.Batch) error {
	for g := range r.NumRowGroups() {
		group := r.RowGroup(g)
		for i := range b.Leaves {
			chunk, err := group.Column(i)
			if err == nil {
				err = arrowLeaf(chunk, &b.Leaves[i])
			}
			if err != nil {
				return fmt.Errorf("%v: %w", b.Leaves[i].Path, err)
			}
		}
	}
	return nil
}

const arrowBatch = 1000

// arrowLeaf appends a column chunk to l.
func arrowLeaf(chunk file.ColumnChunkReader, l *column.Leaf) (err error) {
	def, rep := make([]int16, arrowBatch), make([]int16, arrowBatch)
	for chunk.HasNext() {
		var total int64
		switch c := chunk.(type) {
		case *file.BooleanColumnChunkReader:
			l.Bools, total, err = arrowValues(c.ReadBatchInPage, l.Bools, def, rep)
		case *file.Int32ColumnChunkReader:
			l.Ints, total, err = arrowValues(c.ReadBatchInPage, l.Ints, def, rep)
		case *file.Int64ColumnChunkReader:
			l.Longs, total, err = arrowValues(c.ReadBatchInPage, l.Longs, def, rep)
		case *file.Float64ColumnChunkReader:
			l.Doubles, total, err = arrowValues(c.ReadBatchInPage, l.Doubles, def, rep)
		case *file.ByteArrayColumnChunkReader:
			at := len(l.Bytes)
			l.Bytes, total, err = arrowValues(c.ReadBatchInPage, l.Bytes, def, rep)
			for i := at; i < len(l.Bytes); i++ {
				l.Bytes[i] = slices.Clone(l.Bytes[i])
			}
		case *file.FixedLenByteArrayColumnChunkReader:
			var fixed []parquet.FixedLenByteArray
			fixed, total, err = arrowValues(c.ReadBatchInPage, nil, def, rep)
			for _, x := range fixed {
				l.Decimals = append(l.Decimals, decimal(x))
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

func arrowValues[T any](read func(int64, []T, []int16, []int16) (int64, int, error), dst []T, def, rep []int16) ([]T, int64, error) {
	at := len(dst)
	dst = append(dst, make([]T, arrowBatch)...)
	total, n, err := read(arrowBatch, dst[at:], def, rep)
	return dst[:at+n], total, err
}

// arrowWrite writes a batch with arrow-go's column writers.
func arrowWrite(w io.Writer, b *column.Batch, opts ...parquet.WriterProperty) error {
	root, err := arrowSchema(b.Columns)
	if err != nil {
		return err
	}
	opts = append(opts, parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1))
	f, err := file.NewParquetWriterWithError(w, root, file.WithWriterProps(parquet.NewWriterProperties(opts...)))
	if err != nil {
		return err
	}
	g, err := f.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for i := range b.Leaves {
		c, err := g.NextColumn()
		if err == nil {
			err = arrowWriteLeaf(c, &b.Leaves[i])
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			return err
		}
	}
	if err := g.Close(); err != nil {
		return err
	}
	return f.Close()
}

func arrowWriteLeaf(w file.ColumnChunkWriter, l *column.Leaf) (err error) {
	def, rep := l.Def, l.Rep
	if l.MaxDef == 0 {
		def = nil
	}
	if l.MaxRep == 0 {
		rep = nil
	}
	switch w := w.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(l.Bools, def, rep)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(l.Ints, def, rep)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(l.Longs, def, rep)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(l.Doubles, def, rep)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(l.Bytes, def, rep)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(arrowFixed(l.Decimals, decimalBytes(l.Precision)), def, rep)
	}
	return err
}

func arrowFixed(v []decimal128.Num, width int) []parquet.FixedLenByteArray {
	all := make([]parquet.FixedLenByteArray, len(v))
	for i := range v {
		all[i] = appendDecimals(nil, v[i:i+1], width)
	}
	return all
}
