package cast

import (
	"fmt"
	"strconv"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// varchar writes the text of a value. Longer texts are cut, other values that
// do not fit are errors.
func (w *writer) varchar(sql string, from, to types.Type) string {
	if from.Is(types.Varchar, types.Char) {
		if to.Precision == types.Unbounded || from.Precision != types.Unbounded && from.Precision <= to.Precision {
			return sql
		}
		return "left(" + sql + ", " + strconv.Itoa(to.Precision) + ")"
	}
	text := Text(sql, from)
	if text == "" {
		return w.none()
	}
	if to.Precision == types.Unbounded {
		return text
	}
	return w.when(text, "length($1) <= "+strconv.Itoa(to.Precision), "$1", "Value $1 cannot be represented as "+to.String())
}

// char pads or cuts text.
func (w *writer) char(sql string, from, to types.Type) string {
	if !from.Is(types.Varchar, types.Char) {
		return w.none()
	}
	return fmt.Sprintf("rpad(%s, %d, ' ')", sql, to.Precision)
}

// Text writes a scalar as CAST(… AS varchar) has it; "" for a type that has no text.
func Text(sql string, t types.Type) string {
	switch {
	case t.Whole(), t.Is(types.Boolean, types.Date, types.UUID):
		return duck.Cast(sql, "VARCHAR")
	case t.Kind == types.Decimal:
		return decimalText(sql, t)
	case t.Kind == types.Double:
		return "presto_double_text(" + sql + ")"
	case t.Kind == types.Real:
		return "presto_real_text(" + sql + ")"
	case t.Is(types.Varchar, types.Char):
		return sql
	case t.Kind == types.Timestamp:
		return clockText(sql, "%Y-%m-%d %H:%M:%S", t.Precision)
	case t.Kind == types.Time:
		return clockText("(DATE '1970-01-01' + "+sql+")", "%H:%M:%S", t.Precision)
	case t.Kind == types.TimestampTZ:
		return duck.Once(sql, func(x string) string {
			local := types.Type{Kind: types.Timestamp, Precision: t.Precision}
			return "(" + Text(duck.LocalOf(x), local) + " || ' ' || " + duck.Zone(x) + ")"
		})
	case t.Kind == types.IntervalDay:
		part := func(unit, modulo string) string {
			return "lpad(CAST(abs($1) // " + unit + " % " + modulo + " AS VARCHAR), 2, '0')"
		}
		return duck.Fill("(CASE WHEN $1 < 0 THEN '-' ELSE '' END || abs($1) // 86400000 || ' ' || "+part("3600000", "24")+" || ':' || "+
			part("60000", "60")+
			" || ':' || "+part("1000", "60")+" || '.' || lpad(CAST(abs($1) % 1000 AS VARCHAR), 3, '0'))", []string{sql}, 9)
	case t.Kind == types.IntervalYear:
		return duck.Fill("(CASE WHEN $1 < 0 THEN '-' ELSE '' END || abs($1) // 12 || '-' || abs($1) % 12)", []string{sql}, 9)
	}
	return ""
}

// clockText writes a time with a number of digits behind the second.
func clockText(sql, format string, digits int) string {
	switch digits {
	case 0:
		return "strftime(" + sql + ", '" + format + "')"
	case 3:
		return "strftime(" + sql + ", '" + format + ".%g')"
	}
	text := "strftime(" + sql + ", '" + format + ".%f')"
	if digits == 6 {
		return text
	}
	return fmt.Sprintf("left(%s, -%d)", text, 6-digits) // without the last digits
}

// decimalText has a 0 before the point, which DuckDB leaves out where the type has no digits there.
func decimalText(sql string, t types.Type) string {
	if t.Precision > t.Scale {
		return duck.Cast(sql, "VARCHAR")
	}
	return fmt.Sprintf("CAST(CAST(%s AS DECIMAL(%d,%d)) AS VARCHAR)", sql, min(types.MaxPrecision, t.Precision+1), t.Scale)
}
