package cast

import (
	"strconv"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// The forms of times as text. Blanks around them are taken.
const (
	dateForm  = `[+-]?[0-9]+-[0-9]{1,2}-[0-9]{1,2}`
	clockForm = `[0-9]{1,2}:[0-9]{1,2}(:[0-9]{1,2}(\.[0-9]{1,12})?)?`
	stampForm = dateForm + `( ` + clockForm + `)?`
)

func (w *writer) date(sql string, from, to types.Type) string {
	switch {
	case from.Kind == types.Timestamp:
		return duck.Cast(sql, "DATE")
	case from.Kind == types.TimestampTZ:
		return duck.Cast(duck.LocalOf(sql), "DATE")
	case from.Is(types.Varchar):
		return w.when(sql, "regexp_full_match($1, '\\s*"+dateForm+"\\s*')", w.plain("ltrim($1, ' +')", to), "Value cannot be cast to date: $1")
	}
	return w.none()
}

func (w *writer) time(sql string, from, to types.Type) string {
	switch {
	case from.Is(types.Time, types.Timestamp):
		return duck.Cast(sql, "TIME")
	case from.Kind == types.TimestampTZ:
		return duck.Cast(duck.LocalOf(sql), "TIME")
	case from.Is(types.Varchar):
		return w.when(sql, "regexp_full_match($1, '"+clockForm+"')", w.plain("$1", to), "Value cannot be cast to time: $1")
	}
	return w.none()
}

func (w *writer) timestamp(sql string, from, to types.Type) string {
	switch {
	case from.Kind == types.Date:
		return duck.Cast(sql, "TIMESTAMP")
	case from.Kind == types.Timestamp:
		return Round(sql, from, to)
	case from.Kind == types.TimestampTZ:
		return Round(duck.LocalOf(sql), from, to)
	case from.Is(types.Varchar): // a zone behind it is not looked at
		stamp := w.plain("regexp_extract(trim($1), '"+stampForm+"')", to)
		return Round(w.when(sql, "presto_is_timestamp($1)", stamp, "Value cannot be cast to timestamp: $1"),
			types.Type{Kind: types.Timestamp, Precision: 6}, to)
	}
	return w.none()
}

func (w *writer) timestampTZ(sql string, from, to types.Type) string {
	switch {
	case from.Is(types.Date, types.Timestamp):
		return duck.Zoned(w.timestamp(sql, from, to), "'UTC'")
	case from.Kind == types.TimestampTZ:
		return duck.Once(sql, func(x string) string { return duck.Zoned(Round(duck.Instant(x), from, to), duck.Zone(x)) })
	case from.Is(types.Varchar):
		parsed := w.when(sql, "presto_is_timestamp($1)", "presto_parse_timestamp($1)", "Value cannot be cast to timestamp with time zone: $1")
		return duck.Once(parsed, func(x string) string { return Parsed(x, to.Precision) })
	}
	return w.none()
}

// Parsed takes the result of a function of package scalar apart that gives
// microseconds since 1970 and a zone as one text; 6 digits leave the time as it is.
func Parsed(x string, digits int) string {
	micros := "make_timestamp(CAST(split_part(" + x + ", ' ', 1) AS BIGINT))"
	return duck.Zoned(Round(micros, types.Type{Kind: types.Timestamp, Precision: 6}, types.Type{Kind: types.Timestamp, Precision: digits}),
		"split_part("+x+", ' ', 2)")
}

// Round rounds a timestamp half up to the digits of its new type.
func Round(sql string, from, to types.Type) string {
	if to.Precision >= from.Precision {
		return sql
	}
	unit := int64(1)
	for range 6 - to.Precision {
		unit *= 10
	}
	return roundTo(sql, unit)
}

// roundTo rounds a timestamp half up to a number of microseconds.
func roundTo(sql string, unit int64) string {
	n := strconv.FormatInt(unit, 10)
	half := strconv.FormatInt(unit/2, 10)
	// The remainder of a time before 1970 is negative.
	return duck.Fill("make_timestamp($1 + "+half+" - (($1 + "+half+") % "+n+" + "+n+") % "+n+")", []string{"epoch_us(" + sql + ")"}, 9)
}
