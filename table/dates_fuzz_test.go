package table

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	httpForm = regexp.MustCompile(
		`^(?:(mon|tue|wed|thu|fri|sat|sun|\+?\d{1,9}), )?\+?(\d{1,9}) (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\+?\d{1,9}) ` +
			`(\d{1,9}) (\d{1,9}):(\d{1,9})(?::(\d{1,9}))? (gmt|[+-]\d{2}(?:\d{2}(?:\d{2})?)?)$`)
	isoForm = regexp.MustCompile(`^(\d{4}|-\d{4,10}|\+\d{5,10})-(\d{2})-(\d{2})t(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{0,` +
		`9}))?)?(z|[+-]\d{2}:\d{2}(?::\d{2})?)$`)
	inForm  = regexp.MustCompile(`^(.*)\[(?:(Z|GMT0|Europe/Paris)|(?:(?:UTC|UT|GMT)?([+-]\d{2}:\d{2}(?::\d{2})?))|UTC|UT|GMT)\]$`)
	dayForm = regexp.MustCompile(`^(\d{4})(?:-(\d{1,9})(?:-(\d{1,9}))?)?(?s:[T ].*)?$`)
)

func num(s string) int {
	n, _ := strconv.Atoi(s) // "" is 0
	return n
}

// lowered lowers the letters of the date formats, and those that have one of these
// as their other case.
func lowered(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r == 'ſ':
			r = 's'
		case r == 'ı' || r == 'İ':
			r = 'i'
		}
		return r
	}, s)
}

// named returns the number of a name, or the number that stands for it.
func named(s, names string) int {
	if i := strings.Index(names, s); i >= 0 && len(s) == 3 && s[0] >= 'a' {
		return i/3 + 1
	}
	return num(strings.TrimPrefix(s, "+"))
}

// civilDay returns the number of days from the epoch to a date of the proleptic Gregorian calendar, counted from a 1
// March before the year 0.
func civilDay(year, month, day int) int64 {
	y, m := int64(year)+4_000_000_000, int64(month)
	if m <= 2 {
		y--
		m += 12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + int64(day) - 1 - 719468 - 10_000_000*146097
}

func lastDay(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// zone returns the offset of a zone in seconds.
func zone(s string) (int64, bool) {
	digits := strings.ReplaceAll(strings.TrimLeft(s, "gmtz"), ":", "")
	if digits == "" {
		return 0, true
	}
	all := digits[1:] + "0000"
	h, m, sec := num(all[:2]), num(all[2:4]), num(all[4:6])
	offset := int64(h*3600 + m*60 + sec)
	ok := m < 60 && sec < 60 && offset <= 18*3600
	if digits[0] == '-' {
		offset = -offset
	}
	return offset, ok
}

func wantHTTPDate(s string) (int64, bool) {
	m := httpForm.FindStringSubmatch(lowered(s))
	if m == nil {
		return 0, false
	}
	day, month, year := num(m[2]), named(m[3], "janfebmaraprmayjunjulaugsepoctnovdec"), num(m[4])
	hour, minute, second := num(m[5]), num(m[6]), num(m[7])
	offset, ok := zone(m[8])
	endOfDay := hour == 24 && minute+second == 0
	if !ok || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 && !endOfDay || minute > 59 || second > 59 {
		return 0, false
	}
	n := civilDay(year, month, min(day, lastDay(year, month)))
	weekday := ((n+3)%7 + 7) % 7 // the epoch was a Thursday
	if m[1] != "" && named(m[1], "montuewedthufrisatsun") != int(weekday)+1 || endOfDay && n == civilDay(lastYear, 12, 31) {
		return 0, false
	}
	return n*86400 + int64(hour*3600+minute*60+second) - offset, true
}

func wantISOTime(s string) (int64, int, bool) {
	if in := inForm.FindStringSubmatch(s); in != nil {
		if _, ok := zone(in[3]); !ok {
			return 0, 0, false
		}
		s = in[1]
	}
	m := isoForm.FindStringSubmatch(lowered(s))
	if m == nil || num(strings.TrimLeft(m[1], "+-")) > lastYear || m[1][0] == '-' && num(m[1]) == 0 {
		return 0, 0, false
	}
	year, month, day := num(m[1]), num(m[2]), num(m[3])
	hour, minute, second := num(m[4]), num(m[5]), num(m[6])
	offset, ok := zone(m[8])
	if !ok || month < 1 || month > 12 || day < 1 || day > lastDay(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	nanos := num((m[7] + "000000000")[:9])
	return civilDay(year, month, day)*86400 + int64(hour*3600+minute*60+second) - offset, nanos, true
}

func wantLocalDay(s string) (int64, bool) {
	m := dayForm.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	year, month, day := num(m[1]), 1, 1
	if m[2] != "" {
		month = num(m[2])
	}
	if m[3] != "" {
		day = num(m[3])
	}
	if month < 1 || month > 12 || day < 1 || day > lastDay(year, month) {
		return 0, false
	}
	return civilDay(year, month, day), true
}

// checkDates reads a text as every kind of date and compares with the slow way.
func checkDates(t *testing.T, s string) {
	t.Helper()
	sec, ok := parseHTTPDate(s)
	if want, wantOK := wantHTTPDate(s); ok != wantOK || ok && sec != want {
		t.Errorf("HTTP date %q is %d, %v, want %d, %v", s, sec, ok, want, wantOK)
	}
	sec, nanos, ok := parseISOTime(s)
	if want, wantNanos, wantOK := wantISOTime(s); ok != wantOK || ok && (sec != want || nanos != wantNanos) {
		t.Errorf("ISO time %q is %d, %d, %v, want %d, %d, %v", s, sec, nanos, ok, want, wantNanos, wantOK)
	}
	day, ok := parseLocalDay(s)
	want, wantOK := wantLocalDay(s)
	if ok != wantOK || ok && day != want {
		t.Errorf("day %q is %d, %v, want %d, %v", s, day, ok, want, wantOK)
	}
	if ok && !noDay(day) && !strings.HasPrefix(s, "0000") {
		text := string(appendDay(nil, day))
		if again, ok := parseLocalDay(text); !ok || again != day || len(text) != 19 {
			t.Errorf("day %d is %q, which is day %d, %v", day, text, again, ok)
		}
	}
}

func FuzzDates(f *testing.F) {
	for _, s := range []string{
		"Thu, 01 Mar 2018 00:00:00 GMT", "01 Mar 2018 0:0 +0100", "tue, 31 feb 0 1:2:3 -1800", "Mon, 29 Feb 2100 00:00:00 GMT",
		"1 Jan 999999999 23:59:59 GMT",
		"2018-03-01T00:00:00.123Z", "2018-03-01T00:00+18:00", "0000-02-29T23:59:59.Z", "2018-3-1 x", "2018-03-01T",
		"+12018-03-01T00:00:00+01:02:03[Europe/Paris]", "-0001-01-01T00:00-01[UTC+01:00]", "4, +1 3 2018 24:00 +010203",
		"2018", "2018-3T", "2018-003-001", "Frı, 2 Mar 2018 0:0 +01", "2000-02-30", "ſun, 01 Mar 2018 00:00 GMT", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkDates(t, s) })
}

// Every day of some centuries, and the days after the end of every month.
func TestDatesOfAllDays(t *testing.T) {
	for day := time.Date(1890, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2110; day = day.AddDate(0, 0, 1) {
		for _, layout := range []string{time.RFC1123, "2006-01-02T15:04:05.000Z07:00", "2006-1-2", "2 Jan 2006 15:04 -0700"} {
			s := strings.Replace(day.Format(layout), "UTC", "GMT", 1)
			checkDates(t, s)
		}
		if n, ok := parseLocalDay(day.Format("2006-01-02")); !ok || n != day.Unix()/86400 {
			t.Fatalf("%v is day %d, %v", day, n, ok)
		}
	}
	for year := range 420 {
		for month := 1; month <= 12; month++ {
			for d := 28; d <= 32; d++ {
				date := strconv.Itoa(1800+year) + "-" + strconv.Itoa(month) + "-" + strconv.Itoa(d)
				checkDates(t, date)
				checkDates(t, strconv.Itoa(d)+" "+months[month-1]+" "+strconv.Itoa(year*7)+" 00:00 GMT")
			}
		}
	}
}
