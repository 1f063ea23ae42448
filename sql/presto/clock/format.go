package clock

import (
	"fmt"
	"strings"
	"time"
)

// Format is a format of MySQL or Joda-Time.
type Format struct{ parts []part }

// part is literal text or a field of a time.
type part struct {
	text   string // literal, if field is 0
	field  byte
	least  int // digits written
	most   int // digits read
	pivot  int // of years with two digits: the first year
	strict bool
}

// The fields. Those of texts have names, others numbers.
const (
	fYear       byte = 'y'
	fTwoDigits  byte = 'Y' // a year with two digits
	fCentury    byte = 'C'
	fEra        byte = 'G'
	fWeekyear   byte = 'x'
	fWeek       byte = 'w'
	fWeekday    byte = 'e'
	fWeekName   byte = 'E'
	fWeekShort  byte = 'F'
	fDayOfYear  byte = 'D'
	fMonth      byte = 'M'
	fMonthName  byte = 'N'
	fMonthShort byte = 'n'
	fDay        byte = 'd'
	fHalf       byte = 'a' // AM or PM
	fHour       byte = 'H'
	fHour24     byte = 'k' // 1 to 24
	fHour12     byte = 'h' // 1 to 12
	fHour11     byte = 'K' // 0 to 11
	fMinute     byte = 'm'
	fSecond     byte = 's'
	fFraction   byte = 'S'
	fZoneName   byte = 'z'
	fZoneLong   byte = 'Z'
	fOffset     byte = 'o' // +0200
	fOffsetDots byte = 'O' // +02:00
	fZoneID     byte = 'I' // America/New_York
)

// mysql are the specifiers of MySQL that Presto knows.
var mysql = map[byte][]part{
	'a': {{field: fWeekShort}}, 'b': {{field: fMonthShort}}, 'c': {number(fMonth, 1, 2)}, 'd': {number(fDay, 2, 2)}, 'e': {number(fDay, 1, 2)},
	'f': {number(fFraction, 6, 9)}, 'H': {number(fHour, 2, 2)}, 'h': {number(fHour12, 2, 2)}, 'I': {number(fHour12, 2, 2)},
	'i': {number(fMinute, 2, 2)},
	'j': {number(fDayOfYear, 3, 3)}, 'k': {number(fHour, 1, 2)}, 'l': {number(fHour12, 1, 2)}, 'M': {{field: fMonthName}},
	'm': {number(fMonth, 2, 2)},
	'p': {{field: fHalf}}, 'S': {number(fSecond, 2, 2)}, 's': {number(fSecond, 2, 2)}, 'v': {number(fWeek, 2, 2)}, 'W': {{field: fWeekName}},
	'x': {number(fWeekyear, 4, 4)}, 'Y': {number(fYear, 4, 4)}, 'y': {{field: fTwoDigits, pivot: 1970, strict: true}}, '%': {{text: "%"}},
	'r': {number(fHour12, 2, 2), {text: ":"}, number(fMinute, 2, 2), {text: ":"}, number(fSecond, 2, 2), {text: " "}, {field: fHalf}},
	'T': {number(fHour, 2, 2), {text: ":"}, number(fMinute, 2, 2), {text: ":"}, number(fSecond, 2, 2)},
}

func number(field byte, least, most int) part { return part{field: field, least: least, most: most} }

// MySQL reads a format of date_parse and date_format.
func MySQL(format string) (*Format, error) {
	f := &Format{}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			f.literal(format[i : i+1])
			continue
		}
		i++
		switch c := format[i]; {
		case strings.IndexByte("DUuVwX", c) >= 0:
			return nil, fmt.Errorf("%%%c not supported in date format string", c)
		case mysql[c] != nil:
			f.parts = append(f.parts, mysql[c]...)
		default:
			f.literal(format[i : i+1])
		}
	}
	return f, nil
}

func (f *Format) literal(s string) {
	if n := len(f.parts); n > 0 && f.parts[n-1].field == 0 {
		f.parts[n-1].text += s
		return
	}
	f.parts = append(f.parts, part{text: s})
}

// Joda reads a format of parse_datetime and format_datetime. now decides the century of years with two digits.
func Joda(format string, now time.Time) (*Format, error) {
	f := &Format{}
	for i := 0; i < len(format); {
		c := format[i]
		n := 1
		for i+n < len(format) && format[i+n] == c {
			n++
		}
		switch {
		case c == '\'':
			text, size := quoted(format[i:])
			f.literal(text)
			n = size
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			p, ok := jodaPart(c, n, nextIsNumber(format[i+n:]), now)
			if !ok {
				return nil, fmt.Errorf("Illegal pattern component: %s", format[i:i+n])
			}
			f.parts = append(f.parts, p)
		default:
			f.literal(format[i : i+n])
		}
		i += n
	}
	return f, nil
}

// quoted reads 'text' at the start of s; two quotes inside are one, and alone they are a quote.
func quoted(s string) (text string, size int) {
	if strings.HasPrefix(s, "''") {
		return "'", 2
	}
	var b strings.Builder
	i := 1
	for ; i < len(s); i++ {
		if s[i] == '\'' {
			if i+1 >= len(s) || s[i+1] != '\'' {
				break
			}
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), min(i+1, len(s))
}

// nextIsNumber reports whether a field of digits follows directly, so that this field must not consume its digits.
func nextIsNumber(rest string) bool {
	if rest == "" {
		return false
	}
	if rest[0] == 'M' {
		return !strings.HasPrefix(rest, "MMM")
	}
	return strings.IndexByte("cCxyYdhHmsSekKwDF", rest[0]) >= 0
}

// jodaNumbers are the letters of fields of digits.
var jodaNumbers = map[byte]byte{
	'd': fDay, 'h': fHour12, 'H': fHour, 'k': fHour24, 'K': fHour11, 'm': fMinute, 's': fSecond, 'e': fWeekday, 'D': fDayOfYear, 'w': fWeek,
	'C': fCentury,
}

func jodaPart(c byte, n int, numberNext bool, now time.Time) (part, bool) {
	most := 9
	if numberNext {
		most = n
	}
	switch c {
	case 'y', 'Y', 'x':
		field := fYear
		if c == 'x' {
			field = fWeekyear
		}
		if n == 2 && c == 'x' {
			return part{field: fWeekyear, least: 2, most: 2}, true
		}
		if n == 2 {
			return part{field: fTwoDigits, pivot: now.Year() - 30 - 50, strict: numberNext}, true
		}
		return number(field, n, most), true
	case 'M':
		return named(n, fMonth, fMonthShort, fMonthName), true
	case 'E':
		return named(max(3, n), 0, fWeekShort, fWeekName), true
	case 'a':
		return part{field: fHalf}, true
	case 'G':
		return part{field: fEra}, true
	case 'S':
		return number(fFraction, n, n), true
	case 'z':
		if n >= 4 {
			return part{field: fZoneLong}, true
		}
		return part{field: fZoneName}, true
	case 'Z':
		return part{field: []byte{fOffset, fOffsetDots, fZoneID}[min(n, 3)-1]}, true
	}
	field, ok := jodaNumbers[c]
	if field == fDayOfYear {
		return number(field, n, max(n, 3)), ok
	}
	return number(field, n, max(n, 2)), ok
}

// named returns a number up to two letters, a short name with three, a name with more.
func named(n int, digits, short, long byte) part {
	switch {
	case n >= 4:
		return part{field: long}
	case n == 3:
		return part{field: short}
	}
	return number(digits, n, 2)
}
