package functions

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// sqlOf makes a Write of a function from the arguments' SQL to the call's.
func sqlOf(write func(a []string) string) func(c *Call) (Result, error) {
	return func(c *Call) (Result, error) { return Result{SQL: write(sqls(c.Args))}, nil }
}

// local makes a template for a timestamp, which is $1, one for what a timestamp with
// time zone shows.
func local(template string) func(c *Call) (Result, error) {
	return sqlOf(func(a []string) string { return duck.Fill(template, append([]string{duck.LocalOf(a[0])}, a[1:]...), 9) })
}

// field returns a function that gives a number of a time, such as its hour. template is for a timestamp or date;
// ofInterval for an interval, "" where there is none.
func field(name, doc, template, interval, ofInterval string, times ...string) Function {
	f := Function{Name: name, Doc: doc}
	for _, t := range times {
		form := Form{Signature: "(" + t + ") -> bigint", SQL: template}
		if t == zonedType {
			form.SQL, form.Write = "", local(template)
		}
		f.Forms = append(f.Forms, form)
	}
	if ofInterval != "" {
		f.Forms = append(f.Forms, Form{Signature: "(" + interval + ") -> bigint", SQL: ofInterval})
	}
	return f
}

const (
	zonedType   = "timestamp with time zone"
	daysType    = "interval day to second"
	monthsType  = "interval year to month"
	milliOfTime = "CAST(millisecond($1) % 1000 AS BIGINT)"
)

// aliased returns a function with one more name.
func aliased(alias string, f Function) Function {
	f.Aliases = []string{alias}
	return f
}

var timeFields = func() []Function {
	dates := []string{"date", "timestamp", zonedType}
	clocks := []string{"timestamp", "time", zonedType}
	return []Function{
		aliased("day_of_month",
			field("day", "The day of the month; the days of an interval.", "day($1)", daysType, "($1 // 86400000)", dates...)),
		aliased("dow", field("day_of_week", "The day of the week: 1 is Monday, 7 Sunday.", "isodow($1)", "", "", dates...)),
		aliased("doy", field("day_of_year", "The day of the year.", "dayofyear($1)", "", "", dates...)),
		aliased("week_of_year", field("week", "The ISO week of the year.", "week($1)", "", "", dates...)),
		aliased("yow", field("year_of_week", "The year of the ISO week.", "isoyear($1)", "", "", dates...)),
		field("year", "The year.", "year($1)", monthsType, "($1 // 12)", dates...),
		field("quarter", "The quarter of the year.", "quarter($1)", "", "", dates...),
		field("month", "The month of the year.", "month($1)", monthsType, "($1 % 12)", dates...),
		field("hour", "The hour of the day.", "hour($1)", daysType, "($1 // 3600000 % 24)", clocks...),
		field("minute", "The minute of the hour.", "minute($1)", daysType, "($1 // 60000 % 60)", clocks...),
		field("second", "The second of the minute.", "second($1)", daysType, "($1 // 1000 % 60)", clocks...),
		field("millisecond", "The millisecond of the second.", milliOfTime, daysType, "($1 % 1000)", clocks...),
		{Name: "timezone_hour", Doc: "The hours between a zone and UTC at a time.",
			Forms: []Form{{Signature: "(" + zonedType + ") -> bigint", Write: sqlOf(offset("($1 // 3600)"))}}},
		{Name: "timezone_minute", Doc: "The minutes of the hour between a zone and UTC at a time.",
			Forms: []Form{{Signature: "(" + zonedType + ") -> bigint", Write: sqlOf(offset("($1 // 60 % 60)"))}}},
		{Name: "last_day_of_month", Doc: "The last day of the month.", Forms: onDates("date", "last_day($1)", "last_day($1)")},
		{Name: "date", Doc: "The day of a time, or of text such as 2018-03-01.", Forms: append(onDates("date", "$1", "CAST($1 AS DATE)"),
			Form{Signature: "(varchar) -> date", Write: castTo(types.New(types.Date))})},
	}
}()

// onDates returns forms for dates, timestamps and those with zone.
func onDates(result, ofDate, ofTime string) []Form {
	return []Form{
		{Signature: "(date) -> " + result, SQL: ofDate},
		{Signature: "(timestamp) -> " + result, SQL: ofTime},
		{Signature: "(" + zonedType + ") -> " + result, Write: local(ofTime)},
	}
}

// offset writes something of the seconds between a zone and UTC.
func offset(template string) func(a []string) string {
	return func(a []string) string {
		return duck.Once(a[0], func(x string) string {
			seconds := "(epoch_ms(" + duck.LocalOf(x) + ") - epoch_ms(" + duck.Instant(x) + ")) // 1000"
			return duck.Fill(template, []string{"(" + seconds + ")"}, 9)
		})
	}
}

// unit is a unit of time in calls such as date_add('day', …).
type unit struct {
	millis int64 // 0 for months and longer
	months int64
}

var units = map[string]unit{
	"millisecond": {millis: 1}, "second": {millis: 1000}, "minute": {millis: 60_000}, "hour": {millis: 3_600_000},
	"day": {millis: 86_400_000}, "week": {millis: 7 * 86_400_000}, "month": {months: 1}, "quarter": {months: 3}, "year": {months: 12},
}

// unitOf reads the unit that is the first argument, which must be a constant and one for the type.
func unitOf(c *Call, t types.Type) (string, unit, error) {
	if !c.Args[0].Constant {
		return "", unit{}, fmt.Errorf("%s with a unit that is not a constant: write it as text, such as 'day'", c.Name)
	}
	name := strings.ToLower(c.Args[0].Text)
	u, ok := units[name]
	switch {
	case !ok:
		return "", u, fmt.Errorf("'%s' is not a unit of %s: these are millisecond, second, minute, hour, day, week, month, quarter and year",
			c.Args[0].Text, c.Name)
	case t.Kind == types.Date && u.millis != 0 && u.millis < 86_400_000:
		return "", u, fmt.Errorf("'%s' is not a unit of a date: CAST it AS timestamp", c.Args[0].Text)
	}
	return name, u, nil
}

// castTo writes a function that is a cast of its argument.
func castTo(to types.Type) func(c *Call) (Result, error) {
	return func(c *Call) (Result, error) {
		sql, err := cast.SQL(c.Args[0].SQL, c.Args[0].Type, to)
		return Result{SQL: sql}, err
	}
}
