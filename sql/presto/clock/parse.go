package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parse reads a time by the format, as Joda-Time does. Milliseconds are kept.
func (f *Format) Parse(text string) (Time, error) {
	v := &values{set: map[byte]int{}}
	rest := text
	for _, p := range f.parts {
		var ok bool
		if rest, ok = v.read(p, rest); !ok {
			return Time{}, malformed(text, rest)
		}
	}
	if rest != "" {
		return Time{}, malformed(text, rest)
	}
	wall, err := v.time()
	if err != nil {
		return Time{}, fmt.Errorf("Cannot parse %q: %w", text, err)
	}
	return Time{Wall: wall, Zone: v.zone, Precision: 3}, nil
}

func malformed(text, rest string) error {
	switch {
	case rest == text:
		return fmt.Errorf("Invalid format: %q", text)
	case rest == "":
		return fmt.Errorf("Invalid format: %q is too short", text)
	}
	return fmt.Errorf("Invalid format: %q is malformed at %q", text, rest)
}

// values are the fields that a text has given.
type values struct {
	set  map[byte]int
	zone string
}

// read takes what a part describes from the begin of a text.
func (v *values) read(p part, s string) (rest string, ok bool) {
	switch p.field {
	case 0:
		if len(s) < len(p.text) || !strings.EqualFold(s[:len(p.text)], p.text) {
			return s, false
		}
		return s[len(p.text):], true
	case fMonthName, fMonthShort:
		n, rest, ok := readName(s, monthNames)
		v.set[fMonth] = n + 1
		return rest, ok
	case fWeekName, fWeekShort:
		n, rest, ok := readName(s, weekNames)
		v.set[fWeekday] = n + 1
		return rest, ok
	case fHalf:
		n, rest, ok := readName(s, []string{"AM", "PM"})
		v.set[fHalf] = n
		return rest, ok
	case fEra:
		_, rest, ok := readName(s, []string{"AD"})
		return rest, ok
	case fTwoDigits:
		return v.twoDigits(p, s)
	case fFraction:
		return v.fraction(p, s)
	case fOffset, fOffsetDots, fZoneID, fZoneName, fZoneLong:
		return v.readZone(s)
	}
	n, rest, ok := digits(s, p.most, p.field == fYear || p.field == fWeekyear)
	v.set[p.field] = n
	return rest, ok
}

// digits parses a number of at most most digits.
func digits(s string, most int, signed bool) (n int, rest string, ok bool) {
	sign := 0
	if signed && s != "" && (s[0] == '-' || s[0] == '+') {
		sign = 1
	}
	end := sign
	for end < len(s) && end-sign < most && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil {
		return 0, s, false
	}
	return n, s[end:], true
}

// readName reads a name or, of months and days, its first three letters, in any case.
func readName(s string, names []string) (n int, rest string, ok bool) {
	for _, short := range []bool{false, true} {
		for i, name := range names {
			if short {
				name = name[:min(3, len(name))]
			}
			if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
				return i, s[len(name):], true
			}
		}
	}
	return 0, s, false
}

var (
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
		"December"}
	weekNames = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

// twoDigits reads a year with two digits, and, where these cannot be others', one with more.
func (v *values) twoDigits(p part, s string) (rest string, ok bool) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if p.strict || end == 2 {
		if end < 2 {
			return s, false
		}
		n, _ := strconv.Atoi(s[:2])
		year := p.pivot/100*100 + n
		if year < p.pivot {
			year += 100
		}
		v.set[fYear] = year
		return s[2:], true
	}
	n, rest, ok := digits(s, 9, true)
	v.set[fYear] = n
	return rest, ok
}

// fraction reads digits behind a second; none are 0.
func (v *values) fraction(p part, s string) (rest string, ok bool) {
	end := 0
	for end < len(s) && end < p.most && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	v.set[fFraction], _ = strconv.Atoi((s[:end] + "000")[:3])
	return s[end:], true
}

func (v *values) readZone(s string) (rest string, ok bool) {
	end := 0
	for end < len(s) && (s[end] > ' ' && s[end] != ',' && s[end] != ']' && s[end] != ')') {
		end++
	}
	zone, err := Zone(s[:end])
	if err != nil {
		return s, false
	}
	v.zone = zone
	return s[end:], true
}

// ranges holds the bounds of fields, with Joda's names.
var ranges = map[byte]struct {
	name        string
	least, most int
}{
	fMonth: {"monthOfYear", 1, 12}, fDayOfYear: {"dayOfYear", 1, 366}, fWeek: {"weekOfWeekyear", 1, 53}, fWeekday: {"dayOfWeek", 1, 7},
	fHour: {"hourOfDay", 0, 23}, fHour24: {"clockhourOfDay", 1, 24}, fHour12: {"clockhourOfHalfday", 1, 12}, fHour11: {"hourOfHalfday", 0, 11},
	fMinute: {"minuteOfHour", 0, 59}, fSecond: {"secondOfMinute", 0, 59},
}

// time puts the fields together. Those that are not set are of 1970-01-01 00:00, or of the year 2000 if there is a
// month or a day and no year.
func (v *values) time() (time.Time, error) {
	for field, r := range ranges {
		if n, ok := v.set[field]; ok && (n < r.least || n > r.most) {
			return time.Time{}, fmt.Errorf("Value %d for %s must be in the range [%d,%d]", n, r.name, r.least, r.most)
		}
	}
	day, err := v.day()
	if err != nil {
		return day, err
	}
	hour := v.set[fHour]
	if n, ok := v.set[fHour24]; ok {
		hour = n % 24
	}
	if n, ok := v.set[fHour12]; ok {
		hour = n%12 + 12*v.set[fHalf]
	} else if n, ok := v.set[fHour11]; ok {
		hour = n + 12*v.set[fHalf]
	} else if half, ok := v.set[fHalf]; ok {
		hour = hour%12 + 12*half
	}
	at := time.Duration(hour)*time.Hour + time.Duration(v.set[fMinute])*time.Minute + time.Duration(v.set[fSecond])*time.Second +
		time.Duration(v.set[fFraction])*time.Millisecond
	return day.Add(at), nil
}

func (v *values) day() (time.Time, error) {
	year, hasYear := v.set[fYear]
	weekyear, hasWeekyear := v.set[fWeekyear]
	week, hasWeek := v.set[fWeek]
	weekday, hasWeekday := v.set[fWeekday]
	month, hasMonth := v.set[fMonth]
	day, hasDay := v.set[fDay]
	yearday, hasYearday := v.set[fDayOfYear]
	if !hasYear {
		year = 1970
		if !hasWeekyear && (hasMonth || hasDay || hasYearday || hasWeek || hasWeekday) {
			year = 2000
		}
	}
	if !hasMonth {
		month = 1
	}
	if !hasDay {
		day = 1
	}
	at := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	if last := at.AddDate(0, 1, -1).Day(); day < 1 || day > last {
		return at, fmt.Errorf("Value %d for dayOfMonth must be in the range [1,%d]", day, last)
	}
	at = at.AddDate(0, 0, day-1)
	if hasYearday {
		at = time.Date(year, 1, yearday, 0, 0, 0, 0, time.UTC)
	}
	if hasWeekyear || hasWeek {
		if !hasWeekyear {
			weekyear = year
		}
		if !hasWeek {
			week = 1
		}
		at = weekStart(weekyear).AddDate(0, 0, (week-1)*7)
		if !hasWeekday {
			return at, nil
		}
	}
	if hasWeekday {
		at = at.AddDate(0, 0, weekday-isoWeekday(at))
	}
	return at, nil
}

// weekStart returns the Monday of the first ISO week of a year.
func weekStart(year int) time.Time {
	t := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
	return t.AddDate(0, 0, 1-isoWeekday(t))
}

// isoWeekday returns 1 for Monday to 7 for Sunday.
func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }
