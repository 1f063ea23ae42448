package query

import (
	"bufio"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/query/columnar"
)

// firstRows is the number of rows that somebody sees before the result is whole.
const firstRows = 50

// writeArrow writes an Arrow IPC stream.
func (r *Rows) writeArrow(b *bufio.Writer, first func() error) (n int64, err error) {
	if err := r.begin(); err != nil {
		return 0, err
	}
	w := columnar.NewWriter(b, arrowFields(r))
	if first != nil {
		w.Early(firstRows)
	}
	for {
		raw, err := r.nextRaw()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return n, err
		}
		if r.full() {
			r.cut = CutBytes
			break
		}
		if err := r.appendArrow(w, raw); err != nil {
			return n, err
		}
		r.held = w.Pending()
		if n++; n == firstRows && first != nil {
			if err := b.Flush(); err != nil {
				return n, fmt.Errorf("write result: %w", err)
			}
			if err := first(); err != nil {
				return n, err
			}
		}
	}
	if err := w.Close(); err != nil {
		return n, fmt.Errorf("write result: %w", err)
	}
	return n, nil
}

// arrowFields returns the columns of a result in Arrow.
func arrowFields(r *Rows) []arrow.Field {
	fields := make([]arrow.Field, len(r.types))
	for i, t := range r.types {
		fields[i] = t.field(r.Columns[i].Name)
	}
	return fields
}

func (r *Rows) appendArrow(w *columnar.Writer, raw []driver.Value) error {
	row := make([]any, len(raw))
	for i, v := range raw {
		row[i] = entries(v)
		if _, text := v.(string); !text && v != nil && r.types[i].kind == kindText { // of a statement whose types nobody knows
			row[i] = r.types[i].value(v)
		}
	}
	err := w.Append(row)
	var wrong *columnar.ValueError
	switch {
	case errors.As(err, &wrong):
		return &Error{Kind: "Not supported", Message: "in an Arrow stream: " + wrong.Error()}
	case err != nil:
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// entries has maps as lists of their entries, which those below other values are not yet.
func entries(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = entries(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = entries(v[name])
		}
	case duckdb.OrderedMap:
		keys, values := v.Keys(), v.Values()
		list := make([]any, len(keys))
		for i := range keys {
			list[i] = map[string]any{"key": keys[i], "value": entries(values[i])}
		}
		return list
	}
	return v
}

// arrowTypes are the types of Arrow for those of DuckDB's scalars that are not text there.
var arrowTypes = map[string]arrow.DataType{
	"BOOLEAN": arrow.FixedWidthTypes.Boolean,
	"TINYINT": arrow.PrimitiveTypes.Int8, "SMALLINT": arrow.PrimitiveTypes.Int16, "INTEGER": arrow.PrimitiveTypes.Int32,
	"BIGINT": arrow.PrimitiveTypes.Int64, "UTINYINT": arrow.PrimitiveTypes.Uint8, "USMALLINT": arrow.PrimitiveTypes.Uint16,
	"UINTEGER": arrow.PrimitiveTypes.Uint32, "UBIGINT": arrow.PrimitiveTypes.Uint64,
	"HUGEINT": &arrow.Decimal128Type{Precision: 38}, "UHUGEINT": &arrow.Decimal128Type{Precision: 38},
	"FLOAT": arrow.PrimitiveTypes.Float32, "DOUBLE": arrow.PrimitiveTypes.Float64,
	"BLOB": arrow.BinaryTypes.Binary, "DATE": arrow.FixedWidthTypes.Date32, "TIME": arrow.FixedWidthTypes.Time64us,
	"TIMESTAMP":                &arrow.TimestampType{Unit: arrow.Microsecond},
	"TIMESTAMP_S":              &arrow.TimestampType{Unit: arrow.Second},
	"TIMESTAMP_MS":             &arrow.TimestampType{Unit: arrow.Millisecond},
	"TIMESTAMP_NS":             &arrow.TimestampType{Unit: arrow.Nanosecond},
	"TIMESTAMP WITH TIME ZONE": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	"INTERVAL":                 arrow.FixedWidthTypes.MonthDayNanoInterval,
}

// field returns a column, or a part of one, in Arrow.
func (t valueType) field(name string) arrow.Field {
	f := arrow.Field{Name: name, Type: t.arrow(), Nullable: true}
	shown := ""
	switch {
	case t.kind == kindJSON:
		shown = columnar.ShownJSON
	case t.kind == kindInteger && f.Type.ID() == arrow.DECIMAL128:
		shown = columnar.ShownInteger
	case t.kind == kindTimestamp && t.shown:
		shown = strconv.Itoa(t.digits)
	}
	if shown != "" {
		f.Metadata = arrow.NewMetadata([]string{columnar.Shown}, []string{shown})
	}
	return f
}

func (t valueType) arrow() arrow.DataType {
	switch t.kind {
	case kindList:
		return arrow.ListOfField(t.part(0).field("item"))
	case kindStruct:
		fields := make([]arrow.Field, len(t.parts))
		for i, p := range t.parts {
			fields[i] = p.field(t.names[i])
		}
		return arrow.StructOf(fields...)
	case kindMap:
		key := t.part(0).field("key")
		key.Nullable = false
		return arrow.MapOfFields(key, t.part(1).field("value"))
	case kindDecimal:
		d := &arrow.Decimal128Type{Precision: 38}
		if n, _ := fmt.Sscanf(t.text, "DECIMAL(%d,%d)", &d.Precision, &d.Scale); n == 2 {
			return d
		}
	}
	if a, ok := arrowTypes[t.text]; ok && t.plain != "" && !t.bare {
		return a
	}
	return arrow.BinaryTypes.String
}
