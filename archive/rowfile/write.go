package rowfile

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// Writer writes rows as parquet files, one after the other.
type Writer struct {
	kind   *Kind
	batch  *column.Batch // of the row group being written
	bodies []byte        // of its rows whose bodies waited squeezed
	record Record
}

// NewWriter makes a writer of files of a kind.
func NewWriter(k *Kind) *Writer {
	return &Writer{kind: k, batch: column.NewBatch(k.columns())}
}

// Written describes a file after it is written.
type Written struct {
	Bytes  int64
	SHA256 string // in hexadecimal
	Footer uint32 // FooterSum
}

// Write sorts the rows of a buffer and writes them as one file to w.
func (fw *Writer) Write(w io.Writer, b *Buffer) (done Written, err error) {
	return measured(w, func(w io.Writer) (uint32, error) {
		f, err := fw.begin(w)
		if err != nil {
			return 0, err
		}
		if err := fw.groups(f, b); err != nil {
			return 0, err
		}
		_, err = f.Close()
		return f.FooterSum(), err
	})
}

// measured measures what write writes to w.
func measured(w io.Writer, write func(w io.Writer) (footer uint32, err error)) (done Written, err error) {
	h := sha256.New()
	counted := new(counter)
	buffered := bufio.NewWriterSize(io.MultiWriter(w, h, counted), 256<<10)
	if done.Footer, err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	done.Bytes, done.SHA256 = int64(*counted), hex.EncodeToString(h.Sum(nil))
	return done, err
}

// counter counts what is written.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// begin begins a file.
func (fw *Writer) begin(w io.Writer) (*parquet.Writer, error) {
	o := parquet.Options{CreatedBy: "pingmill", Verbatim: true, OneCodec: true, Small: fw.kind.compact}
	if fw.kind.packed {
		o.Stored = []string{fw.kind.body}
	}
	return parquet.NewWriter(w, fw.kind.layout(), o)
}

// groups sorts the rows of a buffer and writes them as row groups.
func (fw *Writer) groups(f *parquet.Writer, b *Buffer) error {
	b.sort()
	for _, g := range groups(b.rows, fw.kind.leastGroup()) {
		if err := fw.gather(g); err != nil {
			return err
		}
		if err := f.Group(fw.batch.Leaves, fw.batch.Rows); err != nil {
			return err
		}
	}
	return nil
}

// gather turns rows into columns. The texts, and bodies that are not squeezed, still point into the rows.
func (fw *Writer) gather(rows []row) error {
	fw.batch.Reset()
	fw.room(rows)
	for i := range rows {
		if err := fw.kind.readBlob(rows[i].blob(), &fw.record); err != nil {
			return err
		}
		for i := range fw.kind.places() {
			if column := fw.kind.columnOf(i); column >= 0 {
				fw.set(i, column)
			}
		}
		body, err := fw.body(&rows[i])
		if err != nil {
			return err
		}
		fw.batch.SetShared(fw.kind.numColumns(), body)
		fw.batch.EndRow()
	}
	fw.batch.Finish()
	return nil
}

// set sets a column of the current row to the value at a place.
func (fw *Writer) set(place, column int) {
	if !isInt(place) {
		if t := fw.record.text(place); t != nil {
			fw.batch.SetShared(column, t)
		}
	} else if n, ok := fw.record.Meta.Int(ping.MetaField(place)); ok {
		fw.batch.SetLong(column, n)
	}
}

// room makes room for the squeezed bodies of a row group: 16 MiB, or as much as
// one body alone has.
func (fw *Writer) room(rows []row) {
	n := 0
	for i := range rows {
		if rows[i].squeezed {
			n += int(rows[i].bodyLen)
		}
	}
	if n > cap(fw.bodies) || cap(fw.bodies) > 2*maxGroup {
		fw.bodies = make([]byte, 0, n)
	}
	fw.bodies = fw.bodies[:0]
}

// body returns a row's body as it came.
func (fw *Writer) body(r *row) ([]byte, error) {
	if !r.squeezed {
		return r.data[r.blobLen:], nil
	}
	at := len(fw.bodies)
	end := at + int(r.bodyLen)
	if end > cap(fw.bodies) {
		return nil, fmt.Errorf("squeezed body: %w", errBlob)
	}
	fw.bodies = fw.bodies[:end]
	return fw.bodies[at:end:end], r.unsqueeze(fw.bodies[at:end:end])
}
