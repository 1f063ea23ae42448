// Package cast writes conversions between the types of Presto's SQL in DuckDB's.
package cast

import (
	"fmt"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// Coerce writes the conversion that happens by itself, such as of an integer
// that is added to a double: types.Coerces holds for the types.
func Coerce(sql string, from, to types.Type) string {
	switch {
	case from.Kind == types.Unknown && to.Kind == types.TimestampTZ:
		return duck.Zoned("CAST(NULL AS TIMESTAMP)", "'UTC'")
	case wider(from, to):
		return fmt.Sprintf("rpad(%s, %d, ' ')", sql, to.Precision)
	case from.Kind == types.Unknown, plain(from, to):
		if from.DuckDB() == to.DuckDB() && from.Kind != types.Unknown {
			return sql
		}
		return duck.Cast(sql, to.DuckDB())
	case to.Kind == types.TimestampTZ && from.Kind == types.TimestampTZ, to.Is(types.Varchar, types.Char) && from.Kind == to.Kind:
		return sql
	case to.Kind == types.TimestampTZ:
		return duck.Zoned(Coerce(sql, from, types.New(types.Timestamp)), "'UTC'")
	}
	return elementwise(sql, from, to, Coerce)
}

// wider reports whether a char becomes a longer one, with more blanks behind it.
func wider(from, to types.Type) bool {
	return from.Kind == types.Char && to.Kind == types.Char && to.Precision > from.Precision
}

// plain reports whether DuckDB's CAST does what Presto's coercion does.
func plain(from, to types.Type) bool {
	if len(from.Elems) == 0 {
		return !wider(from, to) && (from.Kind == types.Unknown || from.Kind != to.Kind && to.Kind != types.TimestampTZ ||
			to.Is(types.Decimal, types.Timestamp, types.Time) || from.DuckDB() == to.DuckDB())
	}
	for i, e := range from.Elems {
		if !plain(e, to.Elems[i]) {
			return false
		}
	}
	return from.Kind != types.Row || sameFields(from, to)
}

func sameFields(from, to types.Type) bool {
	for i := range from.Elems {
		if from.Field(i) != to.Field(i) {
			return false
		}
	}
	return true
}

// elementwise converts arrays, maps and rows by converting their elements.
func elementwise(sql string, from, to types.Type, convert func(sql string, from, to types.Type) string) string {
	switch from.Kind {
	case types.Array:
		return "list_transform(" + sql + ", lambda e" + depth(from) + ": " + convert("e"+depth(from), from.Elem(), to.Elem()) + ")"
	case types.Map:
		return duck.Once(sql, func(m string) string {
			keys := elementwise("map_keys("+m+")", types.ArrayOf(from.Elem()), types.ArrayOf(to.Elem()), convert)
			values := elementwise("map_values("+m+")", types.ArrayOf(from.Value()), types.ArrayOf(to.Value()), convert)
			return "CASE WHEN " + m + " IS NOT NULL THEN map(" + keys + ", " + values + ") END"
		})
	case types.Row:
		return duck.Once(sql, func(r string) string {
			fields := ""
			for i := range from.Elems {
				if i > 0 {
					fields += ", "
				}
				fields += duck.Name(to.Field(i)) + ": " + convert(Field(r, from, i), from.Elems[i], to.Elems[i])
			}
			return "CASE WHEN " + r + " IS NOT NULL THEN {" + fields + "} END"
		})
	}
	return sql
}

// Field is field i of a row.
func Field(sql string, row types.Type, i int) string {
	return "struct_extract(" + sql + ", " + duck.Text(row.Field(i)) + ")"
}

// depth makes names of parameters differ inside of each other.
func depth(t types.Type) string {
	d := 0
	for _, e := range t.Elems {
		d = max(d, len(depth(e)))
	}
	return "eeeeeeeeeeeeeeee"[:min(16, d+1)]
}

// Elements writes a value whose scalars, also those in arrays, maps and rows, go through a
// conversion.
func Elements(sql string, t types.Type, scalar func(sql string, t types.Type) string) string {
	if len(t.Elems) == 0 || t.Kind == types.QDigest {
		return scalar(sql, t)
	}
	return elementwise(sql, t, t, func(sql string, t, _ types.Type) string { return Elements(sql, t, scalar) })
}
