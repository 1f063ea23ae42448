package scalar

import (
	"strconv"
	"strings"
)

// integer writes a whole number with %d, %o or %x.
func (d *directive) integer(n int64) string {
	switch d.verb {
	case 'o', 'x', 'X':
		base, mark := 16, "0x"
		if d.verb == 'o' {
			base, mark = 8, "0"
		}
		s := strconv.FormatUint(uint64(n), base)
		if !d.has("#") {
			mark = ""
		}
		return mark + d.zeros(s, len(mark))
	}
	return d.signed(strings.TrimPrefix(strconv.FormatInt(n, 10), "-"), n < 0)
}

// zeros fills up with zeros, beside what else is written.
func (d *directive) zeros(s string, beside int) string {
	if n := d.width - beside - len(s); d.has("0") && n > 0 {
		return strings.Repeat("0", n) + s
	}
	return s
}

// signed writes sign, thousands and zeros of a number.
func (d *directive) signed(digits string, negative bool) string {
	if d.has(",") {
		whole, fraction, point := strings.Cut(digits, ".")
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
		if digits = whole; point {
			digits += "." + fraction
		}
	}
	before, after := d.signs(negative)
	return before + d.zeros(digits, len(before)+len(after)) + after
}

func (d *directive) signs(negative bool) (before, after string) {
	switch {
	case negative && d.has("("):
		return "(", ")"
	case negative:
		return "-", ""
	case d.has("+"):
		return "+", ""
	case d.has(" "):
		return " ", ""
	}
	return "", ""
}

// decimal is 0.digits × 10^point.
type decimal struct {
	digits string
	point  int
}

// readDecimal reads a number without a sign, in plain or scientific notation.
func readDecimal(s string) decimal {
	s, exponent, _ := strings.Cut(s, "e")
	whole, fraction, _ := strings.Cut(s, ".")
	n, _ := strconv.Atoi(exponent)
	x := decimal{whole + fraction, len(whole) + n}
	trimmed := strings.TrimLeft(x.digits, "0")
	x.point -= len(x.digits) - len(trimmed)
	x.digits = trimmed
	return x
}

// round keeps a number of digits, half up.
func (x decimal) round(keep int) decimal {
	switch {
	case keep >= len(x.digits):
		return x
	case keep < 0:
		return decimal{}
	}
	up := x.digits[keep] >= '5'
	digits := []byte(x.digits[:keep])
	if !up {
		return decimal{string(digits), x.point}
	}
	for i := keep - 1; i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			return decimal{string(digits), x.point}
		}
		digits[i] = '0'
	}
	return decimal{"1" + string(digits), x.point + 1}
}

// plain writes the number with a number of places.
func (x decimal) plain(places int) string {
	x = x.round(x.point + places)
	whole, fraction := "0", x.digits
	if x.digits == "" {
		x.point = 0
	}
	if x.point > 0 {
		all := x.digits + strings.Repeat("0", max(0, x.point-len(x.digits)))
		whole, fraction = all[:x.point], all[x.point:]
	} else {
		fraction = strings.Repeat("0", min(places, -x.point)) + fraction
	}
	if places == 0 {
		return whole
	}
	return whole + "." + (fraction + strings.Repeat("0", places))[:places]
}

// scientific writes the number as 1.25e+03.
func (x decimal) scientific(places int) string {
	x = x.round(places + 1)
	exponent := x.point - 1
	if x.digits == "" {
		exponent = 0
	}
	digits := (x.digits + strings.Repeat("0", places+1))[:places+1]
	if places > 0 {
		digits = digits[:1] + "." + digits[1:]
	}
	sign := "+"
	if exponent < 0 {
		sign, exponent = "-", -exponent
	}
	return digits + "e" + sign + ("0" + strconv.Itoa(exponent))[max(0, len(strconv.Itoa(exponent))-1):]
}

// general writes %g: plain from 0.0001 up to 10^precision.
func (x decimal) general(precision int) string {
	if precision == 0 {
		precision = 1
	}
	x = x.round(precision)
	switch {
	case x.digits == "":
		return x.plain(precision - 1)
	case x.point > -4 && x.point <= precision:
		return x.plain(precision - x.point)
	}
	return x.scientific(precision - 1)
}

// number writes a number with %e, %f or %g.
func (d *directive) number(a formatArg) string {
	text, negative := strings.CutPrefix(a.digits(), "-")
	if text == "NaN" {
		return text
	}
	if text == "Infinity" {
		before, after := d.signs(negative)
		return before + text + after
	}
	x, precision := readDecimal(text), d.precision
	if precision < 0 {
		precision = 6
	}
	switch d.verb | 0x20 {
	case 'e':
		text = x.scientific(precision)
	case 'g':
		text = x.general(precision)
	default:
		text = x.plain(precision)
	}
	if d.has("#") && !strings.Contains(text, ".") {
		text += "."
	}
	return d.signed(text, negative)
}

// digits returns a number in Go's scientific notation.
func (a formatArg) digits() string {
	f, err := strconv.ParseFloat(a.text, 64)
	switch {
	case err != nil || a.kind == 'd':
		return a.text
	case a.kind == 'r':
		r, _ := strconv.ParseFloat(a.text, 32)
		f = r
	}
	s := Double(f)
	if strings.Contains(s, "n") {
		return s
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}
