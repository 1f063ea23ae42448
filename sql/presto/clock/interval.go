package clock

import (
	"strconv"
	"strings"
)

// intervalUnits holds the months of a year and a month, and the milliseconds of a day, an hour, a minute and a
// second.
var intervalUnits = []int64{12, 1, 86_400_000, 3_600_000, 60_000, 1000}

// Interval reads the fields of an interval from first to last, such as 1 02:03:04.567: 0 is the year, 5 the second. Years and months
// give months, others milliseconds; false if the text is none.
func Interval(text string, first, last int) (int64, bool) {
	text = strings.TrimSpace(text)
	negative := strings.HasPrefix(text, "-")
	text = strings.TrimLeft(text, "+-")
	parts := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ':' || c == '-' })
	if len(parts) != last-first+1 {
		return 0, false
	}
	total := int64(0)
	for i, p := range parts {
		second := first+i == len(intervalUnits)-1
		whole, fraction, point := strings.Cut(p, ".")
		n, err := strconv.ParseInt(whole, 10, 32)
		if err != nil || point && !second || len(fraction) > 3 {
			return 0, false
		}
		total += n * intervalUnits[first+i]
		if point {
			millis, err := strconv.ParseInt((fraction + "000")[:3], 10, 64)
			if err != nil {
				return 0, false
			}
			total += millis
		}
	}
	if negative {
		total = -total
	}
	return total, true
}
