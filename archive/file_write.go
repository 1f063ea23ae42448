package archive

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/pingmill/pingmill/ping"
)

// pageBytes is the largest page of bodies, unless one body alone is larger.
const pageBytes = 1 << 20

// fileWriter writes sorted rows as parquet files, one after the other.
type fileWriter struct {
	kind  *kind
	props *parquet.WriterProperties

	cols   []columnBuffer // of the row group being written, without the body
	body   []byte         // scratch
	record record
	sum    sumWriter
	sums   []byte // of the row groups, see sumsKey
}

// columnBuffer gathers one column of a row group.
type columnBuffer struct {
	def   []int16
	texts []parquet.ByteArray
	ints  []int64
}

func newFileWriter(k *kind, level int) *fileWriter {
	opts := []parquet.WriterProperty{
		parquet.WithCreatedBy("pingmill"),
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithCompressionLevel(level),
		parquet.WithDataPageSize(pageBytes),
		parquet.WithStatsFor(k.body, false),
		parquet.WithDictionaryFor(k.body, false),
	}
	for _, f := range []ping.MetaField{ping.DocumentID, ping.ClientID, ping.Timestamp, ping.CreationTimestamp, ping.URI} {
		opts = append(opts, parquet.WithDictionaryFor(f.Name(), false))
	}
	return &fileWriter{
		kind:  k,
		props: parquet.NewWriterProperties(opts...),
		cols:  make([]columnBuffer, k.numColumns()),
	}
}

// write writes rows, sorted, as one file to w. It returns the checksum of the
// file's footer.
func (fw *fileWriter) write(w io.Writer, rows []row) (footer uint32, err error) {
	fw.sum, fw.sums = sumWriter{w: w}, fw.sums[:0]
	pw, err := file.NewParquetWriterWithError(&fw.sum, fw.kind.schema, file.WithWriterProps(fw.props))
	if err != nil {
		return 0, err
	}
	for _, g := range groups(rows) {
		if err := fw.group(pw, g); err != nil {
			pw.Close()
			return 0, err
		}
	}
	if err := pw.AppendKeyValueMetadata(sumsKey, hex.EncodeToString(fw.sums)); err != nil {
		return 0, err
	}
	err = pw.Close()
	return fw.sum.take(), err
}

func (fw *fileWriter) group(pw *file.Writer, rows []row) error {
	rg, err := pw.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	if err := fw.gather(rows); err != nil {
		return err
	}
	fw.sum.take()
	for i := range fw.cols {
		cw, err := rg.NextColumn()
		if err != nil {
			return err
		}
		if err := fw.cols[i].write(cw); err != nil {
			return fmt.Errorf("column %s: %w", fw.kind.column(i), err)
		}
	}
	fw.sums = binary.BigEndian.AppendUint32(fw.sums, fw.sum.take())
	cw, err := rg.NextColumn()
	if err != nil {
		return err
	}
	if err := fw.bodies(cw, rows); err != nil {
		return fmt.Errorf("column %s: %w", fw.kind.body, err)
	}
	err = rg.Close()
	fw.sums = binary.BigEndian.AppendUint32(fw.sums, fw.sum.take())
	return err
}

// gather turns the blobs of rows into columns. The texts keep pointing into
// the blobs.
func (fw *fileWriter) gather(rows []row) error {
	for i := range fw.cols {
		c := &fw.cols[i]
		c.def, c.texts, c.ints = c.def[:0], c.texts[:0], c.ints[:0]
	}
	for i := range rows {
		if err := fw.kind.readBlob(rows[i].blob(), &fw.record); err != nil {
			return err
		}
		for i := range fw.cols {
			fw.cols[i].add(&fw.record, i)
		}
	}
	return nil
}

func (c *columnBuffer) add(r *record, i int) {
	present := int16(0)
	if isInt(i) {
		if n, ok := r.meta.Int(ping.MetaField(i)); ok {
			c.ints, present = append(c.ints, n), 1
		}
	} else if t := r.text(i); t != nil {
		c.texts, present = append(c.texts, t), 1
	}
	c.def = append(c.def, present)
}

func (c *columnBuffer) write(cw file.ColumnChunkWriter) (err error) {
	switch cw := cw.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = cw.WriteBatch(c.ints, c.def, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = cw.WriteBatch(c.texts, c.def, nil)
	default:
		err = fmt.Errorf("unexpected column writer %T", cw)
	}
	if err != nil {
		return err
	}
	return cw.Close()
}

// bodies writes the body column, a page at a time: the writer itself looks at
// the size of a page only after it.
func (fw *fileWriter) bodies(w file.ColumnChunkWriter, rows []row) error {
	cw, ok := w.(*file.ByteArrayColumnChunkWriter)
	if !ok {
		return fmt.Errorf("unexpected column writer %T", w)
	}
	var one [1]parquet.ByteArray
	page := int64(0)
	for i := range rows {
		n := int64(rows[i].bodyLen) + 4
		if page > 0 && page+n > pageBytes {
			if err := cw.FlushCurrentPage(); err != nil {
				return err
			}
			page = 0
		}
		body, err := rows[i].body(fw.body)
		if err != nil {
			return err
		}
		if rows[i].squeezed {
			fw.body = body
		}
		one[0] = body
		if _, err := cw.WriteBatch(one[:], nil, nil); err != nil {
			return err
		}
		if page += n; page >= pageBytes { // flushed by the writer
			page = 0
		}
	}
	return cw.Close()
}
