package query

import (
	"fmt"
	"strings"
)

// timeFormat translates a call whose second argument is a format: DuckDB's
// strptime wants a constant one. The try_ form is used for parsing, so that a
// condition on a parsed partition column still keeps other partitions closed
// (a function that can fail does not); text that does not parse gives null.
func timeFormat(to string, translate func(string) (string, error)) rewriteCall {
	return func(r *rewriter, c call) int {
		if len(c.args) != 2 {
			return 0
		}
		at := c.args[1][0]
		if c.args[1][1] != at+1 || r.toks[at].kind != tokString || r.text(at)[0] != '\'' {
			r.fail(at, r.text(c.name)+" with a format that is not a constant", "write the format as 'text'")
			return 0
		}
		format, err := translate(unquote(r.text(at)))
		if err != nil {
			r.fail(at, r.text(c.name)+" format: "+err.Error(), "")
			return 0
		}
		r.start(c, to)
		r.emit(c.open)
		r.arg(c, 0)
		r.emit(c.args[1][0] - 1)
		r.lead(at)
		r.write(quoteText(format), at)
		r.emit(c.close)
		return c.close + 1
	}
}

// unquote gives the text of a string token.
func unquote(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "'"), "'")
	return strings.ReplaceAll(s, "''", "'")
}

// mysqlSpecifiers are the specifiers of MySQL's date_format that Presto reads
// and how DuckDB writes them.
var mysqlSpecifiers = map[byte]string{
	'a': "%a", 'b': "%b", 'c': "%-m", 'd': "%d", 'e': "%-d", 'f': "%f", 'H': "%H", 'h': "%I", 'I': "%I",
	'i': "%M", 'j': "%j", 'k': "%-H", 'l': "%-I", 'M': "%B", 'm': "%m", 'p': "%p", 'r': "%I:%M:%S %p",
	'S': "%S", 's': "%S", 'T': "%H:%M:%S", 'v': "%V", 'W': "%A", 'x': "%G", 'Y': "%Y", 'y': "%y", '%': "%%",
}

// mysqlFormat translates a format of date_parse and date_format.
func mysqlFormat(format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch to, ok := mysqlSpecifiers[format[i]]; {
		case ok:
			b.WriteString(to)
		case strings.IndexByte("DUuVwX", format[i]) >= 0:
			return "", fmt.Errorf("%%%c has no meaning in Presto", format[i])
		default:
			b.WriteByte(format[i])
		}
	}
	return b.String(), nil
}

// jodaSpecifiers are the letters of Joda-Time's patterns, by how often they
// are repeated; the last form serves longer runs.
var jodaSpecifiers = map[byte][]string{
	'y': {"%Y", "%y", "%Y"}, 'Y': {"%Y", "%y", "%Y"}, 'x': {"%G"}, 'w': {"%V"}, 'e': {"%u"}, 'D': {"%j"},
	'M': {"%-m", "%m", "%b", "%B"}, 'd': {"%-d", "%d"}, 'E': {"%a", "%a", "%a", "%A"}, 'a': {"%p"},
	'H': {"%-H", "%H"}, 'h': {"%-I", "%I"}, 'm': {"%-M", "%M"}, 's': {"%-S", "%S"},
	'S': {"%g", "%g", "%g", "%f"}, 'Z': {"%z"}, 'z': {"%Z"},
}

// jodaFormat translates a format of parse_datetime and format_datetime.
func jodaFormat(format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); {
		c := format[i]
		n := repeats(format[i:])
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		forms, ok := jodaSpecifiers[c]
		switch {
		case ok:
			b.WriteString(forms[min(n, len(forms))-1])
		case c == '\'':
			text, size := jodaText(format[i:])
			b.WriteString(strings.ReplaceAll(text, "%", "%%"))
			n = size
		case letter:
			return "", fmt.Errorf("the letter %c is not known", c)
		default:
			b.WriteString(strings.Repeat(strings.ReplaceAll(format[i:i+1], "%", "%%"), n))
		}
		i += n
	}
	return b.String(), nil
}

// repeats counts how often the first byte of s repeats.
func repeats(s string) int {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

// jodaText reads 'text' at the start of s; two quotes inside are one, and
// alone they are a quote.
func jodaText(s string) (text string, size int) {
	i := 1
	var b strings.Builder
	for i < len(s) {
		if s[i] == '\'' {
			if i+1 >= len(s) || s[i+1] != '\'' {
				break
			}
			i++
		}
		b.WriteByte(s[i])
		i++
	}
	if b.Len() == 0 {
		b.WriteByte('\'')
	}
	return b.String(), min(i+1, len(s))
}
