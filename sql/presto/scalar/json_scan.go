package scalar

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads JSON token by token, as Jackson's streaming parser: what comes
// after the value that is asked for is not looked at.
type scanner struct {
	text   string
	at     int
	bad    bool
	inside bool // an array or object has begun
}

// maxNested limits the nesting of arrays and objects, as in Jackson.
const maxNested = 1000

func (s *scanner) space() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// peek returns the next byte after spaces, 0 at the end.
func (s *scanner) peek() byte {
	if s.space(); s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) fail() { s.bad, s.at = true, len(s.text) }

func (s *scanner) take(c byte) bool {
	if s.peek() == c && s.at < len(s.text) {
		s.at++
		return true
	}
	return false
}

// object calls f for each key; f reads the value and reports whether to continue.
func (s *scanner) object(f func(key string) bool) {
	s.at++
	s.inside = true
	if s.take('}') {
		return
	}
	for !s.bad {
		if s.peek() != '"' {
			s.fail()
			return
		}
		key := s.quoted()
		if !s.take(':') {
			s.fail()
			return
		}
		if s.bad || !f(key) || s.take('}') {
			return
		}
		if !s.take(',') {
			s.fail()
		}
	}
}

// array is object for arrays.
func (s *scanner) array(f func(i int) bool) {
	s.at++
	s.inside = true
	if s.take(']') {
		return
	}
	for i := 0; !s.bad; i++ {
		if !f(i) || s.take(']') {
			return
		}
		if !s.take(',') {
			s.fail()
		}
	}
}

// quoted reads a string.
func (s *scanner) quoted() string {
	s.at++
	start := s.at
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[start : s.at-1]
		case c == '\\':
			return s.escaped(start)
		case c < 0x20:
			s.fail()
			return ""
		}
		s.at++
	}
	s.fail()
	return ""
}

var jsonEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped reads the rest of a string that has an escape. Half a pair of surrogates is kept as Trino writes it, in
// the bytes that UTF-8 forbids.
func (s *scanner) escaped(start int) string {
	out := append([]byte(nil), s.text[start:s.at]...)
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"':
			return string(out)
		case c < 0x20:
			s.fail()
		case c != '\\':
			out = append(out, c)
		case s.at == len(s.text):
			s.fail()
		case s.text[s.at] == 'u':
			s.at++
			r := s.hex4()
			if utf16.IsSurrogate(r) && strings.HasPrefix(s.text[s.at:], `\u`) {
				before := s.at
				s.at += 2
				if pair := utf16.DecodeRune(r, s.hex4()); pair != utf8.RuneError {
					r = pair
				} else {
					s.at = before
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			e, ok := jsonEscapes[s.text[s.at]]
			if !ok {
				s.fail()
			}
			out = append(out, e)
			s.at++
		}
	}
	s.fail()
	return ""
}

func (s *scanner) hex4() rune {
	if s.at+4 > len(s.text) {
		s.fail()
		return 0
	}
	n, err := strconv.ParseUint(s.text[s.at:s.at+4], 16, 16)
	if err != nil {
		s.fail()
		return 0
	}
	s.at += 4
	return rune(n)
}

// word reads true, false, null or a number; ok is false for anything else.
func (s *scanner) word() (string, bool) {
	start := s.at
	for s.at < len(s.text) && (s.text[s.at] >= 'a' && s.text[s.at] <= 'z' || strings.IndexByte("+-.0123456789E", s.text[s.at]) >= 0) {
		if c := s.text[s.at]; s.text[start] < 'a' && c >= 'a' && c != 'e' {
			break // a letter after a number
		}
		s.at++
	}
	w := s.text[start:s.at]
	if !s.inside && w != "" && w[0] < 'a' && s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) < 0 {
		s.fail() // a number alone ends with a space or the text
		return "", false
	}
	if w == "true" || w == "false" || w == "null" || validNumber(w) {
		return w, true
	}
	s.fail()
	return "", false
}

// validNumber checks a number of JSON.
func validNumber(w string) bool {
	w = strings.TrimPrefix(w, "-")
	whole, rest := cutDigits(w)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		fraction, r := cutDigits(after)
		if fraction == "" {
			return false
		}
		rest = r
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		exponent := strings.TrimPrefix(strings.TrimPrefix(rest[1:], "+"), "-")
		if len(rest)-1-len(exponent) > 1 {
			return false
		}
		return digits(exponent)
	}
	return rest == ""
}

func cutDigits(s string) (digits, rest string) {
	rest = strings.TrimLeft(s, "0123456789")
	return s[:len(s)-len(rest)], rest
}

// skip passes over a value.
func (s *scanner) skip(depth int) {
	if depth > maxNested {
		s.fail()
		return
	}
	switch c := s.peek(); {
	case s.bad:
	case c == '{':
		s.object(func(string) bool { s.skip(depth + 1); return true })
	case c == '[':
		s.array(func(int) bool { s.skip(depth + 1); return true })
	case c == '"':
		s.quoted()
	default:
		s.word()
	}
}

// number writes a number as Trino does: fractions as a double.
func number(w string) string {
	if !strings.ContainsAny(w, ".eE") {
		if strings.TrimLeft(w, "-0") == "" {
			return "0"
		}
		return w
	}
	f, _ := strconv.ParseFloat(w, 64) // out of range it is infinite
	if math.IsInf(f, 0) {
		return `"` + Double(f) + `"`
	}
	return Double(f)
}

// writeText writes a string as Trino does: what is not in the first plane of Unicode as two escapes.
func writeText(out *strings.Builder, s string) {
	out.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteRune(c)
		case c < 0x20:
			if i := strings.IndexByte("\b\f\n\r\t", byte(c)); i >= 0 {
				out.WriteString(`\` + string("bfnrt"[i]))
			} else {
				writeHex(out, c)
			}
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			writeHex(out, high)
			writeHex(out, low)
		default:
			out.WriteRune(c)
		}
	}
	out.WriteByte('"')
}

func writeHex(out *strings.Builder, c rune) {
	h := strings.ToUpper(strconv.FormatUint(uint64(c), 16))
	out.WriteString(`\u` + strings.Repeat("0", 4-len(h)) + h)
}
