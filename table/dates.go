package table

import (
	"strings"
	"time"
)

// dateReader takes a date text apart from left to right.
type dateReader struct {
	rest    string
	bad     bool
	seconds bool // the clock had seconds
}

func (d *dateReader) fail() { d.bad = true }

// number reads between min and max digits.
func (d *dateReader) number(min, max int) int {
	n, v := 0, 0
	for n < len(d.rest) && n < max && d.rest[n]-'0' <= 9 {
		v = v*10 + int(d.rest[n]-'0')
		n++
	}
	if n < min {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// word reads a text whatever its case.
func (d *dateReader) word(w string) bool {
	if len(d.rest) < len(w) || !strings.EqualFold(d.rest[:len(w)], w) {
		return false
	}
	d.rest = d.rest[len(w):]
	return true
}

func (d *dateReader) want(w string) {
	if !d.word(w) {
		d.fail()
	}
}

// name reads one of several names and returns its number, or -1.
func (d *dateReader) name(names []string) int {
	for i, n := range names {
		if d.word(n) {
			return i
		}
	}
	return -1
}

var (
	weekdays = []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
	months   = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

// lenient is the digits that a number of the HTTP date may have.
const lenient = 9

// parseHTTPDate reads an RFC 1123 date to seconds since epoch. Case does not
// matter; the weekday is optional but must be right; seconds are optional; the
// zone is GMT or +hhmm. A day past the end of a month of 30 or fewer days is
// its last day.
func parseHTTPDate(s string) (int64, bool) {
	d := &dateReader{rest: s}
	weekday := d.name(weekdays)
	if weekday >= 0 {
		d.want(", ")
	}
	day := d.number(1, 2)
	d.want(" ")
	month := d.name(months)
	d.want(" ")
	year := d.number(1, lenient)
	d.want(" ")
	hour, minute, second := d.clock(1, lenient)
	d.want(" ")
	offset := 0
	if !d.word("GMT") {
		offset = d.offset("")
	}
	if d.bad || d.rest != "" || month < 0 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	day = min(day, monthDays(year, month+1))
	t := time.Date(year, time.Month(month+1), day, hour, minute, second, 0, time.UTC)
	if weekday >= 0 && int(t.Weekday()) != weekday {
		return 0, false
	}
	return t.Unix() - int64(offset), true
}

// clock reads hh:mm with optional :ss.
func (d *dateReader) clock(min, max int) (hour, minute, second int) {
	hour = d.number(min, max)
	d.want(":")
	minute = d.number(min, max)
	if d.seconds = d.word(":"); d.seconds {
		second = d.number(min, max)
	}
	return hour, minute, second
}

// offset reads +hhmm or -hhmm, with sep between, as seconds.
func (d *dateReader) offset(sep string) int {
	sign := 1
	switch {
	case d.word("-"):
		sign = -1
	case !d.word("+"):
		d.fail()
	}
	h := d.number(2, 2)
	d.want(sep)
	m := d.number(2, 2)
	if m > 59 || h*60+m > 18*60 {
		d.fail()
	}
	return sign * (h*60 + m) * 60
}

func monthDays(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// parseISOTime reads an ISO 8601 date-time with a zone, Z or +hh:mm, to
// seconds since epoch and nanoseconds. Seconds and their fraction are optional.
func parseISOTime(s string) (sec int64, nanos int, ok bool) {
	d := &dateReader{rest: s}
	year := d.number(4, 4)
	d.want("-")
	month := d.number(2, 2)
	d.want("-")
	day := d.number(2, 2)
	d.want("T")
	hour, minute, second := d.clock(2, 2)
	if d.seconds && d.word(".") {
		before := len(d.rest)
		nanos = d.number(0, 9)
		for i := before - len(d.rest); i < 9; i++ {
			nanos *= 10
		}
	}
	offset := 0
	if !d.word("Z") {
		offset = d.offset(":")
	}
	if d.bad || d.rest != "" || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) ||
		hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	return t.Unix() - int64(offset), nanos, true
}

// parseLocalDay reads the calendar date that an ISO text begins with, to days
// since epoch. Month and day may have one digit; text after the day must follow
// a T or a blank.
func parseLocalDay(s string) (int64, bool) {
	d := &dateReader{rest: s}
	year := d.number(4, 4)
	d.want("-")
	month := d.number(1, 2)
	d.want("-")
	day := d.number(1, 2)
	if d.rest != "" && d.rest[0] != 'T' && d.rest[0] != ' ' {
		d.fail()
	}
	if d.bad || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) {
		return 0, false
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / 86400, true
}
