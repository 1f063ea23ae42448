package types

import (
	"fmt"
	"strings"
)

var storage = map[Kind]string{
	Unknown: "INTEGER", Boolean: "BOOLEAN", Tinyint: "TINYINT", Smallint: "SMALLINT", Integer: "INTEGER", Bigint: "BIGINT",
	Real: "FLOAT", Double: "DOUBLE", Varchar: "VARCHAR", Char: "VARCHAR", Varbinary: "BLOB", JSON: "JSON", Date: "DATE",
	Time: "TIME", Timestamp: "TIMESTAMP", IntervalDay: "BIGINT", IntervalYear: "BIGINT", HyperLogLog: "UBIGINT[]", UUID: "UUID",
	TimestampTZ: "STRUCT(t TIMESTAMP, z VARCHAR)",
}

// DuckDB returns the type by which DuckDB stores values of t:
//   - an interval is a number of milliseconds or of months;
//   - a timestamp with time zone is its instant in UTC and its zone (a name such as
//     America/New_York, an offset such as +02:00, or UTC): in that order, so that the
//     values are ordered as instants;
//   - fields of rows without names are field0, field1, …;
//   - a HyperLogLog is the set of the hashes of the values, a digest the list of
//     its values and their weights.
func (t Type) DuckDB() string {
	switch t.Kind {
	case Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case Array:
		return t.Elem().DuckDB() + "[]"
	case Map:
		return "MAP(" + t.Elem().DuckDB() + ", " + t.Value().DuckDB() + ")"
	case Row:
		fields := make([]string, len(t.Elems))
		for i, e := range t.Elems {
			fields[i] = `"` + strings.ReplaceAll(t.Field(i), `"`, `""`) + `" ` + e.DuckDB()
		}
		return "STRUCT(" + strings.Join(fields, ", ") + ")"
	case TDigest, QDigest:
		return "STRUCT(v DOUBLE, w DOUBLE)[]"
	}
	return storage[t.Kind]
}

// Field returns the name by which field i of a row is stored.
func (t Type) Field(i int) string {
	if t.Names[i] != "" {
		return t.Names[i]
	}
	return fmt.Sprintf("field%d", i)
}
