package clock

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var duration = regexp.MustCompile(`^\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*$`)

// millisOf are the units of parse_duration.
var millisOf = map[string]float64{
	"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
}

// Duration reads text such as 1.5d: in milliseconds, rounded.
func Duration(text string) (int64, error) {
	m := duration.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("duration is not a valid data duration string: %s", text)
	}
	unit, ok := millisOf[m[2]]
	if !ok {
		return 0, fmt.Errorf("Unknown time unit: %s", m[2]) //nolint:staticcheck // Trino's words
	}
	n, err := strconv.ParseFloat(m[1], 64)
	return int64(math.Floor(n*unit + 0.5)), err
}

// Readable writes seconds as weeks, days, hours, minutes and seconds.
func Readable(seconds float64) (string, error) {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return "", fmt.Errorf("Invalid argument found: %v", seconds) //nolint:staticcheck // Trino's words
	}
	n := int64(math.Abs(math.Round(seconds)))
	var parts []string
	for _, unit := range []struct {
		name string
		size int64
	}{{"week", 604_800}, {"day", 86_400}, {"hour", 3600}, {"minute", 60}, {"second", 1}} {
		count := n / unit.size
		n %= unit.size
		switch {
		case count == 1:
			parts = append(parts, "1 "+unit.name)
		case count > 1 || unit.size == 1 && len(parts) == 0:
			parts = append(parts, fmt.Sprintf("%d %ss", count, unit.name))
		}
	}
	return strings.Join(parts, ", "), nil
}
