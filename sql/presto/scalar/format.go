package scalar

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/pingmill/pingmill/internal/lazy"
)

// maxFormatted limits the width and precision of a directive.
const maxFormatted = 1 << 20

// directive is a part of a format such as %1$-8.2f.
type directive struct {
	text             string
	index            int // of the argument, from 1; 0: the next one, -1: the last one
	flags            string
	width, precision int // -1: none
	time             bool
	verb             byte
}

var directives = lazy.Regexp(`^%(\d+\$|<)?([-#+ 0,(<]*)(\d+)?(\.\d+)?([tT])?([a-zA-Z%])`)

func (d *directive) has(flag string) bool { return strings.Contains(d.flags, flag) }

// upper reports whether the text is written in capitals.
func (d *directive) upper() bool { return !d.time && strings.IndexByte("SBHXEG", d.verb) >= 0 }

// formatArg is an argument: what it is, and its text.
//
//	n null, i integer, f double, r real, d decimal, b boolean, s text, D date, T timestamp, O time of day
type formatArg struct {
	kind byte
	text string
}

// formatError has Java's name of the error.
func formatError(format, what, detail string) error {
	return invalid("Invalid format string: %s (%s: %s)", format, what, detail)
}

// format is Java's String.format over arguments such as "i5", whose first byte is
// the kind of formatArg; nulls are null.
func format(text string, args texts) (string, error) {
	var out strings.Builder
	f := formatter{text: text, args: args}
	for rest := text; rest != ""; {
		plain, after, found := strings.Cut(rest, "%")
		out.WriteString(plain)
		if !found {
			break
		}
		m := directives().FindStringSubmatch("%" + after)
		if m == nil {
			c, _ := utf8.DecodeRuneInString(after)
			if after == "" {
				c = '%'
			}
			return "", formatError(text, "UnknownFormatConversion", "Conversion = '"+string(c)+"'")
		}
		piece, err := f.directive(m)
		if err != nil {
			return "", err
		}
		out.WriteString(piece)
		if rest = after[len(m[0])-1:]; out.Len() > maxPadded {
			return "", unsupported("the formatted text is too long")
		}
	}
	return out.String(), nil
}

type formatter struct {
	text       string
	args       texts
	next, last int // of args; last is 0 before any
}

func (f *formatter) directive(m []string) (string, error) {
	d := &directive{text: m[0], flags: m[2], width: -1, precision: -1, time: m[5] != "", verb: m[6][0]}
	if m[1] == "<" || d.has("<") {
		d.index = -1
	} else if m[1] != "" {
		d.index, _ = strconv.Atoi(strings.TrimSuffix(m[1], "$"))
		if d.index == 0 {
			return "", formatError(f.text, "IllegalFormatArgumentIndex", "Illegal format argument index = 0")
		}
	}
	for i, text := range []string{m[3], strings.TrimPrefix(m[4], ".")} {
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n > maxFormatted {
			return "", unsupported("a width or precision of %s", text)
		}
		*[]*int{&d.width, &d.precision}[i] = n
	}
	if err := d.check(); err != nil {
		return "", formatError(f.text, err.Error(), d.text)
	}
	if d.verb == 'n' && !d.time {
		return "\n", nil
	}
	if d.verb == '%' && !d.time {
		return d.pad("%"), nil
	}
	a, ok := f.arg(d)
	if !ok {
		return "", formatError(f.text, "MissingFormatArgument", "Format specifier '"+d.text+"'")
	}
	s, err := f.write(d, a)
	if err != nil {
		return "", err
	}
	if d.upper() || d.time && m[5] == "T" {
		s = cases.Upper(language.Und).String(s)
	}
	return d.pad(s), nil
}

// problem is the name of a wrong combination of flags.
type problem string

func (p problem) Error() string { return string(p) }

func (d *directive) check() error {
	for i := range len(d.flags) {
		if strings.Count(d.flags, d.flags[i:i+1]) > 1 {
			return problem("DuplicateFormatFlags")
		}
	}
	switch {
	case d.has("-") && d.has("0"), d.has("+") && d.has(" "):
		return problem("IllegalFormatFlags")
	case (d.has("-") || d.has("0")) && d.width < 0:
		return problem("MissingFormatWidth")
	}
	forbidden, precise := "", true
	switch {
	case d.time:
		forbidden, precise = "#+ 0,(", false
	case strings.IndexByte("sSbBhH", d.verb) >= 0:
		forbidden = "#+ 0,("
	case d.verb == 'd':
		forbidden, precise = "#", false
	case strings.IndexByte("oxX", d.verb) >= 0:
		forbidden, precise = "+ ,(", false
	case d.verb == 'e' || d.verb == 'E':
		forbidden = ","
	case d.verb == 'g' || d.verb == 'G':
		forbidden = "#"
	case d.verb == 'f':
	case d.verb == '%' || d.verb == 'n':
		forbidden, precise = "#+ 0,(", false
		if d.verb == 'n' && d.width >= 0 {
			return problem("IllegalFormatWidth")
		}
	}
	if strings.ContainsAny(d.flags, forbidden) {
		return problem("FormatFlagsConversionMismatch")
	}
	if !precise && d.precision >= 0 {
		return problem("IllegalFormatPrecision")
	}
	return nil
}

// arg finds the argument of a directive.
func (f *formatter) arg(d *directive) (formatArg, bool) {
	switch {
	case d.index > 0:
		f.last = d.index
	case d.index == 0:
		f.next++
		f.last = f.next
	}
	if f.last < 1 || f.last > len(f.args) {
		return formatArg{}, false
	}
	text, ok := f.args[f.last-1].(string)
	if !ok || text == "" {
		return formatArg{kind: 'n', text: "null"}, true
	}
	return formatArg{kind: text[0], text: text[1:]}, true
}

// pad adds spaces up to the width.
func (d *directive) pad(s string) string {
	n := d.width - len(utf16.Encode([]rune(s)))
	switch {
	case n <= 0:
		return s
	case d.has("-"):
		return s + strings.Repeat(" ", n)
	}
	return strings.Repeat(" ", n) + s
}

// javaTypes are the classes that Java's messages name.
var javaTypes = map[byte]string{
	'i': "java.lang.Long", 'f': "java.lang.Double", 'r': "java.lang.Float", 'd': "java.math.BigDecimal", 'b': "java.lang.Boolean",
	's': "java.lang.String", 'D': "java.time.LocalDate", 'T': "java.time.LocalDateTime", 'O': "java.time.LocalTime",
}

func (f *formatter) write(d *directive, a formatArg) (string, error) {
	mismatch := func() error {
		return formatError(f.text, "IllegalFormatConversion", string(d.verb)+" != "+javaTypes[a.kind])
	}
	if d.time {
		return f.writeTime(d, a)
	}
	switch verb := d.verb | 0x20; {
	case verb == 'b':
		return d.cut(strconv.FormatBool(a.kind != 'n' && (a.kind != 'b' || a.text == "true"))), nil
	case strings.IndexByte("sdoxefghc", verb) < 0 || strings.IndexByte("DOFC", d.verb) >= 0:
		return "", formatError(f.text, "UnknownFormatConversion", "Conversion = '"+string(d.verb)+"'")
	case a.kind == 'n':
		return d.cut("null"), nil
	case verb == 's':
		return d.cut(a.string()), nil
	case verb == 'h' && a.kind == 's':
		return d.cut(strconv.FormatUint(uint64(hashCode(a.text)), 16)), nil
	case verb == 'h':
		return "", unsupported("format with %%h of a value that is no text")
	case verb == 'c':
		return "", mismatch()
	case strings.IndexByte("dox", verb) >= 0:
		n, err := strconv.ParseInt(a.text, 10, 64)
		if a.kind != 'i' || err != nil {
			return "", mismatch()
		}
		return d.integer(n), nil
	case strings.IndexByte("frd", a.kind) < 0:
		return "", mismatch()
	}
	return d.number(a), nil
}

// cut limits a text to the precision, in Java's characters.
func (d *directive) cut(s string) string {
	if d.precision < 0 {
		return s
	}
	units := utf16.Encode([]rune(s))
	return string(utf16.Decode(units[:min(d.precision, len(units))]))
}

// hashCode is Java's hash of a string.
func hashCode(s string) uint32 {
	h := uint32(0)
	for _, c := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(c)
	}
	return h
}
