package functions

import (
	"fmt"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/clock"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

var timeMath = []Function{
	{Name: "date_add", Doc: "A time that is some units later.", Forms: []Form{
		{Signature: "(varchar, bigint, date) -> date", Write: dateAdd},
		{Signature: "(varchar, bigint, timestamp) -> timestamp", Write: dateAdd},
		{Signature: "(varchar, bigint, " + zonedType + ") -> " + zonedType, Write: dateAdd},
	}},
	{Name: "date_diff", Doc: "How many whole units the second time is later than the first.", Forms: []Form{
		{Signature: "(varchar, date, date) -> bigint", Write: dateDiff},
		{Signature: "(varchar, timestamp, timestamp) -> bigint", Write: dateDiff},
		{Signature: "(varchar, " + zonedType + ", " + zonedType + ") -> bigint", Write: dateDiff},
	}},
	{Name: "date_trunc", Doc: "The begin of the unit that a time is in.", Forms: []Form{
		{Signature: "(varchar, date) -> date", Write: dateTrunc},
		{Signature: "(varchar, timestamp) -> timestamp", Write: dateTrunc},
		{Signature: "(varchar, " + zonedType + ") -> " + zonedType, Write: dateTrunc},
	}},
	{Name: "from_unixtime", Doc: "The time of a number of seconds since 1970, in UTC or the zone.", Forms: []Form{
		{Signature: "(double) -> " + zonedType, Write: sqlOf(func(a []string) string { return duck.Zoned(fromSeconds(a[0]), "'UTC'") })},
		{Signature: "(double, varchar) -> " + zonedType, Write: fromUnixtimeZone},
		{Signature: "(double, bigint, bigint) -> " + zonedType, Write: sqlOf(func(a []string) string {
			return duck.Zoned(fromSeconds(a[0]), "presto_zone_of_minutes("+a[1]+" * 60 + "+a[2]+")")
		})},
	}},
	{Name: "to_unixtime", Doc: "The seconds since 1970.", Forms: []Form{
		{Signature: "(timestamp) -> double", SQL: "epoch($1)"},
		{Signature: "(" + zonedType + ") -> double", Write: sqlOf(func(a []string) string { return "epoch(" + duck.Instant(a[0]) + ")" })},
	}},
	{Name: "with_timezone", Doc: "The time on the clocks of a zone, as a timestamp with time zone.", Forms: []Form{
		{Signature: "(timestamp, varchar) -> " + zonedType, Write: withTimezone},
	}},
	{Name: "at_timezone", Doc: "The same instant, shown in another zone.", Forms: []Form{
		{Signature: "(" + zonedType + ", varchar) -> " + zonedType, Write: atTimezone},
		{Signature: "(" + zonedType + ", " + daysType + ") -> " + zonedType, Write: atTimezone},
	}},
	{Name: "now", Doc: "The time when the query began.", Forms: []Form{
		{Signature: "() -> " + zonedType, Write: sqlOf(func([]string) string { return duck.Zoned(Now, "'UTC'") })},
	}},
	{Name: "current_timezone", Doc: "The zone of the session: UTC.", Forms: []Form{{Signature: "() -> varchar", SQL: "'UTC'"}}},
	{Name: "to_milliseconds", Doc: "The milliseconds of an interval.", Forms: []Form{{Signature: "(" + daysType + ") -> bigint", SQL: "$1"}}},
}

// Now is the time when the query began, in UTC and whole milliseconds.
const Now = "date_trunc('milliseconds', timezone('UTC', now()))"

// fromSeconds returns a timestamp of seconds, rounded to milliseconds. Whole numbers are exact.
func fromSeconds(x string) string {
	return "make_timestamp(CAST(round(" + x + " * 1000) AS BIGINT) * 1000)"
}

// zoneOf returns the zone of an argument; a constant one is checked now.
func zoneOf(a Arg) (string, error) {
	if a.Type.Kind == types.IntervalDay {
		return duck.Fill("presto_zone_of_minutes($1 // 60000)", []string{a.SQL}, 9), nil
	}
	if !a.Constant {
		return "presto_zone(" + a.SQL + ")", nil
	}
	zone, err := clock.Zone(a.Text)
	return duck.Text(zone), err
}

func fromUnixtimeZone(c *Call) (Result, error) {
	zone, err := zoneOf(c.Args[1])
	return Result{SQL: duck.Zoned(fromSeconds(c.Args[0].SQL), zone)}, err
}

func atTimezone(c *Call) (Result, error) {
	zone, err := zoneOf(c.Args[1])
	return Result{SQL: duck.Zoned(duck.Instant(c.Args[0].SQL), zone), Type: c.Args[0].Type}, err
}

func withTimezone(c *Call) (Result, error) {
	zone, err := zoneOf(c.Args[1])
	t := c.Args[0].Type
	return Result{SQL: duck.Zoned(duck.FromLocal(c.Args[0].SQL, zone), zone),
		Type: types.Type{Kind: types.TimestampTZ, Precision: t.Precision}}, err
}

// dateAdd adds months and days to what the clocks show, hours and shorter to the instant.
func dateAdd(c *Call) (Result, error) {
	t := c.Args[2].Type
	name, u, err := unitOf(c, t)
	if err != nil {
		return Result{}, err
	}
	n, x := c.Args[1].SQL, c.Args[2].SQL
	if t.Kind == types.Date && u.months == 0 {
		return Result{SQL: fmt.Sprintf("(%s + CAST(%s AS INTEGER))", x, times(n, u.millis/86_400_000)), Type: t}, nil
	}
	interval := fmt.Sprintf("to_%ss(%s)", name, n)
	switch {
	case u.months > 0:
		interval = fmt.Sprintf("to_months(CAST(%s AS INTEGER))", times(n, u.months))
	case name == "day" || name == "week":
		interval = fmt.Sprintf("to_days(CAST(%s AS INTEGER))", times(n, u.millis/86_400_000))
	}
	switch {
	case t.Kind == types.Date:
		return Result{SQL: fmt.Sprintf("CAST(%s + %s AS DATE)", x, interval), Type: t}, nil
	case t.Kind == types.Timestamp && name == "millisecond": // which a type of fewer digits does not have
		return Result{SQL: cast.Round(fmt.Sprintf("(%s + %s)", x, interval), types.New(types.Timestamp), t), Type: t}, nil
	case t.Kind == types.Timestamp:
		return Result{SQL: fmt.Sprintf("(%s + %s)", x, interval), Type: t}, nil
	case u.millis != 0 && u.millis < 86_400_000:
		return Result{SQL: duck.Bind([]string{x}, twice, func(a []string) string {
			later := "(" + duck.Instant(a[0]) + " + " + interval + ")"
			if name == "millisecond" {
				later = cast.Round(later, types.New(types.Timestamp), t)
			}
			return duck.Zoned(later, duck.Zone(a[0]))
		}), Type: t}, nil
	}
	return Result{SQL: onLocal(x, func(local string) string { return "(" + local + " + " + interval + ")" }), Type: t}, nil
}

func twice(int) int { return 2 }

// onLocal changes what the clocks show of a timestamp with time zone.
func onLocal(x string, change func(local string) string) string {
	zone := duck.Zone(x)
	return duck.Zoned(duck.FromLocal(change(duck.LocalOf(x)), zone), zone)
}

// times returns n times k.
func times(n string, k int64) string {
	if k == 1 {
		return n
	}
	return fmt.Sprintf("%s * %d", n, k)
}

// dateDiff counts whole units; days and longer units follow the clock of the first time's zone.
func dateDiff(c *Call) (Result, error) {
	name, u, err := unitOf(c, c.Args[1].Type)
	if err != nil {
		return Result{}, err
	}
	a, b := c.Args[1].SQL, c.Args[2].SQL
	if c.Args[1].Type.Kind == types.TimestampTZ {
		zone := duck.Zone(a)
		a, b = duck.Instant(a), duck.Instant(b)
		if u.millis == 0 || u.millis >= 86_400_000 {
			a, b = duck.Local(a, zone), duck.Local(b, zone)
		}
	}
	if c.Args[1].Type.Kind == types.Date && name == "day" {
		return Result{SQL: "CAST(" + b + " - " + a + " AS BIGINT)"}, nil
	}
	return Result{SQL: fmt.Sprintf("date_sub('%s', %s, %s)", name, a, b)}, nil
}

func dateTrunc(c *Call) (Result, error) {
	t := c.Args[1].Type
	name, _, err := unitOf(c, t)
	x := c.Args[1].SQL
	trunc := func(x string) string { return "date_trunc('" + name + "', " + x + ")" }
	switch t.Kind {
	case types.Date:
		return Result{SQL: duck.Cast(trunc(x), "DATE"), Type: t}, err
	case types.Timestamp:
		return Result{SQL: trunc(x), Type: t}, err
	}
	return Result{SQL: onLocal(x, trunc), Type: t}, err
}
