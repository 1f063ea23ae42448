package job

import (
	"fmt"
	"time"
)

const dayLayout = "20060102"

// ParseDay returns the UTC midnight at which a day written as YYYYMMDD begins.
func ParseDay(day string) (time.Time, error) {
	if len(day) != len(dayLayout) {
		return time.Time{}, fmt.Errorf("read day %q: not written as YYYYMMDD", day)
	}
	for _, c := range []byte(day) {
		if c < '0' || c > '9' {
			return time.Time{}, fmt.Errorf("read day %q: not written as YYYYMMDD", day)
		}
	}
	t, err := time.Parse(dayLayout, day)
	if err != nil {
		return time.Time{}, fmt.Errorf("read day %q: there is no such date", day)
	}
	return t, nil
}

// FormatDay returns the UTC date of t as YYYYMMDD.
func FormatDay(t time.Time) string { return t.UTC().Format(dayLayout) }

// DayRange returns every day from the first to the last, both inclusive, oldest first.
func DayRange(from, to string) ([]string, error) {
	first, err := ParseDay(from)
	if err != nil {
		return nil, err
	}
	last, err := ParseDay(to)
	if err != nil {
		return nil, err
	}
	if last.Before(first) {
		return nil, fmt.Errorf("read days %s to %s: the first is after the last", from, to)
	}
	var days []string
	for t := first; !t.After(last); t = t.AddDate(0, 0, 1) {
		days = append(days, FormatDay(t))
	}
	return days, nil
}
