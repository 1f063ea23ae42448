package lexer

import (
	"strings"
	"unicode/utf8"
)

// Letter reports whether a name may begin with an ASCII character.
func Letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// Digit reports whether an ASCII character is a digit.
func Digit(c byte) bool { return c >= '0' && c <= '9' }

func letterOrDigit(c byte) bool { return Letter(c) || Digit(c) }

// Words returns the runs of letters, digits and _ in a text, in lower case, also those in comments and quotes. A run that
// begins with digits counts with and without them.
func Words(text string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r >= utf8.RuneSelf || !letterOrDigit(byte(r)) }) {
		w = strings.ToLower(w)
		all[w], all[strings.TrimLeft(w, "0123456789")] = true, true
	}
	delete(all, "")
	return all
}

// Span returns the number of leading bytes of s for which part is true.
func Span(s string, part func(byte) bool) int {
	n := 0
	for n < len(s) && part(s[n]) {
		n++
	}
	return n
}

// maxParameter is the maximum length of a parameter in bytes.
const maxParameter = 200

// parameter returns the number of bytes of the {{name}} that s begins with, 0 if there is none. It has only characters
// that are never part of the end of a text, name or comment.
func parameter(s string) int {
	if !strings.HasPrefix(s, "{{") {
		return 0
	}
	n := 2 + Span(s[2:], func(c byte) bool { return letterOrDigit(c) || strings.IndexByte(". \t\r\f\v", c) >= 0 })
	if n+2 > maxParameter || !strings.HasPrefix(s[n:], "}}") {
		return 0
	}
	return n + 2
}

// number returns the number of bytes of the number of DuckDB's SQL that s begins with, without letters that begin a text.
func number(s string) int {
	n := Span(s, func(c byte) bool { return Digit(c) || c == '_' || c == '.' })
	if n < len(s) && s[n]|0x20 == 'e' {
		exponent := strings.TrimLeft(s[n+1:min(n+2, len(s))], "+-")
		if m := n + 2 - len(exponent); m < len(s) && Digit(s[m]) {
			return m + Span(s[m:], func(c byte) bool { return Digit(c) || c == '_' })
		}
	}
	if s[0] == '0' && n == 1 && n < len(s) && strings.IndexByte("xXbBoO", s[n]) >= 0 {
		if m := n + 1 + Span(s[n+1:], func(c byte) bool { return Digit(c) || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'f' }); m > n+1 {
			return m
		}
	}
	return n
}

// prestoNumber returns the number of bytes of the number of Presto's SQL that s begins with. Letters and digits behind it
// belong to it, unless it has a point and no exponent: package syntax refuses them.
func prestoNumber(s string) int {
	n, decimal := digits(s, 0), false
	if n < len(s) && s[n] == '.' {
		n, decimal = digits(s, n+1), true
	}
	if e := exponent(s, n); e > n {
		n, decimal = e, false
	}
	if decimal {
		return n
	}
	return n + Span(s[n:], letterOrDigit)
}

// digits returns the end of the digits at from, which may have single underscores between them.
func digits(s string, from int) int {
	n := from
	for n < len(s) && (Digit(s[n]) || n > from && s[n] == '_' && n+1 < len(s) && Digit(s[n+1])) {
		n++
	}
	return n
}

// exponent returns the end of the exponent at from, or from.
func exponent(s string, from int) int {
	n := from
	if n >= len(s) || s[n]|0x20 != 'e' {
		return from
	}
	if n++; n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	if digits := Span(s[n:], Digit); digits > 0 {
		return n + digits
	}
	return from
}

// dollarTag returns the $$ or $name$ that s begins with, "" if there is none.
func dollarTag(s string) string {
	if len(s) > 1 && Digit(s[1]) {
		return ""
	}
	n := 1 + Span(s[1:], func(c byte) bool { return letterOrDigit(c) || c >= utf8.RuneSelf })
	if n < len(s) && s[n] == '$' {
		return s[:n+1]
	}
	return ""
}

// until returns the token that ends after the next occurrence of end.
func (s *scanner) until(kind Kind, start, from int, end string) Token {
	if n := strings.Index(s.sql[from:], end); n >= 0 {
		return Token{kind, start, from + n + len(end), false}
	}
	return Token{kind, start, len(s.sql), true}
}

// nestedComment returns the comment at start, which may contain other comments.
func (s *scanner) nestedComment(start int) Token {
	for at, depth := start, 0; at < len(s.sql); {
		switch {
		case strings.HasPrefix(s.sql[at:], "/*"):
			depth++
			at += 2
		case strings.HasPrefix(s.sql[at:], "*/"):
			at += 2
			if depth--; depth == 0 {
				return Token{Comment, start, at, false}
			}
		default:
			at++
		}
	}
	return Token{Comment, start, len(s.sql), true}
}

// escaped returns the E'…' at start. After a line break it continues in another text, with the same escapes.
func (s *scanner) escaped(start int) Token {
	t := s.quoted(Text, start, start+2, true)
	for !t.Open {
		at := t.End + Span(s.sql[t.End:], func(c byte) bool { return strings.IndexByte(" \t\r\n\f\v", c) >= 0 })
		if !strings.ContainsAny(s.sql[t.End:at], "\r\n") || !strings.HasPrefix(s.sql[at:], "'") {
			break
		}
		t = s.quoted(Text, start, at+1, true)
	}
	return t
}

// quoted returns the token whose opening quote is before from. It ends after the next quote that is neither doubled
// nor, if escapes is set, escaped.
func (s *scanner) quoted(kind Kind, start, from int, escapes bool) Token {
	quote := s.sql[from-1]
	for at := from; at < len(s.sql); at++ {
		switch {
		case escapes && s.sql[at] == '\\':
			at++
		case s.sql[at] != quote:
		case at+1 < len(s.sql) && s.sql[at+1] == quote:
			at++
		default:
			return Token{kind, start, at + 1, false}
		}
	}
	return Token{kind, start, len(s.sql), true}
}
