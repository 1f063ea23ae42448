package glean

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
	days, exists := Days(year, month, day)
	if r.failed || len(r.rest) > 0 || !exists || hour > 23 || minute > 59 || second > 59 || offHour > 23 || offMinute > 59 {
		return 0, false
	}
	seconds := int64(days)*86400 + int64(hour*3600+minute*60+second+sign*(offHour*3600+offMinute*60))
	return seconds*1_000_000 + int64(micros), true
}

// Date reads a date written YYYY-MM-DD as days since the epoch. It returns false for other texts and dates that do not exist.
func Date(b []byte) (days int32, ok bool) {
	r := timeReader{rest: b}
	year := r.digits(4)
	month := r.after('-', 2)
	day := r.after('-', 2)
	days, ok = Days(year, month, day)
	return days, ok && !r.failed && len(r.rest) == 0
}

// monthDays holds the days of a year before each month, as in a year that begins in March.
var monthDays = [...]int{306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275}

// Days returns the days from the epoch to a date of the Gregorian calendar. It returns false for dates that do not exist, and
// for years outside of 0 to 9999.
func Days(year, month, day int) (days int32, ok bool) {
	if month < 1 || month > 12 || day < 1 || day > 31 || year < 0 || year > 9999 {
		return 0, false
	}
	last := 31
	switch month {
	case 4, 6, 9, 11:
		last = 30
	case 2:
		if last = 28; year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			last = 29
		}
	}
	if month <= 2 {
		year--
	}
	year += 400 // no division of negative numbers
	days = int32(365*year + year/4 - year/100 + year/400 + monthDays[month-1] + day - 1 - 719468 - 146097)
	return days, day <= last
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
