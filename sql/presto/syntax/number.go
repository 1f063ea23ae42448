package syntax

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquote returns the content of a token in quotes.
func unquote(text string, quote string) string {
	return strings.ReplaceAll(text[1:len(text)-1], quote+quote, quote)
}

// binary returns the bytes of X'6568'.
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

// unescape returns the text of U&'…' with its escapes \XXXX and \+XXXXXX decoded.
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
