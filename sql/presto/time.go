package presto

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/clock"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// typedLiteral translates DATE '…' and the like.
func (t *translator) typedLiteral(e *syntax.TypedLit) Expr {
	bad := func() { t.fail(e, "", "'%s' is not a valid %s literal", e.Value, strings.ToUpper(e.Type)) }
	switch e.Type {
	case "date":
		day, ok := clock.Date(e.Value)
		if !ok {
			bad()
		}
		text := day.Format("2006-01-02")
		return constant("DATE '"+text+"'", text, types.New(types.Date))
	case "timestamp":
		return t.timestampLiteral(e, bad)
	case "time":
		at, ok := clock.OfDay(e.Value)
		if !ok || at.Zone != "" {
			bad()
		}
		t.precise(e, at.Precision)
		return constant("TIME '"+at.Wall.Format("15:04:05.999999")+"'", e.Value, types.Type{Kind: types.Time, Precision: at.Precision})
	case "decimal", "dec":
		return decimalLiteral(e.Value)
	}
	typ, err := types.Parse(e.Type)
	t.check(e.TypeAt, err)
	if typ.Kind == types.Char {
		typ.Precision = max(1, utf8.RuneCountInString(e.Value))
	}
	x := t.castTo(e, constant(duck.Text(e.Value), e.Value, varcharLiteral(e.Value)), typ)
	if typ.Kind == types.JSON {
		x.SQL = mark(e, "CAST(presto_json_parse("+duck.Text(e.Value)+") AS JSON)")
	}
	return x
}

func (t *translator) timestampLiteral(e *syntax.TypedLit, bad func()) Expr {
	at, ok := clock.Timestamp(e.Value)
	if !ok {
		bad()
	}
	t.precise(e, at.Precision)
	instant, ok := at.UTC()
	if !ok {
		bad()
	}
	sql := "TIMESTAMP '" + clock.Micros(instant) + "'"
	if at.Zone == "" {
		return constant(sql, clock.Micros(instant), types.Type{Kind: types.Timestamp, Precision: at.Precision})
	}
	return Expr{SQL: duck.Zoned(sql, duck.Text(at.Zone)), Type: types.Type{Kind: types.TimestampTZ, Precision: at.Precision}}
}

// precise refuses more digits than DuckDB's times have.
func (t *translator) precise(at syntax.Node, digits int) {
	if digits > 6 {
		t.refuse(at, "", "times have at most 6 digits behind the second here")
	}
}

// interval translates INTERVAL '…' DAY and the like: a number of milliseconds or months.
func (t *translator) interval(e *syntax.IntervalLit) Expr {
	last := e.To
	if last == syntax.NoField {
		last = e.From
	}
	n, ok := clock.Interval(e.Value, int(e.From-syntax.Year), int(last-syntax.Year))
	if !ok {
		t.fail(e, "", "'%s' is not a valid interval literal", e.Value)
	}
	if e.Negative {
		n = -n
	}
	typ := types.New(types.IntervalDay)
	if e.From <= syntax.Month {
		typ = types.New(types.IntervalYear)
	}
	text := strconv.FormatInt(n, 10)
	return constant(duck.Cast(text, "BIGINT"), text, typ)
}

// timeArithmetic translates + - * and / of times and intervals; false if it is none.
func (t *translator) timeArithmetic(e *syntax.Binary, left, right Expr) (Expr, bool) {
	intervals := []types.Kind{types.IntervalDay, types.IntervalYear}
	times := []types.Kind{types.Date, types.Time, types.Timestamp, types.TimestampTZ}
	switch a, b := left.Type, right.Type; {
	case e.Op == "+" && a.Is(intervals...) && b.Is(times...):
		return t.shifted(e, right, left, ""), true
	case (e.Op == "+" || e.Op == "-") && a.Is(times...) && b.Is(intervals...):
		return t.shifted(e, left, right, strings.TrimPrefix(e.Op, "+")), true
	case (e.Op == "+" || e.Op == "-") && a.Is(intervals...) && a.Kind == b.Kind:
		return Expr{SQL: mark(e, "("+left.SQL+" "+e.Op+" "+right.SQL+")"), Type: a}, true
	case e.Op == "*" && a.Numeric() && b.Is(intervals...):
		return scaled(e, right, left), true
	case (e.Op == "*" || e.Op == "/") && a.Is(intervals...) && b.Numeric():
		return scaled(e, left, right), true
	case e.Op == "-" && a.Is(times...) && b.Is(times...):
		return t.elapsed(e, left, right), true
	}
	return Expr{}, false
}

// shifted returns a time some interval later or, with the sign -, earlier.
func (t *translator) shifted(e *syntax.Binary, at, by Expr, sign string) Expr {
	typ := at.Type
	n := sign + by.SQL
	if sign != "" {
		n = "(" + n + ")"
	}
	if by.Type.Kind == types.IntervalYear {
		if typ.Kind == types.Time {
			t.fail(e, "", "cannot add months to a time of day")
		}
		months := "to_months(CAST(" + n + " AS INTEGER))"
		switch typ.Kind {
		case types.Date:
			return Expr{SQL: mark(e, "CAST("+at.SQL+" + "+months+" AS DATE)"), Type: typ}
		case types.Timestamp:
			return Expr{SQL: mark(e, "("+at.SQL+" + "+months+")"), Type: typ}
		}
		zone := duck.Zone(at.SQL)
		return Expr{SQL: mark(e, duck.Zoned(duck.FromLocal("("+duck.LocalOf(at.SQL)+" + "+months+")", zone), zone)), Type: typ}
	}
	millis := "to_milliseconds(" + n + ")"
	switch typ.Kind {
	case types.Date:
		return Expr{SQL: mark(e, "("+at.SQL+" + CAST("+t.wholeDays(e, by, n)+" AS INTEGER))"), Type: typ}
	case types.TimestampTZ:
		typ.Precision = max(3, typ.Precision)
		return Expr{SQL: mark(e, duck.Zoned("("+duck.Instant(at.SQL)+" + "+millis+")", duck.Zone(at.SQL))), Type: typ}
	}
	typ.Precision = max(3, typ.Precision)
	return Expr{SQL: mark(e, "("+at.SQL+" + "+millis+")"), Type: typ}
}

const dayMillis = 86_400_000

// wholeDays makes days of an interval; a date takes nothing shorter.
func (t *translator) wholeDays(e *syntax.Binary, by Expr, n string) string {
	const message = "Cannot add hour, minutes or seconds to a date"
	if by.Constant {
		v, _ := strconv.ParseInt(by.Text, 10, 64)
		if v%dayMillis != 0 {
			t.fail(e, "CAST the date AS timestamp", message)
		}
		if strings.HasPrefix(n, "(-") {
			v = -v
		}
		return strconv.FormatInt(v/dayMillis, 10)
	}
	if days, ok := daysOf(by.SQL); ok { // INTERVAL '1' DAY * n
		if strings.HasPrefix(n, "(-") {
			return "-" + days
		}
		return days
	}
	return duck.Fill(fmt.Sprintf("CASE WHEN $1 %% %d <> 0 THEN error('%s') ELSE $1 // %d END", dayMillis, message, dayMillis), []string{n}, 2)
}

// daysMark begins an interval of whole days, whose number follows.
const daysMark = "(86400000 * "

func daysOf(sql string) (string, bool) {
	rest, ok := strings.CutPrefix(duck.Unmark(sql), daysMark)
	return strings.TrimSuffix(rest, ")"), ok
}

// scaled multiplies or divides an interval by a number.
func scaled(e *syntax.Binary, interval, by Expr) Expr {
	if by.Type.Whole() {
		if interval.Constant && e.Op == "*" {
			if v, _ := strconv.ParseInt(interval.Text, 10, 64); v == dayMillis {
				return Expr{SQL: mark(e, daysMark+cast.Coerce(by.SQL, by.Type, types.New(types.Bigint))+")"), Type: interval.Type}
			}
		}
		return Expr{SQL: mark(e, arithmetic(e.Op, interval, by)), Type: interval.Type}
	}
	sql := interval.SQL + " " + e.Op + " CAST(" + by.SQL + " AS DOUBLE)"
	return Expr{SQL: mark(e, "CAST(trunc("+sql+") AS BIGINT)"), Type: interval.Type}
}

// elapsed returns the interval between two times.
func (t *translator) elapsed(e *syntax.Binary, left, right Expr) Expr {
	typ, ok := types.Common(left.Type, right.Type)
	if !ok {
		t.fail(e, "", "cannot calculate %s - %s", left.Type, right.Type)
	}
	left, right = t.coerce(left, typ), t.coerce(right, typ)
	a, b := left.SQL, right.SQL
	switch typ.Kind {
	case types.Date:
		return Expr{SQL: mark(e, "(CAST("+a+" - "+b+" AS BIGINT) * 86400000)"), Type: types.New(types.IntervalDay)}
	case types.TimestampTZ:
		a, b = duck.Instant(a), duck.Instant(b)
	}
	sql := "(epoch_ms(" + a + ") - epoch_ms(" + b + "))"
	if typ.Precision > 3 {
		sql = "CAST(round((epoch_us(" + a + ") - epoch_us(" + b + ")) / 1e3) AS BIGINT)"
	}
	return Expr{SQL: mark(e, sql), Type: types.New(types.IntervalDay)}
}

// atTimeZone translates AT TIME ZONE; a date has none.
func (t *translator) atTimeZone(s *Scope, e *syntax.AtTimeZone) Expr {
	if x := t.expr(s, e.X); x.Type.Kind == types.Date {
		t.fail(e.X, "CAST it AS timestamp", "a date has no time of day that a zone could show")
	}
	return t.call(s, &syntax.Call{Span: e.Span, Name: nameOf("at_timezone", e.Span), Args: []syntax.Expr{e.X, e.Zone}})
}

// extract translates EXTRACT(field FROM x): each field is a function.
func (t *translator) extract(s *Scope, e *syntax.Extract) Expr {
	name := e.Field.Key()
	if functions.Find(name) == nil || name == "date" {
		t.fail(e.Field, "", "there is no field %s in a time", e.Field.Name)
	}
	return t.call(s, &syntax.Call{Span: e.Span, Name: nameOf(name, e.Span), Args: []syntax.Expr{e.X}})
}

// current translates CURRENT_DATE and the like. The session's zone is UTC.
func (t *translator) current(e *syntax.Current) Expr {
	now := functions.Now
	switch e.Kind {
	case syntax.CurrentDate:
		return Expr{SQL: "CAST(" + now + " AS DATE)", Type: types.New(types.Date)}
	case syntax.CurrentTimestamp:
		return Expr{SQL: duck.Zoned(now, "'UTC'"), Type: types.New(types.TimestampTZ)}
	case syntax.LocalTimestamp:
		return Expr{SQL: now, Type: types.New(types.Timestamp)}
	case syntax.LocalTime:
		return Expr{SQL: "CAST(" + now + " AS TIME)", Type: types.New(types.Time)}
	case syntax.CurrentCatalog:
		return literal(&syntax.StringLit{Value: "hive"})
	case syntax.CurrentSchema:
		return literal(&syntax.StringLit{Value: "default"})
	}
	t.refuse(e, "", "this is not supported")
	return Expr{}
}
