package scalar

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

var textNumberFuncs = []Func{
	two("format", format),
	one("format_number", func(n int64) (string, error) { return formatNumber(n), nil }),
	one("format_number_double", func(f float64) (string, error) { return formatNumber(saturated(f)), nil }),
	one("human_readable_seconds", humanReadableSeconds),
	one("parse_data_size", parseDataSize),
	one("parse_duration", parseDuration),
}

// saturated is Java's conversion of a double to a long.
func saturated(f float64) int64 {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= 1<<63:
		return math.MaxInt64
	case f <= -1<<63:
		return math.MinInt64
	}
	return int64(f)
}

// formatNumber writes a number with the letter of its unit.
func formatNumber(n int64) string {
	f, unit := float64(n), ""
	for _, u := range []string{"K", "M", "B", "T", "Q"} {
		if math.Abs(f) < 1000 {
			break
		}
		f, unit = f/1000, u
	}
	places := 0
	if f < 10 {
		places = 2
	} else if f < 100 {
		places = 1
	}
	s := strconv.FormatFloat(f, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + unit
}

func humanReadableSeconds(f float64) (string, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "", invalid("Invalid argument found: %s", Double(f))
	}
	n := saturated(math.Floor(math.Abs(f) + 0.5))
	var parts []string
	for _, u := range []struct {
		name    string
		seconds int64
	}{{"week", 604800}, {"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}} {
		count := n / u.seconds
		n %= u.seconds
		if count == 0 && (u.seconds > 1 || parts != nil) {
			continue
		}
		plural := "s"
		if count == 1 {
			plural = ""
		}
		parts = append(parts, fmt.Sprintf("%d %s%s", count, u.name, plural))
	}
	return strings.Join(parts, ", "), nil
}

var dataSize = lazy.Regexp(`^(\d+\.?\d*|\.\d+)([a-zA-Z]+)$`)

// parseDataSize returns the bytes of 2.5MB, in powers of 1024, as text.
func parseDataSize(s string) (string, error) {
	m := dataSize().FindStringSubmatch(s)
	if m == nil {
		return "", invalid("Invalid data size: '%s'", s)
	}
	power := -1
	for i, u := range []string{"B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"} {
		if u == m[2] {
			power = i
		}
	}
	size, ok := new(big.Rat).SetString("0" + m[1])
	if power < 0 || !ok || len(m[1]) > 1000 {
		return "", invalid("Invalid data size: '%s'", s)
	}
	size.Mul(size, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(10*power))))
	bytes := new(big.Int).Quo(size.Num(), size.Denom()).String()
	if len(bytes) > 38 {
		return "", outOfRange("Value out of range: '%s' ('%sB')", s, bytes)
	}
	return bytes, nil
}

var duration = lazy.Regexp(`^\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*$`)

// millis are the units of durations, in milliseconds.
var millis = map[string]float64{"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4, "h": 3.6e6, "d": 8.64e7}

// parseDuration returns milliseconds.
func parseDuration(s string) (int64, error) {
	if s == "" {
		return 0, invalid("duration is empty")
	}
	m := duration().FindStringSubmatch(s)
	if m == nil {
		return 0, invalid("duration is not a valid data duration string: %s", s)
	}
	unit, ok := millis[m[2]]
	if !ok {
		return 0, invalid("Unknown time unit: %s", m[2])
	}
	f, err := strconv.ParseFloat(m[1], 64)
	if err != nil || f*unit >= 1<<62 {
		return 0, outOfRange("duration is too long: %s", s)
	}
	return int64(math.Floor(f*unit + 0.5)), nil
}
