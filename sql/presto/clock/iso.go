package clock

import (
	"fmt"
	"strconv"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
)

// The forms of ISO 8601 that Presto reads.
var (
	isoDate     = lazy.Regexp(`^([+-]?\d{4,9})(?:-(?:(\d{3})|(\d{1,2})(?:-(\d{1,2}))?|W(\d{1,2})(?:-(\d))?))?`)
	isoClock    = lazy.Regexp(`^T(?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?)?)?`)
	isoZoneForm = lazy.Regexp(`^(?:Z|[+-]\d{1,2}(?::?\d{2})?)$`)
)

// ISODate reads a date of ISO 8601: 2018-03-01, 2018-W09-4, 2018-060, 2018-03 or 2018.
func ISODate(text string) (time.Time, error) {
	t, rest, err := isoDay(text)
	if err == nil && rest != "" {
		err = malformed(text, rest)
	}
	return t, err
}

func isoDay(text string) (t time.Time, rest string, err error) {
	m := isoDate().FindStringSubmatch(text)
	if m == nil {
		return t, text, malformed(text, text)
	}
	v := &values{set: map[byte]int{}}
	year := fYear
	if m[5] != "" {
		year = fWeekyear
	}
	for i, field := range map[int]byte{1: year, 2: fDayOfYear, 3: fMonth, 4: fDay, 5: fWeek, 6: fWeekday} {
		if m[i] != "" {
			v.set[field], _ = strconv.Atoi(m[i])
		}
	}
	t, err = v.time()
	if err != nil {
		err = fmt.Errorf("Cannot parse %q: %w", text, err)
	}
	return t, text[len(m[0]):], err
}

// ISOTimestamp reads a timestamp of ISO 8601; without a zone it is in UTC. Milliseconds are kept.
func ISOTimestamp(text string) (Time, error) {
	if t, ok := usualISO(text); ok {
		return t, nil
	}
	day, rest := time.Unix(0, 0).UTC(), text
	if text == "" {
		return Time{}, malformed(text, text)
	}
	if text[0] != 'T' {
		var err error
		if day, rest, err = isoDay(text); err != nil {
			return Time{}, err
		}
	}
	if rest == "" {
		return Time{Wall: day, Precision: 3}, nil
	}
	m := isoClock().FindStringSubmatch(rest)
	if m == nil {
		return Time{}, malformed(text, rest)
	}
	v := &values{set: map[byte]int{}}
	for i, field := range map[int]byte{1: fHour, 2: fMinute, 3: fSecond} {
		if m[i] != "" {
			v.set[field], _ = strconv.Atoi(m[i])
		}
	}
	v.set[fFraction], _ = strconv.Atoi((m[4] + "000")[:3])
	clock, err := v.time()
	if err != nil {
		return Time{}, fmt.Errorf("Cannot parse %q: %w", text, err)
	}
	t := Time{Wall: day.Add(clock.Sub(time.Unix(0, 0))), Precision: 3}
	if rest = rest[len(m[0]):]; rest == "" {
		return t, nil
	}
	if !isoZoneForm().MatchString(rest) {
		return Time{}, malformed(text, rest)
	}
	t.Zone, err = Zone(rest)
	return t, err
}

// usualISO reads 2018-03-01T10:11:12.5+02:00 and what has no fraction or Z: regular expressions take ten times as long.
func usualISO(text string) (Time, bool) {
	const form = "0000-00-00T00:00:00"
	if len(text) <= len(form) {
		return Time{}, false
	}
	for i := range len(form) {
		if c := text[i]; c != form[i] && (form[i] != '0' || c < '0' || c > '9') {
			return Time{}, false
		}
	}
	two := func(i int) int { return int(text[i]-'0')*10 + int(text[i+1]-'0') }
	year, month, day, hour, minute, second := two(0)*100+two(2), two(5), two(8), two(11), two(14), two(17)
	rest, millis := text[len(form):], 0
	if rest[0] == '.' {
		digits := 0
		for rest = rest[1:]; rest != "" && rest[0] >= '0' && rest[0] <= '9'; rest = rest[1:] {
			if digits++; digits <= 3 {
				millis = millis*10 + int(rest[0]-'0')
			}
		}
		for n := digits; n < 3; n++ {
			millis *= 10
		}
		if digits == 0 || digits > 9 {
			return Time{}, false
		}
	}
	if rest != "Z" && (len(rest) != len("+02:00") || rest[0] != '+' && rest[0] != '-' || rest[3] != ':') {
		return Time{}, false
	}
	wall := time.Date(year, time.Month(month), day, hour, minute, second, millis*1_000_000, time.UTC)
	zone, err := Zone(rest)
	ok := err == nil && wall.Day() == day && int(wall.Month()) == month && hour < 24 && minute < 60 && second < 60
	return Time{Wall: wall, Zone: zone, Precision: 3}, ok
}
