package arrowgo

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/pingmill/pingmill/table/column"
)

// Reader reads files. What it holds is memory that is used again.
type Reader struct {
	props    *parquet.ReaderProperties
	def, rep [batchRows]int16
	fixed    [batchRows]parquet.FixedLenByteArray
}

// batchRows is the number of levels that are read at a time.
const batchRows = 1000

// NewReader returns a Reader for one goroutine.
func NewReader() *Reader { return &Reader{props: parquet.NewReaderProperties(&recycler{})} }

// Open reads the footer of a file.
func (r *Reader) Open(source parquet.ReaderAtSeeker) (*file.Reader, error) {
	return file.NewParquetReader(source, file.WithReadProps(r.props))
}

// File appends all rows of a file to b, a batch of its columns.
func (r *Reader) File(f *file.Reader, b *column.Batch) error {
	for g := range f.NumRowGroups() {
		if err := r.Group(f, g, b); err != nil {
			return err
		}
	}
	b.Filled(int(f.NumRows()))
	return nil
}

// Group appends the rows of a row group to b, as far as b has the columns.
func (r *Reader) Group(f *file.Reader, group int, b *column.Batch) error {
	g := f.RowGroup(group)
	for i := range b.Leaves {
		at := i
		if f.MetaData().Schema.NumColumns() != len(b.Leaves) {
			at = f.MetaData().Schema.ColumnIndexByName(strings.Join(b.Leaves[i].Path, "."))
		}
		chunk, err := g.Column(at)
		if err == nil {
			err = r.leaf(chunk, &b.Leaves[i], b)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", b.Leaves[i].Path, err)
		}
	}
	return nil
}

// leaf appends a column chunk to l. Texts are copied: the next page takes the
// memory of the one before.
func (r *Reader) leaf(chunk file.ColumnChunkReader, l *column.Leaf, b *column.Batch) (err error) {
	defer chunk.Close()
	def, rep := r.def[:], r.rep[:]
	for chunk.HasNext() {
		var total int64
		switch c := chunk.(type) {
		case *file.BooleanColumnChunkReader:
			l.Bools, total, err = values(c.ReadBatchInPage, l.Bools, def, rep)
		case *file.Int32ColumnChunkReader:
			l.Ints, total, err = values(c.ReadBatchInPage, l.Ints, def, rep)
		case *file.Int64ColumnChunkReader:
			l.Longs, total, err = values(c.ReadBatchInPage, l.Longs, def, rep)
		case *file.Float64ColumnChunkReader:
			l.Doubles, total, err = values(c.ReadBatchInPage, l.Doubles, def, rep)
		case *file.ByteArrayColumnChunkReader:
			at := len(l.Bytes)
			texts := byteArrays(&l.Bytes)
			*texts, total, err = values(c.ReadBatchInPage, *texts, def, rep)
			for i := at; i < len(l.Bytes); i++ {
				l.Bytes[i] = b.Copy(l.Bytes[i])
			}
		case *file.FixedLenByteArrayColumnChunkReader:
			var fixed []parquet.FixedLenByteArray
			fixed, total, err = values(c.ReadBatchInPage, r.fixed[:0], def, rep)
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

func values[T any](read func(int64, []T, []int16, []int16) (int64, int, error), dst []T, def, rep []int16) ([]T, int64, error) {
	at := len(dst)
	for cap(dst) < at+batchRows {
		dst = append(dst[:cap(dst)], *new(T))
	}
	dst = dst[:at+batchRows]
	total, n, err := read(batchRows, dst[at:], def, rep)
	return dst[:at+n], total, err
}

// decimal reads big-endian two's complement of at most 16 bytes.
func decimal(b []byte) column.Int128 {
	var full [16]byte
	if b[0]&0x80 != 0 {
		for i := range full {
			full[i] = 0xff
		}
	}
	copy(full[16-len(b):], b)
	return column.Int128{Hi: int64(binary.BigEndian.Uint64(full[:8])), Lo: binary.BigEndian.Uint64(full[8:])}
}
