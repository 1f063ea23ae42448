package bi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/query"
)

// SchemaOf returns the schema of a result with these columns.
func SchemaOf(columns []query.Column) (*arrow.Schema, error) {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		t, err := typeOf(c.Type)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: true}
	}
	return arrow.NewSchema(fields, nil), nil
}

// scalars maps SQL types to Arrow types. A type that is missing becomes text.
var scalars = map[string]arrow.DataType{
	"BOOLEAN": arrow.FixedWidthTypes.Boolean, "TINYINT": arrow.PrimitiveTypes.Int8, "SMALLINT": arrow.PrimitiveTypes.Int16,
	"INTEGER": arrow.PrimitiveTypes.Int32, "BIGINT": arrow.PrimitiveTypes.Int64, "UTINYINT": arrow.PrimitiveTypes.Uint8,
	"USMALLINT": arrow.PrimitiveTypes.Uint16, "UINTEGER": arrow.PrimitiveTypes.Uint32, "UBIGINT": arrow.PrimitiveTypes.Uint64,
	"HUGEINT": &arrow.Decimal128Type{Precision: 38}, "UHUGEINT": &arrow.Decimal128Type{Precision: 38}, "FLOAT": arrow.PrimitiveTypes.Float32,
	"DOUBLE": arrow.PrimitiveTypes.Float64,
	"BLOB":   arrow.BinaryTypes.Binary, "DATE": arrow.FixedWidthTypes.Date32, "TIME": arrow.FixedWidthTypes.Time64us,
	"TIMESTAMP": &arrow.TimestampType{Unit: arrow.Microsecond}, "TIMESTAMP_S": &arrow.TimestampType{Unit: arrow.Second},
	"TIMESTAMP_MS": &arrow.TimestampType{Unit: arrow.Millisecond}, "TIMESTAMP_NS": &arrow.TimestampType{Unit: arrow.Nanosecond},
	"TIMESTAMP WITH TIME ZONE": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	"INTERVAL":                 arrow.FixedWidthTypes.MonthDayNanoInterval,
}

// typeOf parses a type in the syntax of Presto or DuckDB: BIGINT, STRUCT("engine" VARCHAR, "count" BIGINT)[],
// MAP(VARCHAR, INTEGER).
func typeOf(text string) (arrow.DataType, error) {
	p := typeParser{text}
	if t, err := types.Parse(text); err == nil && text != strings.ToUpper(text) {
		p.rest = t.DuckDB()
	}
	t, ok := p.parse()
	if !ok || p.rest != "" {
		return nil, fmt.Errorf("a type that cannot be read: %s", text)
	}
	return t, nil
}

type typeParser struct{ rest string }

func (p *typeParser) accept(token string) (ok bool) {
	p.rest, ok = strings.CutPrefix(p.rest, token)
	return ok
}

func (p *typeParser) parse() (t arrow.DataType, ok bool) {
	switch {
	case p.accept("STRUCT("):
		t, ok = p.members()
	case p.accept("MAP("):
		t, ok = p.entries()
	default:
		t, ok = p.scalar()
	}
	for ok && p.accept("[") { // with or without a size
		_, p.rest, ok = strings.Cut(p.rest, "]")
		t = arrow.ListOf(t)
	}
	return t, ok
}

// scalar parses a type name and its parameters in parentheses, if any.
func (p *typeParser) scalar() (arrow.DataType, bool) {
	n := strings.IndexAny(p.rest, "(),[")
	if n < 0 {
		n = len(p.rest)
	}
	name := p.rest[:n]
	p.rest = p.rest[n:]
	if !p.accept("(") {
		if t, ok := scalars[name]; ok {
			return t, true
		}
		return arrow.BinaryTypes.String, name != ""
	}
	inside, rest, ok := strings.Cut(p.rest, ")")
	p.rest = rest
	if name != "DECIMAL" || !ok {
		return arrow.BinaryTypes.String, ok
	}
	width, scale, _ := strings.Cut(inside, ",")
	precision, err := strconv.ParseInt(width, 10, 32)
	digits, err2 := strconv.ParseInt(scale, 10, 32)
	return &arrow.Decimal128Type{Precision: int32(precision), Scale: int32(digits)}, err == nil && err2 == nil
}

// members parses the members of a struct.
func (p *typeParser) members() (arrow.DataType, bool) {
	var fields []arrow.Field
	for {
		name, ok := p.name()
		if !ok || !p.accept(" ") {
			return nil, false
		}
		t, ok := p.parse()
		if !ok {
			return nil, false
		}
		fields = append(fields, arrow.Field{Name: name, Type: t, Nullable: true})
		if p.accept(")") {
			return arrow.StructOf(fields...), true
		}
		if !p.accept(", ") {
			return nil, false
		}
	}
}

// name parses a name with or without quotation marks.
func (p *typeParser) name() (string, bool) {
	if !p.accept(`"`) {
		name, rest, ok := strings.Cut(p.rest, " ")
		p.rest = " " + rest
		return name, ok
	}
	var b strings.Builder
	for {
		part, rest, ok := strings.Cut(p.rest, `"`)
		if !ok {
			return "", false
		}
		b.WriteString(part)
		p.rest = rest
		if !p.accept(`"`) {
			return b.String(), true
		}
		b.WriteByte('"')
	}
}

// entries parses the key and value types of a map.
func (p *typeParser) entries() (arrow.DataType, bool) {
	key, ok := p.parse()
	if !ok || !p.accept(", ") {
		return nil, false
	}
	value, ok := p.parse()
	if !ok || !p.accept(")") {
		return nil, false
	}
	return arrow.MapOf(key, value), true
}
