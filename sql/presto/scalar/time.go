package scalar

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pingmill/pingmill/sql/presto/clock"
)

var timeFuncs = []Func{
	one("zone", func(s string) (string, error) { return refused(clock.Zone(s)) }),
	one("zone_of_minutes", func(n int64) (string, error) {
		sign := '+'
		if n < 0 {
			sign, n = '-', -n
		}
		return refused(clock.Zone(fmt.Sprintf("%c%02d:%02d", sign, n/60, n%60)))
	}),
	one("is_timestamp", func(s string) (bool, error) { _, ok := clock.Timestamp(s); return ok, nil }),
	one("parse_timestamp", func(s string) (string, error) {
		t, _ := clock.Timestamp(s)
		return refused(clock.Parsed(t))
	}),
	two("date_parse", func(s, format string) (int64, error) {
		f, err := mysqlFormat(format)
		if err != nil {
			return 0, invalid("%s", err)
		}
		t, err := f.Parse(s)
		return refused(t.Wall.UnixMilli(), err)
	}),
	three("parse_datetime", func(s, format string, year int32) (string, error) {
		f, err := clock.Joda(format, time.Date(int(year), 1, 1, 0, 0, 0, 0, time.UTC))
		if err != nil {
			return "", invalid("%s", err)
		}
		t, err := f.Parse(s)
		if err != nil {
			return "", invalid("%s", err)
		}
		return refused(clock.Parsed(t))
	}),
	four("date_format", func(millis int64, zone string, _ bool, format string) (string, error) {
		f, err := mysqlFormat(format)
		if err != nil {
			return "", invalid("%s", err)
		}
		return refused(f.Format(time.UnixMilli(millis), zone, true))
	}),
	four("format_datetime", func(millis int64, zone string, zoned bool, format string) (string, error) {
		f, err := jodaFormat(format)
		if err != nil {
			return "", invalid("%s", err)
		}
		return refused(f.Format(time.UnixMilli(millis), zone, zoned))
	}),
	one("iso8601_timestamp", func(s string) (string, error) {
		t, err := clock.ISOTimestamp(s)
		if err != nil {
			return "", invalid("%s", err)
		}
		return refused(clock.Parsed(t))
	}),
	one("iso8601_date", func(s string) (int64, error) {
		t, err := clock.ISODate(s)
		return refused(t.Unix()/86_400, err)
	}),
}

// refused makes an error of Trino of one without a code.
func refused[R any](r R, err error) (R, error) {
	if e := (*Error)(nil); err == nil || errors.As(err, &e) {
		return r, err
	}
	return r, invalid("%s", err)
}

// Formats are read once: a query has few.
var mysqlFormats, jodaFormats sync.Map

func mysqlFormat(format string) (*clock.Format, error) {
	return cached(&mysqlFormats, format, clock.MySQL)
}

func jodaFormat(format string) (*clock.Format, error) {
	return cached(&jodaFormats, format, func(s string) (*clock.Format, error) { return clock.Joda(s, time.Unix(0, 0)) })
}

func cached(m *sync.Map, format string, read func(string) (*clock.Format, error)) (*clock.Format, error) {
	if f, ok := m.Load(format); ok {
		return f.(*clock.Format), nil
	}
	f, err := read(format)
	if err == nil {
		m.Store(format, f)
	}
	return f, err
}
