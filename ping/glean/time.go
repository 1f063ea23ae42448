package glean

import "time"

// Time reads a time as Glean writes it: a date, then nothing or T with hours, hours and minutes, or hours, minutes
// and seconds with any fraction, and then the offset from UTC in hours and minutes. It returns microseconds since the
// epoch, cut off, not rounded. Other forms and times that do not exist are not read.
func Time(b []byte) (us int64, ok bool) {
	r := timeReader{rest: b}
	year := r.digits(4)
	month := r.after('-', 2)
	day := r.after('-', 2)
	var hour, minute, second, micros int
	if r.next('T') {
		hour = r.digits(2)
		if r.next(':') {
			minute = r.digits(2)
			if r.next(':') {
				second = r.digits(2)
				if r.next('.') {
					micros = r.fraction()
				}
			}
		}
	}
	sign := -1 // to be added to the local time
	if !r.next('+') {
		sign = 1
		if !r.next('-') {
			return 0, false
		}
	}
	offHour := r.digits(2)
	offMinute := r.after(':', 2)
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	exists := month >= 1 && month <= 12 && t.Day() == day && hour <= 23 && minute <= 59 && second <= 59
	if r.failed || len(r.rest) > 0 || !exists || offHour > 23 || offMinute > 59 {
		return 0, false
	}
	seconds := t.Unix() + int64(sign*(offHour*3600+offMinute*60))
	return seconds*1_000_000 + int64(micros), true
}

// timeReader reads parts of a time. After a failure it reads zeros.
type timeReader struct {
	rest   []byte
	failed bool
}

// next skips c, and reports whether it is the next byte.
func (r *timeReader) next(c byte) bool {
	if len(r.rest) == 0 || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

// after reads n digits after c.
func (r *timeReader) after(c byte, n int) int {
	r.failed = !r.next(c) || r.failed
	return r.digits(n)
}

// digits reads a number of n digits.
func (r *timeReader) digits(n int) (v int) {
	if len(r.rest) < n {
		r.failed = true
	}
	if r.failed {
		return 0
	}
	for _, c := range r.rest[:n] {
		if c -= '0'; c > 9 {
			r.failed = true
		}
		v = v*10 + int(c)
	}
	r.rest = r.rest[n:]
	return v
}

// fraction reads one digit or more as millionths.
func (r *timeReader) fraction() (micros int) {
	n := 0
	for ; n < len(r.rest) && r.rest[n]-'0' < 10; n++ {
		if n < 6 {
			micros = micros*10 + int(r.rest[n]-'0')
		}
	}
	r.failed = r.failed || n == 0
	r.rest = r.rest[n:]
	for ; n < 6; n++ {
		micros *= 10
	}
	return micros
}
