package table

import "time"

var (
	weekdays = []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	months   = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

// lenient is the digits that a number of the HTTP date may have, lastYear the
// last year that there is.
const (
	lenient  = 9
	lastYear = 999_999_999
)

// numberOrName reads one of several names, or its number: names are numbered from
// 1. It is 0 when neither is there.
func (d *dateReader) numberOrName(names []string) int {
	for i, n := range names {
		if d.word(n) {
			return i + 1
		}
	}
	d.word("+")
	if n := d.number(1, lenient); n <= len(names) {
		return n
	}
	return 0
}

// parseHTTPDate reads an RFC 1123 date to seconds since epoch, as java.time does.
// Case does not matter, and numbers may have nine digits; the weekday is optional
// but must be right; names may be numbers; seconds are optional; the zone is GMT or
// +hh, +hhmm or +hhmmss. A day past the end of a month of 30 or fewer days is its
// last day, and the hour 24 begins the next.
func parseHTTPDate(s string) (int64, bool) {
	d := &dateReader{rest: s}
	weekday := d.weekday()
	d.word("+")
	day := d.number(1, lenient)
	d.want(" ")
	month := d.numberOrName(months)
	d.want(" ")
	year := d.number(1, lenient)
	d.want(" ")
	hour, minute, second := d.lenientClock()
	d.want(" ")
	offset := 0
	if !d.word("GMT") {
		offset = d.offset("", 1)
	}
	if d.bad || d.rest != "" || month < 1 || day < 1 || day > 31 || !inDay(hour, minute, second) {
		return 0, false
	}
	date := time.Date(year, time.Month(month), min(day, monthDays(year, month)), 0, 0, 0, 0, time.UTC)
	if weekday > 0 && weekday%7 != int(date.Weekday()) {
		return 0, false
	}
	t := date.Add(time.Duration(hour*3600+minute*60+second) * time.Second)
	return t.Unix() - int64(offset), t.Year() <= lastYear
}

// weekday reads the optional day of the week, 1 for Monday to 7; 0 when there is
// none.
func (d *dateReader) weekday() int {
	start := d.rest
	day := d.numberOrName(weekdays)
	if d.bad || !d.word(", ") {
		d.rest, d.bad = start, false
		return 0
	}
	if day == 0 {
		d.fail()
	}
	return day
}

// lenientClock reads h:m with optional :s.
func (d *dateReader) lenientClock() (hour, minute, second int) {
	hour = d.number(1, lenient)
	d.want(":")
	minute = d.number(1, lenient)
	if d.word(":") {
		second = d.number(1, lenient)
	}
	return hour, minute, second
}

// inDay reports whether there is such a time of day; 24:00:00 is its end.
func inDay(hour, minute, second int) bool {
	return hour <= 23 && minute <= 59 && second <= 59 || hour == 24 && minute == 0 && second == 0
}
