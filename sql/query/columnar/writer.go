package columnar

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A batch has at most BatchRows rows. It ends with the row that makes it BatchBytes or larger.
const (
	BatchRows  = 8192
	BatchBytes = 1 << 20
)

// maxRow and maxBody limit the bytes of a row and of a batch, because a reader holds a whole batch in memory.
const (
	maxRow  = 32 << 20
	maxBody = 128 << 20
)

// Writer writes rows as an Arrow IPC stream. It is not safe for concurrent use.
type Writer struct {
	out     *ipc.Writer
	batch   *array.RecordBuilder
	pending int64
	rows    int
	early   int // rows of the first batch; 0: as many as of others
}

// NewWriter returns a writer of rows with the given fields. The first batch or Close writes the schema.
func NewWriter(w io.Writer, fields []arrow.Field) *Writer {
	s := arrow.NewSchema(fields, nil)
	return &Writer{out: ipc.NewWriter(w, ipc.WithSchema(s)), batch: array.NewRecordBuilder(memory.DefaultAllocator, s)}
}

// Early makes the first batch end after n rows, so that they can be read while others are made.
func (w *Writer) Early(n int) { w.early = n }

// ValueError means that the Arrow type of a column cannot hold a value.
type ValueError struct {
	Column string
	Why    string
}

func (e *ValueError) Error() string { return fmt.Sprintf("column %s: %s", e.Column, e.Why) }

// Append adds a row. It has one value of DuckDB's driver, or a text, for each field.
func (w *Writer) Append(row []any) error {
	if len(row) != w.batch.Schema().NumFields() {
		return errors.New("a row has another number of values than there are columns")
	}
	for i, v := range row {
		n, err := add(w.batch.Field(i), w.batch.Schema().Field(i).Type, v)
		if err != nil {
			return &ValueError{w.batch.Schema().Field(i).Name, err.Error()}
		}
		if w.pending += int64(n); w.pending > maxRow {
			return &ValueError{w.batch.Schema().Field(i).Name, "the values of a row are too large: more than 32 MiB"}
		}
	}
	w.rows++
	if w.rows >= BatchRows || w.pending >= BatchBytes || w.rows == w.early {
		return w.flush()
	}
	return nil
}

// Pending returns the approximate number of bytes not yet written.
func (w *Writer) Pending() int64 { return w.pending }

func (w *Writer) flush() error {
	batch := w.batch.NewRecordBatch()
	defer batch.Release()
	w.pending, w.rows, w.early = 0, 0, 0
	return w.out.Write(batch)
}

// Close writes the remaining rows and the end of the stream.
func (w *Writer) Close() error {
	if w.rows > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.batch.Release()
	return w.out.Close()
}
