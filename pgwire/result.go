package pgwire

import (
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

	"github.com/pingmill/pingmill/query/columnar"
	"github.com/pingmill/pingmill/query/encode"
)

// field is a column of a result.
type field struct {
	name     string
	oid      uint32
	size     int16 // of a value in bytes, -1: it has no fixed one
	modifier int32
}

func textField(name string) field { return field{name, pgtype.TextOID, -1, -1} }

// description is a column as the client gets it, with the format of its values.
func (f field) description(format int16) pgproto3.FieldDescription {
	return pgproto3.FieldDescription{Name: []byte(f.name), DataTypeOID: f.oid, DataTypeSize: f.size, TypeModifier: f.modifier, Format: format}
}

// scalars are PostgreSQL's types for those of results, with the size of values. Those that are not here are JSON.
var scalars = map[arrow.Type]field{
	arrow.BOOL: {oid: pgtype.BoolOID, size: 1}, arrow.INT8: {oid: pgtype.Int2OID, size: 2}, arrow.INT16: {oid: pgtype.Int2OID, size: 2},
	arrow.INT32: {oid: pgtype.Int4OID, size: 4}, arrow.INT64: {oid: pgtype.Int8OID, size: 8}, arrow.UINT8: {oid: pgtype.Int2OID, size: 2},
	arrow.UINT16: {oid: pgtype.Int4OID, size: 4}, arrow.UINT32: {oid: pgtype.Int8OID, size: 8}, arrow.UINT64: {oid: pgtype.NumericOID, size: -1},
	arrow.FLOAT32: {oid: pgtype.Float4OID, size: 4}, arrow.FLOAT64: {oid: pgtype.Float8OID, size: 8}, arrow.STRING: {oid: pgtype.TextOID, size: -1},
	arrow.BINARY: {oid: pgtype.ByteaOID, size: -1}, arrow.DATE32: {oid: pgtype.DateOID, size: 4}, arrow.TIME64: {oid: pgtype.TimeOID, size: 8},
	arrow.TIMESTAMP: {oid: pgtype.TimestampOID, size: 8}, arrow.INTERVAL_MONTH_DAY_NANO: {oid: pgtype.IntervalOID, size: 16},
	arrow.DECIMAL128: {oid: pgtype.NumericOID, size: -1},
}

// fieldOf describes a column.
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

// arrowAnswer reads a result.
func arrowAnswer(r io.ReadCloser) (*answer, error) {
	in, err := ipc.NewReader(r)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return &answer{fields: fieldsOf(in.Schema()), rows: &arrowRows{from: r, in: in}, tag: "SELECT"}, nil
}

// arrowRows are those of an Arrow stream.
type arrowRows struct {
	from io.Closer
	in   *ipc.Reader
	rows [][]any // of the batch, those that are to be given
}

func (r *arrowRows) close() {
	r.in.Release()
	_ = r.from.Close() // it was read
}

func (r *arrowRows) next() ([]any, error) {
	for len(r.rows) == 0 {
		batch, err := r.in.Read()
		if err != nil {
			return nil, err
		}
		if err := r.take(batch); err != nil {
			return nil, err
		}
	}
	row := r.rows[0]
	r.rows = r.rows[1:]
	return row, nil
}

// take makes values for PostgreSQL of a batch.
func (r *arrowRows) take(batch arrow.RecordBatch) error {
	i := 0
	return columnar.Rows(batch, 0, batch.NumRows(), func(row []any) error {
		out := make([]any, len(row))
		for c, a := range batch.Columns() {
			if row[c] == nil {
				continue
			}
			out[c] = value(a, i, row[c])
		}
		i++
		r.rows = append(r.rows, out)
		return nil
	})
}

// value is a value as pgtype takes it for the type of its column; plain is the same as text formats have it.
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
