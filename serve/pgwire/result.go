package pgwire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/query/encode"
)

// field is a column of a result.
type field struct {
	name     string
	oid      uint32
	size     int16 // of a value in bytes; -1: variable
	modifier int32
}

func textField(name string) field { return field{name, pgtype.TextOID, -1, -1} }

// description returns the column in the form of the protocol, with the format of its values.
func (f field) description(format int16) pgproto3.FieldDescription {
	return pgproto3.FieldDescription{Name: []byte(f.name), DataTypeOID: f.oid, DataTypeSize: f.size, TypeModifier: f.modifier, Format: format}
}

// scalars maps Arrow types to PostgreSQL's types, with the size of their values. A type that is missing becomes JSON.
var scalars = map[arrow.Type]field{
	arrow.BOOL: {oid: pgtype.BoolOID, size: 1}, arrow.INT8: {oid: pgtype.Int2OID, size: 2}, arrow.INT16: {oid: pgtype.Int2OID, size: 2},
	arrow.INT32: {oid: pgtype.Int4OID, size: 4}, arrow.INT64: {oid: pgtype.Int8OID, size: 8}, arrow.UINT8: {oid: pgtype.Int2OID, size: 2},
	arrow.UINT16: {oid: pgtype.Int4OID, size: 4}, arrow.UINT32: {oid: pgtype.Int8OID, size: 8},
	arrow.UINT64:  {oid: pgtype.NumericOID, size: -1},
	arrow.FLOAT32: {oid: pgtype.Float4OID, size: 4}, arrow.FLOAT64: {oid: pgtype.Float8OID, size: 8},
	arrow.STRING: {oid: pgtype.TextOID, size: -1},
	arrow.BINARY: {oid: pgtype.ByteaOID, size: -1}, arrow.DATE32: {oid: pgtype.DateOID, size: 4}, arrow.TIME64: {oid: pgtype.TimeOID, size: 8},
	arrow.TIMESTAMP: {oid: pgtype.TimestampOID, size: 8}, arrow.INTERVAL_MONTH_DAY_NANO: {oid: pgtype.IntervalOID, size: 16},
	arrow.DECIMAL128: {oid: pgtype.NumericOID, size: -1},
}

// fieldOf converts a column of Arrow.
func fieldOf(a arrow.Field) field {
	f, ok := scalars[a.Type.ID()]
	if !ok {
		f = field{oid: pgtype.JSONOID, size: -1}
	}
	f.name, f.modifier = a.Name, -1
	switch t := a.Type.(type) {
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			f.oid = pgtype.TimestamptzOID
		}
	case *arrow.Decimal128Type:
		f.modifier = (t.Precision<<16 | t.Scale) + 4
	case *arrow.StringType:
		if shown, _ := a.Metadata.GetValue(columnar.Shown); shown == columnar.ShownJSON {
			f.oid = pgtype.JSONOID
		}
	}
	return f
}

func fieldsOf(s *arrow.Schema) []field {
	fields := make([]field, s.NumFields())
	for i, f := range s.Fields() {
		fields[i] = fieldOf(f)
	}
	return fields
}

// stream is a result as an Arrow stream.
type stream struct {
	io.Reader
	memory   int64 // bytes of memory needed to read it
	readable func(context.Context, *access.Person) error
	close    func() error // nil: nothing to close
}

// arrowAnswer reads a result. It reserves the necessary memory in the session until the rows are closed.
func (c *session) arrowAnswer(s *stream) (*answer, error) {
	rows := &arrowRows{stream: s, hold: c.auth.Hold}
	if err := c.auth.Hold(s.memory); err != nil {
		rows.memory = 0
		return nil, errors.Join(err, rows.end())
	}
	in, err := ipc.NewReader(s)
	if err != nil {
		return nil, errors.Join(err, rows.end())
	}
	rows.in = in
	return &answer{fields: fieldsOf(in.Schema()), rows: rows, tag: "SELECT", readable: s.readable}, nil
}

// arrowRows reads rows from an Arrow stream.
type arrowRows struct {
	*stream
	hold func(bytes int64) error
	in   *ipc.Reader

	batch arrow.RecordBatch // nil: none is being read
	at    int64             // rows of the batch that were converted
	rows  [][]any           // converted rows, not sent yet
}

// maxValues is the number of rows converted at a time, because converted rows take more memory than a batch.
const maxValues = 64

func (r *arrowRows) close() { _ = r.end() } // everything was read

// end releases the stream and its memory. It may be called again.
func (r *arrowRows) end() (err error) {
	if r.in != nil {
		r.in.Release()
	}
	if r.stream.close != nil {
		err = r.stream.close()
	}
	_ = r.hold(-r.memory) // releasing memory does not fail
	r.in, r.batch, r.rows, r.memory, r.stream.close = nil, nil, nil, 0, nil
	return err
}

func (r *arrowRows) next() ([]any, error) {
	for len(r.rows) == 0 {
		if r.in == nil {
			return nil, io.EOF
		}
		if r.batch == nil || r.at >= r.batch.NumRows() {
			batch, err := r.in.Read()
			if err != nil {
				return nil, err
			}
			r.batch, r.at = batch, 0
		}
		if err := r.take(); err != nil {
			return nil, err
		}
	}
	row := r.rows[0]
	r.rows = r.rows[1:]
	return row, nil
}

// take converts the next rows of the batch to values for pgtype.
func (r *arrowRows) take() error {
	r.rows = make([][]any, 0, maxValues)
	return columnar.Rows(r.batch, r.at, maxValues, func(row []any) error {
		out := make([]any, len(row))
		for c, a := range r.batch.Columns() {
			if row[c] == nil {
				continue
			}
			out[c] = value(a, int(r.at), row[c])
		}
		r.at++
		r.rows = append(r.rows, out)
		return nil
	})
}

// value returns a value in the form that pgtype needs for the type of the column. plain is the same value in the form
// for text formats.
func value(a arrow.Array, i int, plain any) any {
	switch a := a.(type) {
	case *array.Binary:
		return append([]byte(nil), a.Value(i)...)
	case *array.Date32:
		return dateOf(a.Value(i))
	case *array.Time64:
		return pgtype.Time{Microseconds: int64(a.Value(i)), Valid: true}
	case *array.Timestamp:
		return timeOf(a, i)
	case *array.Decimal128:
		scale := a.DataType().(*arrow.Decimal128Type).Scale
		return pgtype.Numeric{Int: a.Value(i).BigInt(), Exp: -scale, Valid: true}
	case *array.Uint64:
		return pgtype.Numeric{Int: new(big.Int).SetUint64(a.Value(i)), Valid: true}
	case *array.MonthDayNanoInterval:
		v := a.Value(i)
		return pgtype.Interval{Months: v.Months, Days: v.Days, Microseconds: v.Nanoseconds / 1000, Valid: true}
	case *array.List, *array.Struct, *array.Map:
		return json.RawMessage(encode.AppendJSON(nil, plain))
	}
	return plain
}

func dateOf(d arrow.Date32) pgtype.Date {
	switch d {
	case math.MaxInt32:
		return pgtype.Date{InfinityModifier: pgtype.Infinity, Valid: true}
	case -math.MaxInt32:
		return pgtype.Date{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	return pgtype.Date{Time: d.ToTime(), Valid: true}
}

func timeOf(a *array.Timestamp, i int) any {
	t := a.DataType().(*arrow.TimestampType)
	at, end := time.Time{}, pgtype.Finite
	switch v := a.Value(i); v {
	case math.MaxInt64:
		end = pgtype.Infinity
	case -math.MaxInt64:
		end = pgtype.NegativeInfinity
	default:
		at = v.ToTime(t.Unit)
	}
	if t.TimeZone != "" {
		return pgtype.Timestamptz{Time: at, InfinityModifier: end, Valid: true}
	}
	return pgtype.Timestamp{Time: at, InfinityModifier: end, Valid: true}
}
