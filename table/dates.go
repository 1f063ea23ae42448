package table

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// dateReader takes a date text apart from left to right.
type dateReader struct {
	rest string
	bad  bool
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
	rest := d.rest
	for _, want := range w {
		r, n := utf8.DecodeRuneInString(rest)
		if unicode.ToUpper(r) != unicode.ToUpper(want) && unicode.ToLower(r) != unicode.ToLower(want) {
			return false
		}
		rest = rest[n:]
	}
	d.rest = rest
	return true
}

// offset reads a sign and two digits each of hours, minutes and seconds, with sep
// between, of which at least the given number must be there, as seconds.
func (d *dateReader) offset(sep string, least int) int {
	sign, sum := 1, 0
	switch {
	case d.word("-"):
		sign = -1
	case !d.word("+"):
		d.fail()
	}
	for i, unit := range []int{3600, 60, 1} {
		if i >= least && (len(d.rest) < len(sep)+2 || !strings.HasPrefix(d.rest, sep) || !isDigit(d.rest[len(sep)])) {
			break
		}
		if i > 0 {
			d.want(sep)
		}
		n := d.number(2, 2)
		if i > 0 && n > 59 {
			d.fail()
		}
		sum += n * unit
	}
	if sum > 18*3600 {
		d.fail()
	}
	return sign * sum
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func (d *dateReader) want(w string) {
	if !d.word(w) {
		d.fail()
	}
}

func monthDays(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// parseLocalDay reads the calendar date that a text begins with, to days since
// epoch, as Spark 2 casts a text to a date: the year has four digits, and begins
// the first month and day if these are missing; text after it must follow a T or a
// blank.
func parseLocalDay(s string) (int64, bool) {
	if end := strings.IndexAny(s, "T "); end >= 0 {
		s = s[:end]
	}
	d := &dateReader{rest: s}
	year, month, day := d.number(4, 4), 1, 1
	if d.word("-") {
		month = d.number(1, lenient)
		if d.word("-") {
			day = d.number(1, lenient)
		}
	}
	if d.bad || d.rest != "" || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) {
		return 0, false
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / 86400, true
}
