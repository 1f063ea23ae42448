package table

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// zonedText rewrites a date with time, fraction and zone with three digits of the second. A zone below -12:00 or above
// +14:00 is moved by 12 hours to the same instant. It accepts what Joda-Time's ISO dateTime format accepts.
func zonedText(s string) (text []byte, ok bool) {
	d := &dateReader{rest: s}
	sign := 1
	if d.word("-") {
		sign = -1
	} else {
		d.word("+")
	}
	year := sign * d.number(1, 9)
	d.want("-")
	month := d.number(1, 2)
	d.want("-")
	day := d.number(1, 2)
	d.want("T")
	hour := d.number(1, 2)
	d.want(":")
	minute := d.number(1, 2)
	d.want(":")
	second := d.number(1, 2)
	d.want(".")
	d.rest = "." + d.rest
	nanos := d.fraction()
	offset := d.zone()
	if d.bad || d.rest != "" || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) || hour > 23 || minute > 59 || second > 59 {
		return nil, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC)
	if moved := 12 * 3600; offset < -moved {
		t, offset = t.Add(12*time.Hour), offset+moved
	} else if offset > 14*3600 {
		t, offset = t.Add(-12*time.Hour), offset-moved
	}
	return appendZone(appendTime(nil, t), offset), true
}

// zone reads Z, or a sign and hours, then minutes and seconds if they are there, with or without colons, as seconds.
func (d *dateReader) zone() int {
	if d.word("Z") {
		return 0
	}
	sign := 1
	switch {
	case d.word("-"):
		sign = -1
	case !d.word("+"):
		d.fail()
	}
	hours := d.number(2, 2)
	sum := hours * 3600
	if hours > 23 {
		d.fail()
	}
	colon := strings.HasPrefix(d.rest, ":")
	for _, unit := range []int{60, 1} {
		if d.rest == "" {
			break
		}
		if colon {
			d.want(":")
		}
		n := d.number(2, 2)
		if n > 59 {
			d.fail()
		}
		sum += n * unit
	}
	return sign * sum
}

// appendTime writes a date and time of UTC without a zone.
func appendTime(b []byte, t time.Time) []byte {
	year := t.Year()
	if year < 0 {
		b, year = append(b, '-'), -year
	}
	return fmt.Appendf(b, "%04d-%02d-%02dT%02d:%02d:%02d.%03d", year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1e6)
}

func appendZone(b []byte, offset int) []byte {
	if offset == 0 {
		return append(b, 'Z')
	}
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	b = fmt.Appendf(append(b, sign), "%02d:%02d", offset/3600, offset/60%60)
	if offset%60 != 0 {
		b = fmt.Appendf(b, ":%02d", offset%60)
	}
	return b
}

// dayText writes a day YYYYMMDD as a date with the time of midnight.
func dayText(day string) ([]byte, bool) {
	t, err := time.Parse("20060102", day)
	if err != nil || len(day) != 8 {
		return nil, false
	}
	return append(appendTime(nil, t), 'Z'), true
}

// maxDays is the largest number of days since 1970 whose milliseconds fit 64 bits.
const maxDays = math.MaxInt64 / 86_400_000

// daysText writes a number of days since 1970 as a date with the time of midnight.
func daysText(days int64) ([]byte, bool) {
	if days > maxDays || days < -maxDays {
		return nil, false
	}
	return append(appendTime(nil, time.Unix(days*86400, 0).UTC()), 'Z'), true
}
