package cast

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// SQL writes CAST(sql AS to) as Trino does it. It returns an error if there is no such cast.
func SQL(sql string, from, to types.Type) (string, error) { return write(sql, from, to, false) }

// Try writes TRY_CAST(sql AS to); false if it takes a TRY around SQL, because what is in an array, a map or a row may fail.
func Try(sql string, from, to types.Type) (string, bool, error) {
	if len(to.Elems) > 0 {
		return "", false, nil
	}
	s, err := write(sql, from, to, true)
	return s, true, err
}

func write(sql string, from, to types.Type, try bool) (string, error) {
	w := &writer{try: try, from: from, to: to}
	out := w.cast(sql, from, to)
	if w.missing {
		return "", fmt.Errorf("cannot cast %s to %s", from, to)
	}
	return out, nil
}

// writer writes one cast. In try mode a value that cannot be converted is null.
type writer struct {
	try      bool
	from, to types.Type
	missing  bool // there is no such cast
}

func (w *writer) cast(sql string, from, to types.Type) string {
	switch {
	case from.Equal(to):
		return sql
	case from.Kind == types.Unknown:
		return Coerce(sql, from, to)
	case from.Kind == types.JSON:
		return w.fromJSON(sql, to)
	case to.Kind == types.JSON:
		return w.toJSON(sql, from)
	case len(from.Elems) > 0:
		if from.Kind != to.Kind || len(from.Elems) != len(to.Elems) {
			return w.none()
		}
		return elementwise(sql, from, to, w.cast)
	}
	convert := casts[to.Kind]
	if convert == nil {
		return w.none()
	}
	return convert(w, sql, from, to)
}

func (w *writer) none() string {
	w.missing = true
	return "NULL"
}

// casts are the conversions by the kind of the result. They are called with scalars only.
var casts map[types.Kind]func(w *writer, sql string, from, to types.Type) string

func init() { // since they call each other through it
	casts = map[types.Kind]func(w *writer, sql string, from, to types.Type) string{
		types.Boolean: (*writer).boolean, types.Tinyint: (*writer).whole, types.Smallint: (*writer).whole, types.Integer: (*writer).whole,
		types.Bigint: (*writer).whole, types.Real: (*writer).double, types.Double: (*writer).double, types.Decimal: (*writer).decimal,
		types.Varchar: (*writer).varchar, types.Char: (*writer).char, types.Varbinary: (*writer).varbinary, types.Date: (*writer).date,
		types.Time: (*writer).time, types.Timestamp: (*writer).timestamp, types.TimestampTZ: (*writer).timestampTZ, types.UUID: (*writer).uuid,
		types.HyperLogLog: (*writer).hyperLogLog,
	}
}

// plain is DuckDB's cast, which may fail.
func (w *writer) plain(sql string, to types.Type) string {
	if w.try {
		return "TRY_CAST(" + sql + " AS " + to.DuckDB() + ")"
	}
	return duck.Cast(sql, to.DuckDB())
}

// when writes a conversion of $1 that only values have for which the condition holds; others
// fail with a message, whose $1 is the value.
func (w *writer) when(sql, condition, then, message string) string {
	template := "CASE WHEN " + condition + " THEN " + then
	if !w.try {
		before, after, _ := strings.Cut(message, "$1")
		template += " WHEN $1 IS NOT NULL THEN error(concat(" + duck.Text(before) + ", $1, " + duck.Text(after) + "))"
	}
	return duck.Fill(template+" END", []string{sql}, 9)
}

func (w *writer) boolean(sql string, from, _ types.Type) string {
	switch {
	case from.Numeric():
		return "(" + sql + " <> 0)"
	case from.Is(types.Varchar):
		tail := " END"
		if !w.try {
			tail = " WHEN $1 IS NOT NULL THEN error(concat('Cannot cast ''', $1, ''' to BOOLEAN')) END"
		}
		return duck.Fill("CASE WHEN lower($1) IN ('t', 'true', '1') THEN true WHEN lower($1) IN ('f', 'false', '0') THEN false"+tail,
			[]string{sql}, 9)
	}
	return w.none()
}

// wholeNames are the names of the integer types in Trino's messages.
var wholeNames = map[types.Kind]string{types.Tinyint: "TINYINT", types.Smallint: "SMALLINT", types.Integer: "INT", types.Bigint: "BIGINT"}

func (w *writer) whole(sql string, from, to types.Type) string {
	switch {
	case from.Is(types.Double, types.Real):
		return w.plain("round("+sql+")", to) // DuckDB's round goes away from zero, its cast to the even
	case from.Numeric(), from.Kind == types.Boolean:
		return w.plain(sql, to)
	case from.Is(types.Varchar):
		return w.when(sql, "regexp_full_match($1, '[+-]?[0-9]+')", w.plain("$1", to), "Cannot cast '$1' to "+wholeNames[to.Kind])
	}
	return w.none()
}

func (w *writer) double(sql string, from, to types.Type) string {
	switch {
	case from.Numeric(), from.Kind == types.Boolean:
		return duck.Cast(sql, to.DuckDB())
	case from.Is(types.Varchar):
		number := `regexp_full_match(trim($1), '[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?)')`
		return w.when(sql, number, w.plain(`CASE WHEN ends_with($1, 'y') THEN $1 ELSE rtrim(trim($1), 'fFdD') END`, to),
			"Cannot cast '$1' to "+strings.ToUpper(to.String()))
	}
	return w.none()
}

func (w *writer) decimal(sql string, from, to types.Type) string {
	switch {
	case from.Is(types.Double, types.Real): // by its decimal digits, as Trino: 1.005e0 is 1.01
		return w.plain("CAST("+sql+" AS VARCHAR)", to)
	case from.Numeric(), from.Kind == types.Boolean:
		return w.plain(sql, to)
	case from.Is(types.Varchar):
		number := `regexp_full_match($1, '[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?')`
		return w.when(sql, number, w.plain("$1", to), "Cannot cast VARCHAR '$1' to "+to.DuckDB()+". Value is not a number.")
	}
	return w.none()
}

func (w *writer) varbinary(sql string, from, _ types.Type) string {
	switch {
	case from.Is(types.Varchar):
		return "encode(" + sql + ")"
	case from.Is(types.HyperLogLog): // its hashes in order, 8 bytes each
		return duck.Fill("CASE WHEN $1 IS NOT NULL THEN unhex(coalesce(list_aggregate(list_transform(list_sort($1), "+
			"lambda h: lpad(to_hex(h), 16, '0')), 'string_agg', ''), '')) END", []string{sql}, 9)
	}
	return w.none()
}

func (w *writer) hyperLogLog(sql string, from, _ types.Type) string {
	if !from.Is(types.Varbinary) {
		return w.none()
	}
	template := "CASE WHEN octet_length($1) % 8 = 0 THEN list_transform(range(octet_length($1) // 8), " +
		"lambda i: CAST('0x' || substr(hex($1), 16 * i + 1, 16) AS UBIGINT))"
	if !w.try {
		template += " WHEN $1 IS NOT NULL THEN error('Cannot deserialize HyperLogLog')"
	}
	return duck.Fill(template+" END", []string{sql}, 9)
}

func (w *writer) uuid(sql string, from, to types.Type) string {
	if !from.Is(types.Varchar) {
		return w.none()
	}
	return w.plain(sql, to)
}
