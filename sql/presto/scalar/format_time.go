package scalar

import (
	"strconv"
	"strings"
	"time"
)

// string formats a time as Java's toString does.
func (a formatArg) string() string {
	switch a.kind {
	case 'f':
		f, _ := strconv.ParseFloat(a.text, 64)
		return Double(f)
	case 'r':
		f, _ := strconv.ParseFloat(a.text, 32)
		return Real(float32(f))
	case 'd':
		return bigDecimal(a.text)
	case 'T':
		date, clock, _ := strings.Cut(a.text, " ")
		return date + "T" + javaClock(clock)
	case 'O':
		return javaClock(a.text)
	}
	return a.text
}

// bigDecimal is BigDecimal's toString: scientific for small numbers.
func bigDecimal(text string) string {
	digits, negative := strings.CutPrefix(text, "-")
	_, fraction, _ := strings.Cut(digits, ".")
	unscaled := strings.TrimLeft(strings.Replace(digits, ".", "", 1), "0")
	if unscaled == "" {
		unscaled = "0"
	}
	exponent := len(unscaled) - 1 - len(fraction)
	if exponent >= -6 {
		return text
	}
	s := unscaled[:1]
	if len(unscaled) > 1 {
		s += "." + unscaled[1:]
	}
	if negative {
		s = "-" + s
	}
	return s + "E" + strconv.Itoa(exponent)
}

// javaClock leaves out seconds that are 0, and gives fractions 3, 6 or 9 digits.
func javaClock(s string) string {
	clock, fraction, _ := strings.Cut(s, ".")
	fraction = strings.TrimRight(fraction, "0")
	if fraction == "" {
		return strings.TrimSuffix(clock, ":00")
	}
	return clock + "." + fraction + strings.Repeat("0", (9-len(fraction))%3)
}

// timeLayouts are the directives after %t in Go's layouts. Capitals and the like are done elsewhere.
var timeLayouts = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "2", 'B': "January", 'b': "Jan", 'h': "Jan", 'A': "Monday", 'a': "Mon", 'j': "002",
	'F': "2006-01-02", 'D': "01/02/06", 'H': "15", 'M': "04", 'S': "05", 'R': "15:04", 'T': "15:04:05", 'r': "03:04:05 PM", 'p': "pm",
	'I': "03", 'l': "3", 'N': "000000000", 'L': "000",
}

// dateOnly and clockOnly are the directives that need a date or a time of day.
const (
	dateVerbs  = "YymdeBbhAajFDCc"
	clockVerbs = "HMSRTrpIlNLkc"
)

func (f *formatter) writeTime(d *directive, a formatArg) (string, error) {
	layouts := map[byte]string{'D': "2006-01-02", 'T': "2006-01-02 15:04:05.999999999", 'O': "15:04:05.999999999"}
	isDate, isClock := strings.IndexByte(dateVerbs, d.verb) >= 0, strings.IndexByte(clockVerbs, d.verb) >= 0
	switch {
	case !isDate && !isClock && strings.IndexByte("zZsQ", d.verb) < 0:
		return "", formatError(f.text, "UnknownFormatConversion", "Conversion = 't"+string(d.verb)+"'")
	case a.kind == 'n':
		return "null", nil
	case a.kind == 'i':
		return "", unsupported("format with %%t%c of a number: use from_unixtime", d.verb)
	case layouts[a.kind] == "" || !isDate && !isClock || d.verb == 'c' || a.kind == 'D' && !isDate || a.kind == 'O' && !isClock:
		return "", formatError(f.text, "IllegalFormatConversion", string(d.verb)+" != "+javaTypes[a.kind])
	}
	t, err := time.Parse(layouts[a.kind], a.text)
	if err != nil {
		return "", unsupported("format of the date %s", a.text)
	}
	switch d.verb {
	case 'C':
		return t.Format("2006")[:2], nil
	case 'k':
		return strconv.Itoa(t.Hour()), nil
	case 'L':
		return t.Format("05.000")[3:], nil
	case 'N':
		return t.Format("05.000000000")[3:], nil
	}
	return t.Format(timeLayouts[d.verb]), nil
}
