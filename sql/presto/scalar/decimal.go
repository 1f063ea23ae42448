package scalar

import (
	"math/big"
	"strings"
)

// maxDigits is the maximum number of digits of a decimal.
const maxDigits = 38

// unscaled reads a decimal: its digits as a number, and how many are behind the point.
func unscaled(text string) (x *big.Int, scale int, err error) {
	whole, fraction, _ := strings.Cut(text, ".")
	x, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return nil, 0, invalid("Not a decimal: %s", text)
	}
	return x, len(fraction), nil
}

func tenTo(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }

// roundQuotient is x / y without fraction: half away from zero, or cut off.
func roundQuotient(x, y *big.Int, round bool) *big.Int {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if round && r.Abs(r).Lsh(r, 1).CmpAbs(y) >= 0 {
		q.Add(q, big.NewInt(int64(x.Sign()*y.Sign())))
	}
	return q
}

// decimalTo rounds or cuts a decimal to a number of places, and keeps its scale.
func decimalTo(text string, places int32, round bool) (string, error) {
	x, scale, err := unscaled(text)
	cut := int64(scale) - int64(places)
	if err != nil || cut <= 0 {
		return text, err
	}
	factor := tenTo(min(cut, maxDigits+2))
	x = roundQuotient(x, factor, round)
	return fitting(x.Mul(x, factor), scale, text)
}

// decimalDivide returns a quotient with a number of places, rounded half away from zero.
func decimalDivide(a, b string, places int32) (string, error) {
	x, scaleX, err := unscaled(a)
	if err != nil {
		return "", err
	}
	y, scaleY, err := unscaled(b)
	if err != nil {
		return "", err
	}
	if y.Sign() == 0 {
		return "", &Error{Code: "DIVISION_BY_ZERO", Message: "Division by zero"}
	}
	if grow := int64(places) + int64(scaleY) - int64(scaleX); grow >= 0 {
		x.Mul(x, tenTo(grow))
	} else {
		y.Mul(y, tenTo(-grow))
	}
	return fitting(roundQuotient(x, y, true), int(places), a+" / "+b)
}

// fitting writes a decimal that has not too many digits.
func fitting(x *big.Int, scale int, what string) (string, error) {
	digits := x.String()
	if len(strings.TrimPrefix(digits, "-")) > maxDigits {
		return "", outOfRange("decimal overflow: %s", what)
	}
	return pointed(digits, scale), nil
}

// pointed puts the point into the digits of a decimal.
func pointed(digits string, scale int) string {
	if scale == 0 {
		return digits
	}
	rest, negative := strings.CutPrefix(digits, "-")
	if len(rest) <= scale {
		rest = strings.Repeat("0", scale+1-len(rest)) + rest
	}
	rest = rest[:len(rest)-scale] + "." + rest[len(rest)-scale:]
	if negative {
		return "-" + rest
	}
	return rest
}
