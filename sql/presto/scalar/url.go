package scalar

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

var urlFuncs = []Func{
	one("url_extract_protocol", func(s string) (string, error) { return urlPart(s, func(u *uri) string { return u.scheme }) }),
	one("url_extract_host", func(s string) (string, error) { return urlPart(s, func(u *uri) string { return u.host }) }),
	one("url_extract_port", urlPort),
	one("url_extract_path", func(s string) (string, error) { return urlPart(s, func(u *uri) string { return unescape(u.path) }) }),
	one("url_extract_query", func(s string) (string, error) { return urlPart(s, func(u *uri) string { return unescape(u.query) }) }),
	one("url_extract_fragment", func(s string) (string, error) { return urlPart(s, func(u *uri) string { return unescape(u.fragment) }) }),
	two("url_extract_parameter", urlParameter),
	one("url_encode", func(s string) (string, error) { return urlEncode.Replace(url.QueryEscape(s)), nil }),
	one("url_decode", urlDecode),
}

// urlEncode makes Go's encoding Java's.
var urlEncode = strings.NewReplacer("~", "%7E", "%2A", "*")

// urlDecode returns the decoding of Java's URLDecoder.
func urlDecode(s string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			out.WriteByte(' ')
		case '%':
			if i+2 >= len(s) {
				return "", invalid("URLDecoder: Incomplete trailing escape (%%) pattern")
			}
			b, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil || s[i+1] == '+' || s[i+1] == '-' {
				return "", invalid("URLDecoder: Illegal hex characters in escape (%%) pattern - Error at index 0 in: %q", s[i+1:i+3])
			}
			out.WriteByte(byte(b))
			i += 2
		default:
			out.WriteByte(s[i])
		}
	}
	return javaUTF8(out.String()), nil
}

// javaUTF8 replaces what is not UTF-8 as Java's decoder does: each maximal beginning of a character by one U+FFFD.
func javaUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for s != "" {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			n = maximalPart(s)
		}
		out.WriteRune(c)
		s = s[n:]
	}
	return out.String()
}

// maximalPart returns the length of the longest beginning of a character, at least 1.
func maximalPart(s string) int {
	if len(s) > 2 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2]&0xc0 == 0x80 { // half a pair of surrogates
		return 3
	}
	for n := min(3, len(s)); n > 1; n-- {
		for _, tail := range []string{"\x80", "\x80\x80", "\x90\x80", "\xa0", "\xbf\xbf"} {
			if c, size := utf8.DecodeRuneInString(s[:n] + tail); c != utf8.RuneError && size == n+len(tail) {
				return n
			}
		}
	}
	return 1
}

// unescape decodes the escapes of a part of a URL.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	decoded, err := url.PathUnescape(s)
	if err != nil {
		return s
	}
	return javaUTF8(decoded)
}

func urlPart(s string, part func(*uri) string) (string, error) {
	u := parseURI(s)
	if u == nil {
		return "", errNull
	}
	return part(u), nil
}

func urlPort(s string) (int64, error) {
	u := parseURI(s)
	if u == nil || u.port < 0 {
		return 0, errNull
	}
	return u.port, nil
}

func urlParameter(s, name string) (string, error) {
	u := parseURI(s)
	if u == nil || !u.question {
		return "", errNull
	}
	for _, p := range strings.Split(u.query, "&") {
		key, value, _ := strings.Cut(p, "=")
		if key == name {
			return urlDecode(value)
		}
	}
	return "", errNull
}
