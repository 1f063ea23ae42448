package arrowgo

import (
	"encoding/binary"
	"io"
	"unsafe"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Writer writes a file, one row group at a time, with zstd of the fastest level.
type Writer struct {
	file  *file.Writer
	fixed []parquet.FixedLenByteArray
	bytes []byte // of fixed
}

// NewWriter starts a file with the given columns.
func NewWriter(w io.Writer, cols []schema.Column, opts ...parquet.WriterProperty) (*Writer, error) {
	root, err := Schema(cols)
	if err != nil {
		return nil, err
	}
	opts = append([]parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1)}, opts...)
	f, err := file.NewParquetWriterWithError(w, root, file.WithWriterProps(parquet.NewWriterProperties(opts...)))
	return &Writer{file: f}, err
}

// Group writes a row group of the leaves of a finished batch.
func (w *Writer) Group(leaves []column.Leaf) error {
	g, err := w.file.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for i := range leaves {
		c, err := g.NextColumn()
		if err == nil {
			err = w.leaf(c, &leaves[i])
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			return err
		}
	}
	return g.Close()
}

// Close writes the footer.
func (w *Writer) Close() error { return w.file.Close() }

func (w *Writer) leaf(c file.ColumnChunkWriter, l *column.Leaf) (err error) {
	def, rep := l.Def, l.Rep
	if l.MaxDef == 0 {
		def = nil
	}
	if l.MaxRep == 0 {
		rep = nil
	}
	switch c := c.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = c.WriteBatch(l.Bools, def, rep)
	case *file.Int32ColumnChunkWriter:
		_, err = c.WriteBatch(l.Ints, def, rep)
	case *file.Int64ColumnChunkWriter:
		_, err = c.WriteBatch(l.Longs, def, rep)
	case *file.Float64ColumnChunkWriter:
		_, err = c.WriteBatch(l.Doubles, def, rep)
	case *file.ByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(*byteArrays(&l.Bytes), def, rep)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(w.decimals(l.Decimals, decimalBytes(l.Precision)), def, rep)
	}
	return err
}

// decimals returns values as the lowest bytes of each, the highest first.
func (w *Writer) decimals(v []column.Int128, width int) []parquet.FixedLenByteArray {
	w.fixed, w.bytes = w.fixed[:0], w.bytes[:0]
	var b [16]byte
	for _, x := range v {
		binary.BigEndian.PutUint64(b[:8], uint64(x.Hi))
		binary.BigEndian.PutUint64(b[8:], x.Lo)
		w.bytes = append(w.bytes, b[16-width:]...)
	}
	for i := range v {
		w.fixed = append(w.fixed, w.bytes[i*width:][:width])
	}
	return w.fixed
}

// byteArrays returns texts under arrow-go's name of their type.
func byteArrays(v *[][]byte) *[]parquet.ByteArray { return (*[]parquet.ByteArray)(unsafe.Pointer(v)) }
