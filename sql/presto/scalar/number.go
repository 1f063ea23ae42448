package scalar

import (
	"math"
	"strconv"
	"strings"
)

// Double returns a double as Java, and so Trino, writes it: 1.0, 1.0E10, NaN.
func Double(f float64) string { return javaFloat(f, 64) }

// Real returns the same of a real.
func Real(f float32) string { return javaFloat(float64(f), 32) }

func javaFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.Replace(strconv.FormatFloat(f, 'f', -1, 64), "Inf", "Infinity", 1), "+")
	}
	if a := math.Abs(f); a == 0 || a >= 1e-3 && a < 1e7 {
		s := strconv.FormatFloat(f, 'f', -1, bits)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, bits), "e")
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	exponent = strings.TrimPrefix(exponent, "+")
	sign := ""
	if strings.HasPrefix(exponent, "-") {
		sign, exponent = "-", exponent[1:]
	}
	return digits + "E" + sign + strings.TrimLeft(exponent, "0")
}

// digits reports whether a text is one or more digits.
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
