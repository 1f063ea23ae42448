package columnar

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// addTime appends a date, time, timestamp or interval as DuckDB writes it.
func addTime(b array.Builder, s string) error {
	switch b := b.(type) {
	case *array.Date32Builder:
		n, err := dateOf(s)
		if err == nil {
			b.Append(arrow.Date32(n))
		}
		return err
	case *array.Time64Builder:
		n, err := clockOf(s, 1e6)
		if err == nil {
			b.Append(arrow.Time64(n))
		}
		return err
	case *array.TimestampBuilder:
		n, err := timestampOf(s, perSecond[b.Type().(*arrow.TimestampType).Unit])
		if err == nil {
			b.Append(arrow.Timestamp(n))
		}
		return err
	case *array.MonthDayNanoIntervalBuilder:
		n, err := intervalOf(s)
		if err == nil {
			b.Append(n)
		}
		return err
	}
	return fmt.Errorf("text where %s is wanted", b.Type())
}

// perSecond maps a unit to its number per second.
var perSecond = map[arrow.TimeUnit]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}

// Names of infinite dates and timestamps.
const (
	forever = "infinity"
	always  = "-infinity"
)

var errTime = errors.New("it is no time as DuckDB writes it")

// dateOf returns the days since 1970.
func dateOf(s string) (int32, error) {
	switch s {
	case forever:
		return math.MaxInt32, nil
	case always:
		return -math.MaxInt32, nil
	}
	n, err := daysOf(s)
	if err != nil || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, fmt.Errorf("%q: %w", s, errTime)
	}
	return int32(n), nil
}

// daysOf parses 2018-03-01, 12018-03-01 and 0044-03-15 (BC).
func daysOf(s string) (int64, error) {
	s, before := strings.CutSuffix(s, " (BC)")
	parts := strings.Split(s, "-")
	if len(parts) != 3 {
		return 0, errTime
	}
	var n [3]int
	for i, p := range parts {
		var err error
		if n[i], err = strconv.Atoi(p); err != nil {
			return 0, errTime
		}
	}
	if before {
		n[0] = 1 - n[0]
	}
	if n[0] > 1e7 || n[0] < -1e7 { // DuckDB's dates end before
		return 0, errTime
	}
	return time.Date(n[0], time.Month(n[1]), n[2], 0, 0, 0, 0, time.UTC).Unix() / 86400, nil
}

// timestampOf parses 2018-03-01 04:05:06.789, with or without +00 at the end. The result is in units of 1/second s.
func timestampOf(s string, second int64) (int64, error) {
	switch s {
	case forever:
		return math.MaxInt64, nil
	case always:
		return -math.MaxInt64, nil
	}
	at := strings.LastIndexByte(s, ' ')
	if at < 0 {
		return 0, fmt.Errorf("%q: %w", s, errTime)
	}
	day, rest := s[:at], s[at+1:]
	days, err := daysOf(day)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", s, err)
	}
	n, err := clockOf(strings.TrimSuffix(rest, "+00"), second)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", s, err)
	}
	most := math.MaxInt64 / (86400 * second)
	if days > most || days < -most || days == most && n > math.MaxInt64%(86400*second) {
		return 0, fmt.Errorf("%q: %w", s, errTime)
	}
	return days*86400*second + n, nil
}

// clockOf parses 04:05:06.789 into units of 1/second s. Hours may exceed 24, and the sign may be negative.
func clockOf(s string, second int64) (int64, error) {
	s, negative := strings.CutPrefix(s, "-")
	parts := strings.Split(s, ":")
	if len(parts) != 3 {
		return 0, errTime
	}
	whole, fraction, _ := strings.Cut(parts[2], ".")
	var n [3]int64
	for i, p := range []string{parts[0], parts[1], whole} {
		var err error
		if n[i], err = strconv.ParseInt(p, 10, 64); err != nil || n[i] < 0 || i > 0 && n[i] > 60 {
			return 0, errTime
		}
	}
	part := int64(0)
	if fraction != "" {
		var err error
		if part, err = strconv.ParseInt((fraction + "000000000")[:9], 10, 64); err != nil || part < 0 || len(fraction) > 9 {
			return 0, errTime
		}
	}
	if n[0] > math.MaxInt64/3600/second-1 {
		return 0, errors.New("it is too long for Arrow")
	}
	total := (n[0]*3600+n[1]*60+n[2])*second + part/(1e9/second)
	if negative {
		total = -total
	}
	return total, nil
}

// intervalOf parses 1 year 2 months -3 days 04:05:06.789.
func intervalOf(s string) (v arrow.MonthDayNanoInterval, err error) {
	words := strings.Fields(s)
	for len(words) > 0 {
		if strings.Contains(words[0], ":") {
			v.Nanoseconds, err = clockOf(words[0], 1e9)
			if err != nil {
				return v, fmt.Errorf("%q: %w", s, err)
			}
			words = words[1:]
			continue
		}
		n, err := strconv.ParseInt(words[0], 10, 32)
		if err != nil || len(words) < 2 {
			return v, fmt.Errorf("%q: %w", s, errTime)
		}
		switch strings.TrimSuffix(words[1], "s") {
		case "year":
			v.Months += int32(n) * 12
		case "month":
			v.Months += int32(n)
		case "day":
			v.Days = int32(n)
		default:
			return v, fmt.Errorf("%q: %w", s, errTime)
		}
		words = words[2:]
	}
	return v, nil
}
