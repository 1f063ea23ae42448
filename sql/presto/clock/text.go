// Package clock reads and writes times as Presto does: in SQL, in ISO 8601, and
// by the formats of MySQL and Joda-Time.
package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Time is a time parsed from a text.
type Time struct {
	Wall      time.Time // what clocks show, as if in UTC
	Zone      string    // "" if the text has none
	Precision int       // digits of the fraction of the second
}

// UTC returns the instant, in UTC. False if the clocks of the zone skip this time.
func (t Time) UTC() (time.Time, bool) {
	if t.Zone == "" || t.Zone == "UTC" {
		return t.Wall, true
	}
	loc, err := location(t.Zone)
	if err != nil {
		return time.Time{}, false
	}
	w := t.Wall
	at := time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond(), loc)
	if at.Hour() != w.Hour() || at.Minute() != w.Minute() {
		return time.Time{}, false
	}
	// Of two such times the first is meant.
	if before := at.Add(-time.Hour); before.Hour() == w.Hour() && before.Minute() == w.Minute() {
		at = before
	}
	return at.UTC(), true
}

// location returns the zone of a name that Zone gives.
func location(zone string) (*time.Location, error) {
	if zone != "" && (zone[0] == '+' || zone[0] == '-') {
		hours, _ := strconv.Atoi(zone[1:3])
		minutes, _ := strconv.Atoi(zone[4:6])
		seconds := hours*3600 + minutes*60
		if zone[0] == '-' {
			seconds = -seconds
		}
		return time.FixedZone(zone, seconds), nil
	}
	return time.LoadLocation(zone)
}

// The forms of dates and timestamps in SQL. The zone may follow without a blank if it is an offset or Z.
var (
	sqlDate      = lazy.Regexp(`^([+-]?\d+)-(\d{1,2})-(\d{1,2})$`)
	sqlTimestamp = lazy.Regexp(`^([+-]?\d+)-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,12}))?)?)?(?:\s*(.+))?$`)
)

// Date reads a date such as 2018-3-1; false if it is none.
func Date(text string) (time.Time, bool) {
	m := sqlDate().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return time.Time{}, false
	}
	return date(m[1], m[2], m[3])
}

func date(year, month, day string) (time.Time, bool) {
	y, err := strconv.Atoi(year)
	mo, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	t := time.Date(y, time.Month(mo), d, 0, 0, 0, 0, time.UTC)
	return t, err == nil && t.Day() == d && int(t.Month()) == mo && y > -200_000 && y < 200_000
}

// Timestamp reads a timestamp, perhaps with its zone, such as 2018-03-01 12:00:00.5 UTC.
func Timestamp(text string) (Time, bool) {
	m := sqlTimestamp().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Time{}, false
	}
	day, ok := date(m[1], m[2], m[3])
	if !ok {
		return Time{}, false
	}
	part := func(i, most int) int {
		n, _ := strconv.Atoi(m[i])
		ok = ok && n < most
		return n
	}
	seconds := part(4, 24)*3600 + part(5, 60)*60 + part(6, 60)
	nanos, _ := strconv.Atoi((m[7] + "000000000")[:9])
	t := Time{Wall: day.Add(time.Duration(seconds)*time.Second + time.Duration(nanos)), Precision: len(m[7])}
	if m[8] != "" {
		zone, err := Zone(m[8])
		ok = ok && err == nil
		t.Zone = zone
	}
	return t, ok
}

// clockTime is a time of day.
var clockTime = lazy.Regexp(`^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,12}))?)?$`)

// OfDay reads a time of day such as 10:11:12.5; false if it is none.
func OfDay(text string) (Time, bool) {
	if !clockTime().MatchString(text) {
		return Time{}, false
	}
	return Timestamp("1970-01-01 " + text)
}

// Micros writes a time for DuckDB.
func Micros(t time.Time) string { return t.Format("2006-01-02 15:04:05.999999") }

// Parsed returns the result of parsing with a zone as one text: microseconds of the instant since 1970, and the zone.
func Parsed(t Time) (string, error) {
	if t.Zone == "" {
		t.Zone = "UTC"
	}
	at, ok := t.UTC()
	if !ok {
		return "", fmt.Errorf("%s does not exist in %s", t.Wall.Format("2006-01-02 15:04:05"), t.Zone)
	}
	return strconv.FormatInt(at.UnixMicro(), 10) + " " + t.Zone, nil
}
