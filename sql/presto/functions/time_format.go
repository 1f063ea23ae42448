package functions

import (
	"time"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/clock"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

var timeFormats = []Function{
	{Name: "date_format", Doc: "A time as text, by a format of MySQL.",
		Forms: formatForms(func(f string) (*clock.Format, error) { return clock.MySQL(f) }, "date_format")},
	{Name: "format_datetime", Doc: "A time as text, by a format of Joda-Time.", Forms: formatForms(joda, "format_datetime")},
	{Name: "date_parse", Doc: "The time of a text, by a format of MySQL.",
		Forms: []Form{{Signature: "(varchar, varchar) -> timestamp", Write: dateParse}}},
	{Name: "parse_datetime", Doc: "The time of a text, by a format of Joda-Time.",
		Forms: []Form{{Signature: "(varchar, varchar) -> " + zonedType, Write: parseDatetime}}},
	{Name: "from_iso8601_timestamp", Doc: "The time of a text in ISO 8601; without a zone it is in UTC.",
		Forms: []Form{{Signature: "(varchar) -> " + zonedType, Write: fromISO}}},
	{Name: "from_iso8601_date", Doc: "The date of a text in ISO 8601.",
		Forms: []Form{{Signature: "(varchar) -> date", SQL: "(DATE '1970-01-01' + CAST(presto_iso8601_date($1) AS INTEGER))"}}},
	{Name: "to_iso8601", Doc: "A time as text in ISO 8601.", Forms: []Form{
		{Signature: "(date) -> varchar", SQL: "CAST($1 AS VARCHAR)"},
		{Signature: "(timestamp) -> varchar", Write: toISO},
		{Signature: "(" + zonedType + ") -> varchar", Write: toISO},
	}},
}

// joda reads a format; which century it takes for years of two digits does not matter for what is written.
func joda(format string) (*clock.Format, error) { return clock.Joda(format, time.Unix(0, 0)) }

// formatForms returns the forms of a function that writes a time by a format.
func formatForms(read func(string) (*clock.Format, error), name string) []Form {
	write := func(c *Call) (Result, error) {
		t := c.Args[0].Type
		x, zone, zoned := c.Args[0].SQL, "'UTC'", t.Kind == types.TimestampTZ
		if !zoned { // Joda-Time has milliseconds
			x = cast.Round(x, t, types.New(types.Timestamp))
		}
		if c.Args[1].Constant {
			f, err := read(c.Args[1].Text)
			if err != nil {
				return Result{}, err
			}
			if to, ok := f.Strftime(); ok {
				if zoned {
					x = duck.LocalOf(x)
				}
				return Result{SQL: "strftime(" + x + ", " + duck.Text(to) + ")"}, nil
			}
		}
		hasZone := "false"
		if zoned {
			zone, x, hasZone = duck.Zone(x), duck.Instant(x), "true"
		}
		return Result{SQL: "presto_" + name + "(epoch_ms(" + x + "), " + zone + ", " + hasZone + ", " + c.Args[1].SQL + ")"}, nil
	}
	return []Form{
		{Signature: "(timestamp, varchar) -> varchar", Write: write},
		{Signature: "(" + zonedType + ", varchar) -> varchar", Write: write},
	}
}

// dateParse uses DuckDB's strptime where that reads the same texts. DuckDB looks through all of it, epoch_ms included, for
// files that a condition on a partition key keeps closed; it would not look through make_timestamp or error.
func dateParse(c *Call) (Result, error) {
	slow := "epoch_ms(presto_date_parse($1, $2))"
	args := []string{c.Args[0].SQL, c.Args[1].SQL}
	if !c.Args[1].Constant {
		return Result{SQL: duck.Fill(slow, args, 9)}, nil
	}
	f, err := clock.MySQL(c.Args[1].Text)
	if err != nil {
		return Result{}, err
	}
	to, ok := f.Strptime()
	if !ok {
		return Result{SQL: duck.Fill(slow, args, 9)}, nil
	}
	fast := "try_strptime($1, " + duck.Text(to) + ")"
	if c.Args[0].Constant && literalParses(f, c.Args[0].Text) {
		return Result{SQL: duck.Fill(fast, args, 9)}, nil
	}
	return Result{SQL: duck.Fill("CASE WHEN "+fast+" IS NOT NULL AND trim($1) = $1 THEN "+fast+" ELSE "+slow+" END", args, 9)}, nil
}

// literalParses reports whether DuckDB parses a constant as Presto does.
func literalParses(f *clock.Format, text string) bool {
	_, err := f.Parse(text)
	return err == nil && text[0] >= '0' && text[0] <= '9'
}

func parseDatetime(c *Call) (Result, error) {
	if c.Args[1].Constant {
		if _, err := joda(c.Args[1].Text); err != nil {
			return Result{}, err
		}
	}
	parsed := "presto_parse_datetime(" + c.Args[0].SQL + ", " + c.Args[1].SQL + ", CAST(year(now()) AS INTEGER))"
	return Result{SQL: duck.Once(parsed, func(x string) string { return cast.Parsed(x, 6) })}, nil
}

func fromISO(c *Call) (Result, error) {
	return Result{SQL: duck.Once("presto_iso8601_timestamp("+c.Args[0].SQL+")", func(x string) string { return cast.Parsed(x, 6) })}, nil
}

// toISO writes a time with a T, and the offset of its zone behind it.
func toISO(c *Call) (Result, error) {
	t := c.Args[0].Type
	plain := types.Type{Kind: types.Timestamp, Precision: t.Precision}
	if t.Kind == types.Timestamp {
		return Result{SQL: "replace(" + cast.Text(c.Args[0].SQL, plain) + ", ' ', 'T')"}, nil
	}
	return Result{SQL: duck.Once(c.Args[0].SQL, func(x string) string {
		if duck.Zone(x) == "'UTC'" {
			return "(replace(" + cast.Text(duck.Instant(x), plain) + ", ' ', 'T') || 'Z')"
		}
		local := "replace(" + cast.Text(duck.LocalOf(x), plain) + ", ' ', 'T')"
		return "(" + local + " || presto_format_datetime(epoch_ms(" + duck.Instant(x) + "), " + duck.Zone(x) + ", true, CASE WHEN " +
			duck.Zone(x) + " = 'UTC' THEN '''Z''' ELSE 'ZZ' END))"
	})}, nil
}
