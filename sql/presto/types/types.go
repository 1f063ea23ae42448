// Package types has the types of Presto's SQL, as Trino 435 names and coerces
// them, and how DuckDB stores a value of each.
package types

import (
	"fmt"
	"strings"
)

// Kind is a type without its parameters.
type Kind uint8

// The kinds of types. Those from HyperLogLog on are opaque: values of them can only go
// to functions.
const (
	Unknown Kind = iota // of NULL
	Boolean
	Tinyint
	Smallint
	Integer
	Bigint
	Real
	Double
	Decimal
	Varchar
	Char
	Varbinary
	JSON
	Date
	Time
	Timestamp
	TimestampTZ
	IntervalDay  // INTERVAL DAY TO SECOND
	IntervalYear // INTERVAL YEAR TO MONTH
	Array
	Map
	Row
	HyperLogLog
	TDigest
	QDigest
	UUID
)

// Unbounded is the length of a varchar without one.
const Unbounded = 0

// Type is a type with its parameters. The zero Type is the type of NULL.
type Type struct {
	Kind Kind
	// Precision of a decimal or of the fraction of a second; length of a varchar (Unbounded: any) or char.
	Precision int
	Scale     int      // of a decimal
	Elems     []Type   // array: one; map: key and value; row: fields; qdigest: one
	Names     []string // of the fields of a row, "" for those without one
}

var kindNames = [...]string{
	Unknown: "unknown", Boolean: "boolean", Tinyint: "tinyint", Smallint: "smallint", Integer: "integer", Bigint: "bigint",
	Real: "real", Double: "double", Decimal: "decimal", Varchar: "varchar", Char: "char", Varbinary: "varbinary", JSON: "json",
	Date: "date", Time: "time", Timestamp: "timestamp", TimestampTZ: "timestamp with time zone",
	IntervalDay: "interval day to second", IntervalYear: "interval year to month", Array: "array", Map: "map", Row: "row",
	HyperLogLog: "HyperLogLog", TDigest: "tdigest", QDigest: "qdigest", UUID: "uuid",
}

// New makes a type without parameters: varchar is unbounded, times have milliseconds.
func New(k Kind) Type {
	if k == Time || k == Timestamp || k == TimestampTZ {
		return Type{Kind: k, Precision: 3}
	}
	return Type{Kind: k}
}

// DecimalOf returns a decimal with a precision and a scale.
func DecimalOf(precision, scale int) Type {
	return Type{Kind: Decimal, Precision: precision, Scale: scale}
}

// VarcharOf returns a varchar of at most length characters.
func VarcharOf(length int) Type { return Type{Kind: Varchar, Precision: length} }

// ArrayOf returns an array of elements of type e.
func ArrayOf(e Type) Type { return Type{Kind: Array, Elems: []Type{e}} }

// RowOf returns a row; names may be nil.
func RowOf(names []string, fields []Type) Type {
	if names == nil {
		names = make([]string, len(fields))
	}
	return Type{Kind: Row, Names: names, Elems: fields}
}

// Elem returns the element of an array or the key of a map.
func (t Type) Elem() Type { return t.Elems[0] }

// Value returns the value of a map.
func (t Type) Value() Type { return t.Elems[1] }

// Is reports whether t is of one of the kinds.
func (t Type) Is(kinds ...Kind) bool {
	for _, k := range kinds {
		if t.Kind == k {
			return true
		}
	}
	return false
}

// Numeric reports whether one can calculate with t.
func (t Type) Numeric() bool { return t.Kind >= Tinyint && t.Kind <= Decimal }

// Whole reports whether t is an integer type.
func (t Type) Whole() bool { return t.Kind >= Tinyint && t.Kind <= Bigint }

// Equal reports whether two types are the same, names of fields included.
func (t Type) Equal(u Type) bool { return t.String() == u.String() }

// Name returns the type without parameters, in upper case.
func (t Type) Name() string { return strings.ToUpper(kindNames[t.Kind]) }

// String returns the type as Trino's typeof prints it.
func (t Type) String() string {
	name := kindNames[t.Kind]
	switch t.Kind {
	case Decimal:
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
	case Varchar:
		if t.Precision == Unbounded {
			return name
		}
		return fmt.Sprintf("varchar(%d)", t.Precision)
	case Char:
		return fmt.Sprintf("char(%d)", t.Precision)
	case Time, Timestamp:
		return fmt.Sprintf("%s(%d)", name, t.Precision)
	case TimestampTZ:
		return fmt.Sprintf("timestamp(%d) with time zone", t.Precision)
	case Array, Map, Row, QDigest:
		parts := make([]string, len(t.Elems))
		for i, e := range t.Elems {
			parts[i] = e.String()
			if t.Kind == Row && t.Names[i] != "" {
				parts[i] = fieldName(t.Names[i]) + " " + parts[i]
			}
		}
		return name + "(" + strings.Join(parts, ", ") + ")"
	}
	return name
}

// fieldName quotes a name that is not one word.
func fieldName(s string) string {
	for i, c := range s {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
	}
	return s
}
