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

// A batch has at most BatchRows rows, and ends with the row that makes it as large as BatchBytes.
const (
	BatchRows  = 8192
	BatchBytes = 1 << 20
)

// mostRow is how many bytes a row may take, and mostBody a batch: whoever reads a result holds a whole batch in memory.
const (
	maxRow  = 32 << 20
	maxBody = 128 << 20
)

// Writer writes rows as an Arrow IPC stream.
type Writer struct {
	out     *ipc.Writer
	batch   *array.RecordBuilder
	pending int64
	rows    int
}

// NewWriter makes a writer of rows with such fields. The schema is written with the first batch, or by Close.
func NewWriter(w io.Writer, fields []arrow.Field) *Writer {
	s := arrow.NewSchema(fields, nil)
	return &Writer{out: ipc.NewWriter(w, ipc.WithSchema(s)), batch: array.NewRecordBuilder(memory.DefaultAllocator, s)}
}

// ValueError is the error of a value that its type in Arrow cannot hold.
type ValueError struct {
	Column string
	Why    string
}

func (e *ValueError) Error() string { return fmt.Sprintf("column %s: %s", e.Column, e.Why) }

// Append adds a row: a value of DuckDB's driver for each field, or text.
func (w *Writer) Append(row []any) error {
	if len(row) != w.batch.Schema().NumFields() {
		return errors.New("a row has another number of values than there are columns")
	}
	for i, v := range row {
		n, err := add(w.batch.Field(i), v)
		if err != nil {
			return &ValueError{w.batch.Schema().Field(i).Name, err.Error()}
		}
		if w.pending += int64(n); w.pending > maxRow {
			return &ValueError{w.batch.Schema().Field(i).Name, "the values of a row are too large: more than 32 MiB"}
		}
	}
	w.rows++
	if w.rows >= BatchRows || w.pending >= BatchBytes {
		return w.flush()
	}
	return nil
}

// Pending is about how many bytes wait to be written.
func (w *Writer) Pending() int64 { return w.pending }

func (w *Writer) flush() error {
	batch := w.batch.NewRecordBatch()
	defer batch.Release()
	w.pending, w.rows = 0, 0
	return w.out.Write(batch)
}

// Close writes what is left and the end of the stream.
func (w *Writer) Close() error {
	if w.rows > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.batch.Release()
	return w.out.Close()
}
