package scalar

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/clock"
)

var castFuncs = []Func{
	one("double_text", func(x float64) (string, error) { return scientific(strconv.FormatFloat(x, 'E', -1, 64)), nil }),
	one("real_text", func(x float32) (string, error) { return scientific(strconv.FormatFloat(float64(x), 'E', 6, 32)), nil }),
	one("json_double", func(x float64) (string, error) { return jsonDouble(x), nil }),
	one("key_integer", func(s string) (int32, error) { n, err := keyWhole(s, 32); return int32(n), err }),
	one("key_bigint", func(s string) (int64, error) { return keyWhole(s, 64) }),
	one("key_date", keyDate),
	one("key_try_integer", func(s string) (int32, error) { n, err := keyWhole(s, 32); return int32(n), noError(err) }),
	one("key_try_bigint", func(s string) (int64, error) { n, err := keyWhole(s, 64); return n, noError(err) }),
	one("key_try_date", func(s string) (int64, error) { n, err := keyDate(s); return n, noError(err) }),
}

// scientific writes a number as Trino does: 1.0E0, 3.333333333333333E-1, 0E0 for zero.
func scientific(s string) string {
	switch s {
	case "NaN":
		return s
	case "+Inf":
		return "Infinity"
	case "-Inf":
		return "-Infinity"
	}
	mantissa, exponent, _ := strings.Cut(s, "E")
	if whole, fraction, ok := strings.Cut(mantissa, "."); ok {
		mantissa = strings.TrimSuffix(whole+"."+strings.TrimRight(fraction, "0"), ".")
	}
	if strings.Trim(mantissa, "-0") == "" {
		return mantissa + "E0"
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(n)
}

// jsonDouble writes a number for JSON, which has no NaN.
func jsonDouble(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return `"` + Double(x) + `"`
	}
	return Double(x)
}

// keyWhole reads the whole number of a partition key.
func keyWhole(s string, bits int) (int64, error) {
	n, err := strconv.ParseInt(s, 10, bits)
	if err != nil {
		return 0, &Error{Code: castCode, Message: fmt.Sprintf("Cannot cast '%s' to %s", s, map[int]string{32: "INT", 64: "BIGINT"}[bits])}
	}
	return n, nil
}

// keyDate reads the date of a partition key, in milliseconds since 1970.
func keyDate(s string) (int64, error) {
	day, ok := clock.Date(s)
	if !ok {
		return 0, &Error{Code: castCode, Message: "Value cannot be cast to date: " + s}
	}
	return day.UnixMilli(), nil
}

// castCode is Trino's code of values that cannot be converted.
const castCode = "INVALID_CAST_ARGUMENT"

// noError makes null of an error.
func noError(err error) error {
	if err != nil {
		return errNull
	}
	return nil
}
