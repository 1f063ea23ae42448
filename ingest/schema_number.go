package ingest

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
	"strconv"
)

// decimal is an exact number of a JSON document: 0.<digits> times ten to the exp. Digits have no zeros at
// either end; zero has no digits. Reading and comparing take time linear in the length of the text, whatever
// its exponent.
type decimal struct {
	negative bool
	digits   []byte
	exp      int64
}

// maxExponent bounds exponents so that sums of them do not overflow.
const maxExponent = 1 << 60

// parseDecimal reads a JSON number.
func parseDecimal(token []byte) decimal {
	var d decimal
	token, d.negative = bytes.CutPrefix(token, []byte("-"))
	mantissa := token
	if i := bytes.IndexAny(token, "eE"); i >= 0 {
		mantissa = token[:i]
		d.exp = parseExponent(token[i+1:])
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := whole
	if len(fraction) > 0 {
		digits = slices.Concat(whole, fraction)
	}
	d.exp += int64(len(whole))
	n := len(digits)
	digits = bytes.TrimLeft(digits, "0")
	d.exp -= int64(n - len(digits))
	d.digits = bytes.TrimRight(digits, "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

func parseExponent(b []byte) int64 {
	e, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil || e > maxExponent || e < -maxExponent {
		if b[0] == '-' {
			return -maxExponent
		}
		return maxExponent
	}
	return e
}

// ratDecimal returns the decimal of a bound in a schema, which is written as a decimal there.
func ratDecimal(r *big.Rat) decimal {
	places, _ := r.FloatPrec()
	return parseDecimal([]byte(r.FloatString(places)))
}

// isInteger reports whether the number has no fraction, as 1.0 and 1e3.
func (d *decimal) isInteger() bool { return int64(len(d.digits)) <= d.exp || len(d.digits) == 0 }

// compare returns a negative number, zero or a positive number if d is below, at or above o.
func (d *decimal) compare(o *decimal) int {
	if s, t := d.sign(), o.sign(); s != t || s == 0 {
		return s - t
	}
	// Digits have no zeros at the end: a prefix is smaller.
	return cmp.Or(cmp.Compare(d.exp, o.exp), bytes.Compare(d.digits, o.digits)) * d.sign()
}

func (d *decimal) sign() int {
	switch {
	case len(d.digits) == 0:
		return 0
	case d.negative:
		return -1
	}
	return 1
}

func (w *walker) number(n *node, p int) int {
	v, end, ok := smallInteger(w.b, p)
	if ok {
		return w.integer(n, v, end)
	}
	end = skipNumber(w.b, p)
	d := parseDecimal(w.b[p:end])
	k := kindNumber
	if d.isInteger() && (!w.plain || bytes.IndexAny(w.b[p:end], ".eE") < 0) {
		k |= kindInteger
	}
	switch {
	case !n.allows(k):
		return w.refuse(n, k)
	case n.min != nil && d.compare(&n.min.decimal) < 0:
		return w.fail("minimum")
	case n.max != nil && d.compare(&n.max.decimal) > 0:
		return w.fail("maximum")
	}
	return end
}

func (w *walker) integer(n *node, v int64, end int) int {
	switch k := kindInteger | kindNumber; {
	case !n.allows(k):
		return w.refuse(n, k)
	case n.min != nil && n.min.compare(v) < 0:
		return w.fail("minimum")
	case n.max != nil && n.max.compare(v) > 0:
		return w.fail("maximum")
	}
	return end
}

// compare returns a negative number, zero or a positive number if v is below, at or above the bound.
func (b *bound) compare(v int64) int {
	if !b.whole {
		d := parseDecimal(strconv.AppendInt(nil, v, 10))
		return d.compare(&b.decimal)
	}
	return cmp.Compare(v, b.value)
}
