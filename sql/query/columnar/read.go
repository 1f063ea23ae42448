package columnar

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Shown is the metadata key that describes how text formats write a field's values if the type does not decide it.
const Shown = "pingmill.shown"

// Values of Shown. For a timestamp the value is the number of fractional digits, as Presto writes it.
const (
	ShownJSON    = "json"    // text that is JSON
	ShownInteger = "integer" // a decimal that is a whole number
)

// Reader reads a stream. It trusts no byte of it: every defect is an error.
type Reader struct {
	in *ipc.Reader
}

// ErrDamaged means the bytes are not a complete stream as Writer writes it.
var ErrDamaged = errors.New("the result is damaged")

// damaged wraps an error or a recovered panic in ErrDamaged.
func damaged(why any) error { return fmt.Errorf("%w: %v", ErrDamaged, why) }

// NewReader reads the schema of a stream that has at most size bytes. It never allocates more memory than there are
// bytes.
func NewReader(r io.Reader, size int64) (_ *Reader, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged(p)
		}
	}()
	m := &messages{from: r, size: size}
	in, err := ipc.NewReaderFromMessageReader(m)
	if err != nil {
		return nil, damaged(err)
	}
	for _, f := range in.Schema().Fields() {
		if err := known(f.Type); err != nil {
			return nil, damaged(err)
		}
	}
	return &Reader{in: in}, nil
}

// known returns an error if Writer never writes the type.
func known(t arrow.DataType) error {
	switch t := t.(type) {
	case *arrow.BooleanType, *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type, *arrow.Uint8Type, *arrow.Uint16Type,
		*arrow.Uint32Type, *arrow.Uint64Type, *arrow.Float32Type, *arrow.Float64Type, *arrow.StringType, *arrow.BinaryType,
		*arrow.Decimal128Type, *arrow.Date32Type, *arrow.Time64Type, *arrow.TimestampType, *arrow.MonthDayNanoIntervalType:
		return nil
	case *arrow.ListType:
		return known(t.Elem())
	case *arrow.MapType:
		return errors.Join(known(t.KeyType()), known(t.ItemType()))
	case *arrow.StructType:
		if t.NumFields() == 0 { // any number of them takes no bytes
			break
		}
		for _, f := range t.Fields() {
			if err := known(f.Type); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("it has values of a type that results have not, %s", t)
}

// Fields returns the columns.
func (r *Reader) Fields() []arrow.Field { return r.in.Schema().Fields() }

// Next returns the next batch, or io.EOF after the last one. The batch is valid until the next call.
func (r *Reader) Next() (batch arrow.RecordBatch, err error) {
	defer func() {
		if p := recover(); p != nil {
			batch, err = nil, damaged(p)
		}
	}()
	if !r.in.Next() {
		if err := r.in.Err(); err != nil && !errors.Is(err, io.EOF) {
			return nil, damaged(err)
		}
		return nil, io.EOF
	}
	batch = r.in.RecordBatch()
	for i, c := range batch.Columns() {
		if err := array.ValidateFull(c); err != nil {
			return nil, damaged(fmt.Sprintf("column %d: %v", i, err))
		}
	}
	return batch, nil
}

// Close frees the reader's memory.
func (r *Reader) Close() { r.in.Release() }

// Rows calls f with at most n rows of a batch, beginning with row from. The values have the types of query.Rows.Next;
// the slice is reused. Rows stops at the first error of f.
func Rows(batch arrow.RecordBatch, from, n int64, f func(row []any) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged(p)
		}
	}()
	row := make([]any, batch.NumCols())
	fields := batch.Schema().Fields()
	for i := from; i < min(batch.NumRows(), from+n); i++ {
		for c, column := range batch.Columns() {
			row[c] = value(&fields[c], column, int(i))
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return nil
}

// messages reads and validates the messages of a stream for package ipc.
type messages struct {
	from io.Reader
	size int64
	last *ipc.Message
}

// Message implements ipc.MessageReader.
func (m *messages) Message() (*ipc.Message, error) {
	f, err := ReadFrame(m.from, m.size)
	if err != nil {
		return nil, err
	}
	m.Release()
	m.last = ipc.NewMessage(memory.NewBufferBytes(f.meta), memory.NewBufferBytes(f.body))
	return m.last, nil
}

// Retain implements ipc.MessageReader.
func (m *messages) Retain() {}

// Release implements ipc.MessageReader.
func (m *messages) Release() {
	if m.last != nil {
		m.last.Release()
		m.last = nil
	}
}

// digitsShown returns the number of fractional digits to write; -1 means all but trailing zeros.
func digitsShown(f *arrow.Field) int {
	text, ok := f.Metadata.GetValue(Shown)
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < 0 || n > 9 {
		return -1
	}
	return n
}
