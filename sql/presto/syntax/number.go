package syntax

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number takes 12, 1_000, 0xff, 0o17, 0b101, 1.5, .5, 5., 1e3 and 1.5E-3.
func (l *lexer) number() {
	rest := l.text[l.at:]
	if len(rest) > 2 && rest[0] == '0' && strings.IndexByte("xXoObB", rest[1]) >= 0 {
		n := span(rest, 2, func(c byte) bool { return letter(c) || digit(c) })
		if _, err := strconv.ParseUint(rest[:n], 0, 64); err != nil {
			fail(Span{l.at, l.at + n}, "", "%s is not a number", rest[:n])
		}
		l.add(kindInteger, n, "")
		return
	}
	k, n := kindInteger, digits(rest, 0)
	if n < len(rest) && rest[n] == '.' {
		k, n = kindDecimal, digits(rest, n+1)
	}
	if e := exponent(rest, n); e > n {
		k, n = kindDouble, e
	}
	if k != kindDecimal && n < len(rest) && letter(rest[n]) {
		end := span(rest, n, func(c byte) bool { return letter(c) || digit(c) })
		fail(Span{l.at, l.at + end}, `write it in double quotes: "`+rest[:end]+`"`, "a name cannot begin with a digit")
	}
	l.add(k, n, "")
}

func span(s string, from int, f func(byte) bool) int {
	for from < len(s) && f(s[from]) {
		from++
	}
	return from
}

// digits gives the end of the digits at from, which may have single underscores
// between them.
func digits(s string, from int) int {
	n := from
	for n < len(s) && (digit(s[n]) || n > from && s[n] == '_' && n+1 < len(s) && digit(s[n+1])) {
		n++
	}
	return n
}

// exponent gives the end of the exponent at from, or from.
func exponent(s string, from int) int {
	n := from
	if n >= len(s) || s[n]|0x20 != 'e' {
		return from
	}
	if n++; n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	if end := span(s, n, digit); end > n {
		return end
	}
	return from
}

// unquote gives the content of a token in quotes.
func unquote(text string, quote string) string {
	return strings.ReplaceAll(text[1:len(text)-1], quote+quote, quote)
}

// binary gives the bytes of X'6568'.
func binary(t token, text string) []byte {
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, text[2:len(text)-1])
	b, err := hex.DecodeString(digits)
	if err != nil {
		fail(t, "", "a binary literal holds pairs of hexadecimal digits: X'65683F'")
	}
	return b
}

// unescape gives the text of U&'…' with its escapes \XXXX and \+XXXXXX decoded.
func unescape(t token, s string, escape rune) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r != escape {
			b.WriteRune(r)
			continue
		}
		if strings.HasPrefix(s[i:], string(escape)) {
			b.WriteRune(escape)
			i += n
			continue
		}
		width := 4
		if strings.HasPrefix(s[i:], "+") {
			width = 6
			i++
		}
		if i+width > len(s) {
			fail(t, "", "an escape of a character has 4 digits, or + and 6 digits")
		}
		c, err := strconv.ParseUint(s[i:i+width], 16, 32)
		if err != nil || c == 0 || c > utf8.MaxRune || !utf8.ValidRune(rune(c)) {
			fail(t, "", "%q is no character", s[i:i+width])
		}
		b.WriteRune(rune(c))
		i += width
	}
	return b.String()
}
