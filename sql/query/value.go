package query

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/query/encode"
)

// Object is a struct or a map in a result. Its members are in the order of the type or the map, with keys as text.
type (
	Object = encode.Object
	Member = encode.Member
)

// valueKind determines how values of a type are read and written.
type valueKind uint8

const (
	kindText      valueKind = iota // DuckDB writes it as text
	kindTimestamp                  // the same, with T between day and time
	kindDecimal                    // the same, shown as a number
	kindJSON                       // text that is JSON
	kindBool
	kindInteger
	kindFloat
	kindList
	kindStruct
	kindMap
)

// valueType is the type of a result's column or of a part of it.
type valueType struct {
	kind  valueKind
	text  string // as DuckDB writes it
	plain string // the type it is cast to for reading
	huge  bool   // HUGEINT
	bare  bool   // the driver does not know it, such as a row without member names: text
	names []string
	parts []valueType // member types; element; key and value
	// shown means that timestamps are written as in Presto, with digits fractional digits.
	shown  bool
	digits int
}

// show makes values of a Presto type look as in Presto.
func (t *valueType) show(p types.Type) {
	t.shown, t.digits = p.Kind == types.Timestamp, p.Precision
	for i := range min(len(t.parts), len(p.Elems)) {
		t.parts[i].show(p.Elems[i])
	}
}

// typeOf returns the valueType of a DuckDB type. A type that the driver cannot describe, such as a row without member
// names, is read as text.
func typeOf(info duckdb.TypeInfo, err error) valueType {
	if err != nil {
		return valueType{text: "VARCHAR", plain: "VARCHAR", bare: true}
	}
	id := info.InternalType()
	if name, ok := scalarNames[id]; ok {
		return valueType{kind: scalarKinds[id], text: name, plain: plainName(scalarKinds[id], name), huge: id == duckdb.TYPE_HUGEINT}
	}
	switch d := info.Details().(type) {
	case *duckdb.DecimalDetails:
		return valueType{kind: kindDecimal, text: fmt.Sprintf("DECIMAL(%d,%d)", d.Width, d.Scale), plain: "VARCHAR"}
	case *duckdb.ListDetails:
		return listOf(typeOf(d.Child, nil), "[]")
	case *duckdb.ArrayDetails:
		return listOf(typeOf(d.Child, nil), "["+strconv.FormatUint(d.Size, 10)+"]")
	case *duckdb.MapDetails:
		return mapOf(typeOf(d.Key, nil), typeOf(d.Value, nil))
	case *duckdb.StructDetails:
		t := valueType{kind: kindStruct}
		for _, e := range d.Entries {
			t.names, t.parts = append(t.names, e.Name()), append(t.parts, typeOf(e.Info(), nil))
		}
		t.text = t.structText(func(p valueType) string { return p.text })
		t.plain = t.structText(func(p valueType) string { return p.plain })
		return t
	case *duckdb.EnumDetails:
		return valueType{text: "ENUM", plain: "VARCHAR"}
	}
	return valueType{text: "VARCHAR", plain: "VARCHAR"}
}

func listOf(elem valueType, suffix string) valueType {
	return valueType{kind: kindList, text: elem.text + suffix, plain: elem.plain + suffix, parts: []valueType{elem}}
}

// mapOf returns the type of a map. The driver accepts scalar keys only. Keys that are text because the driver returns
// values of another kind retain that kind.
func mapOf(key, value valueType) valueType {
	t := valueType{kind: kindMap, parts: []valueType{key, value}, text: "MAP(" + key.text + ", " + value.text + ")"}
	if key.kind >= kindList {
		return valueType{text: t.text, plain: "VARCHAR"}
	}
	t.plain = "MAP(" + key.plain + ", " + value.plain + ")"
	return t
}

func (t valueType) structText(part func(valueType) string) string {
	members := make([]string, len(t.parts))
	for i, p := range t.parts {
		members[i] = quoteName(t.names[i]) + " " + part(p)
	}
	return "STRUCT(" + strings.Join(members, ", ") + ")"
}

// scalarNames maps scalar types to DuckDB's names.
var scalarNames = map[duckdb.Type]string{
	duckdb.TYPE_BOOLEAN: "BOOLEAN", duckdb.TYPE_TINYINT: "TINYINT", duckdb.TYPE_SMALLINT: "SMALLINT",
	duckdb.TYPE_INTEGER: "INTEGER", duckdb.TYPE_BIGINT: "BIGINT", duckdb.TYPE_UTINYINT: "UTINYINT",
	duckdb.TYPE_USMALLINT: "USMALLINT", duckdb.TYPE_UINTEGER: "UINTEGER", duckdb.TYPE_UBIGINT: "UBIGINT",
	duckdb.TYPE_HUGEINT: "HUGEINT", duckdb.TYPE_UHUGEINT: "UHUGEINT", duckdb.TYPE_FLOAT: "FLOAT",
	duckdb.TYPE_DOUBLE: "DOUBLE", duckdb.TYPE_VARCHAR: "VARCHAR", duckdb.TYPE_BLOB: "BLOB",
	duckdb.TYPE_DATE: "DATE", duckdb.TYPE_TIME: "TIME", duckdb.TYPE_TIME_TZ: "TIMETZ",
	duckdb.TYPE_TIMESTAMP: "TIMESTAMP", duckdb.TYPE_TIMESTAMP_S: "TIMESTAMP_S",
	duckdb.TYPE_TIMESTAMP_MS: "TIMESTAMP_MS", duckdb.TYPE_TIMESTAMP_NS: "TIMESTAMP_NS",
	duckdb.TYPE_TIMESTAMP_TZ: "TIMESTAMP WITH TIME ZONE", duckdb.TYPE_INTERVAL: "INTERVAL",
	duckdb.TYPE_UUID: "UUID", duckdb.TYPE_BIT: "BIT", duckdb.TYPE_BIGNUM: "BIGNUM",
}

// scalarKinds has the kinds of scalar types that are not text.
var scalarKinds = map[duckdb.Type]valueKind{
	duckdb.TYPE_BOOLEAN: kindBool, duckdb.TYPE_FLOAT: kindFloat, duckdb.TYPE_DOUBLE: kindFloat,
	duckdb.TYPE_TINYINT: kindInteger, duckdb.TYPE_SMALLINT: kindInteger, duckdb.TYPE_INTEGER: kindInteger,
	duckdb.TYPE_BIGINT: kindInteger, duckdb.TYPE_UTINYINT: kindInteger, duckdb.TYPE_USMALLINT: kindInteger,
	duckdb.TYPE_UINTEGER: kindInteger, duckdb.TYPE_UBIGINT: kindInteger, duckdb.TYPE_HUGEINT: kindInteger,
	duckdb.TYPE_UHUGEINT: kindInteger, duckdb.TYPE_TIMESTAMP: kindTimestamp, duckdb.TYPE_TIMESTAMP_S: kindTimestamp,
	duckdb.TYPE_TIMESTAMP_MS: kindTimestamp, duckdb.TYPE_TIMESTAMP_NS: kindTimestamp, duckdb.TYPE_TIMESTAMP_TZ: kindTimestamp,
}

func plainName(k valueKind, name string) string {
	if k < kindBool {
		return "VARCHAR"
	}
	return name
}

// numeric reports whether values are shown as numbers.
func (t valueType) numeric() bool {
	return t.kind == kindInteger || t.kind == kindFloat || t.kind == kindDecimal
}

// store returns the expression that stores a column in a table: rows without member names cannot be stored.
func (t valueType) store(column string) string {
	if t.bare {
		return "CAST(" + column + " AS VARCHAR) AS " + column
	}
	return column
}

// read returns the expression that reads a column for the driver: text for values that the driver would not return
// exactly (it decodes JSON to floats), and a list of entries for a map (the driver takes quadratic time for maps).
func (t valueType) read(column string) string {
	if t.kind == kindMap {
		return fmt.Sprintf("CAST(map_entries(%s) AS STRUCT(\"key\" %s, \"value\" %s)[])", column, t.parts[0].plain, t.parts[1].plain)
	}
	return fmt.Sprintf("CAST(%s AS %s)", column, t.plain)
}

// export returns the expression that writes a column to a parquet file. Parquet has no 128-bit integers, so sums are
// 64-bit, as in Presto.
func (t valueType) export(column string) string {
	switch {
	case t.huge:
		return "CAST(" + column + " AS BIGINT)"
	case t.bare:
		return "CAST(" + column + " AS VARCHAR)"
	}
	return column
}

// value converts a value of the driver to one of the types of Rows.Next.
func (t *valueType) value(v driver.Value) any {
	switch v := v.(type) {
	case nil, bool, int64, uint64, *big.Int, float32, float64:
		return v
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case uint8:
		return int64(v)
	case uint16:
		return int64(v)
	case uint32:
		return int64(v)
	case string:
		return t.fromText(v)
	case []any:
		return t.fromList(v)
	case map[string]any:
		return t.fromStruct(v)
	case duckdb.OrderedMap:
		return t.fromMap(v.Keys(), v.Values())
	case []byte:
		return fmt.Sprintf("\\x%X", v)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v)
}

func (t *valueType) fromText(s string) any {
	switch t.kind {
	case kindJSON:
		return json.RawMessage(s)
	case kindDecimal: // DuckDB omits the zero if the scale equals the width
		if digits := strings.TrimPrefix(s, "-"); strings.HasPrefix(digits, ".") {
			return s[:len(s)-len(digits)] + "0" + digits
		}
	case kindTimestamp:
		if t.shown {
			return prestoTimestamp(s, t.digits)
		}
		if i := strings.IndexByte(s, ' '); i > 0 && i+1 < len(s) && lexer.Digit(s[i-1]) && lexer.Digit(s[i+1]) {
			s = s[:i] + "T" + s[i+1:]
		}
		if t.text == scalarNames[duckdb.TYPE_TIMESTAMP_TZ] {
			s = strings.Replace(s, "+00", "Z", 1)
		}
	}
	return s
}

// prestoTimestamp writes 2018-03-01 12:00:00.5 with digits fractional digits.
func prestoTimestamp(s string, digits int) string {
	whole, fraction, _ := strings.Cut(s, ".")
	if digits == 0 {
		return whole
	}
	return whole + "." + (fraction + "000000")[:digits]
}

func (t *valueType) fromList(list []any) any {
	if t.kind == kindMap {
		keys, values := make([]any, 0, len(list)), make([]any, 0, len(list))
		for _, e := range list {
			if entry, ok := e.(map[string]any); ok {
				keys, values = append(keys, entry["key"]), append(values, entry["value"])
			}
		}
		return t.fromMap(keys, values)
	}
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = t.part(0).value(e)
	}
	return out
}

func (t *valueType) fromStruct(m map[string]any) Object {
	out := make(Object, 0, len(m))
	for i, name := range t.names {
		out = append(out, Member{Name: name, Value: t.parts[i].value(m[name])})
	}
	return out
}

func (t *valueType) fromMap(keys, values []any) Object {
	out := make(Object, len(keys))
	key, value := t.part(0), t.part(1)
	for i := range keys {
		out[i] = Member{Name: encode.Key(key.value(keys[i])), Value: value.value(values[i])}
	}
	return out
}

// part returns the type of a part, or the zero type if unknown.
func (t *valueType) part(i int) *valueType {
	if i < len(t.parts) {
		return &t.parts[i]
	}
	return &valueType{}
}
