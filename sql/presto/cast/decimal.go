package cast

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// Quotient divides decimals as whole numbers of 128 bits, rounding half away from zero. by is the divisor if it is a constant, else "". A
// numerator that may not fit goes through presto_decimal_divide.
func Quotient(left, right, by string, a, b, typ types.Type) string {
	shift := typ.Scale + b.Scale // digits by which the numerator grows, over those of its scale
	if a.Precision-a.Scale+shift > types.MaxPrecision-1 || b.Precision > types.MaxPrecision-1 {
		return duck.Fill(fmt.Sprintf("CAST(presto_decimal_divide(CAST($1 AS VARCHAR), CAST($2 AS VARCHAR), %d) AS %s)", typ.Scale, typ.DuckDB()),
			[]string{left, right}, 2)
	}
	n := fmt.Sprintf("CAST(CAST($1 AS DECIMAL(38,%d)) * %s AS HUGEINT)", a.Scale, power(shift))
	d := fmt.Sprintf("CAST(CAST($2 AS DECIMAL(38,%d)) * %s AS HUGEINT)", b.Scale, power(b.Scale))
	if by, ok := unscaled(by, b.Scale); ok {
		n = duck.Replace(n, []string{left}, 2)
		fill := duck.Fill
		if duck.Simple(left) { // DuckDB sees that it is the same twice
			fill = duck.Replace
		}
		quotient := fill("($1 * 2 + CASE WHEN $1 < 0 THEN -$2 ELSE $2 END) // ($2 * 2)", []string{n, by}, 2)
		return scaledDown(quotient, typ)
	}
	quotient := duck.Fill("CASE WHEN $2 = 0 AND $1 IS NOT NULL THEN error('Division by zero') ELSE ($1 // $2) + CASE WHEN 2 * abs($1 % "+
		"$2) < abs($2) THEN 0 WHEN ($1 < 0) = ($2 < 0) THEN 1 ELSE -1 END END",
		[]string{duck.Replace(n, []string{left}, 2), duck.Replace(d, []string{"", right}, 2)}, 2)
	return scaledDown(quotient, typ)
}

// scaledDown makes a decimal of a whole number of its last digits.
func scaledDown(sql string, typ types.Type) string {
	return fmt.Sprintf("CAST(CAST(%s AS DECIMAL(38,0)) * CAST('1e-%d' AS DECIMAL(%d,%d)) AS %s)", sql, typ.Scale, typ.Scale+1, typ.Scale,
		typ.DuckDB())
}

// unscaled returns a constant above zero without its point, which stands before this number of digits.
func unscaled(text string, scale int) (string, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	digits := whole + (fraction + strings.Repeat("0", scale))[:max(scale, 0)]
	if strings.Trim(text, "0.") == "" || len(fraction) > scale || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	return "CAST(" + digits + " AS HUGEINT)", true
}

// power is ten to the n as a decimal.
func power(n int) string { return fmt.Sprintf("CAST('1e%d' AS DECIMAL(%d,0))", n, n+1) }
