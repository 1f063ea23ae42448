package ping

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Value is a value of a scanned document. It is usable as long as the document's bytes do not change. The zero
// Value is missing.
type Value struct {
	d *Doc
	span
}

// ValueKind is the JSON type of a value.
type ValueKind uint8

// The kinds of values.
const (
	Missing ValueKind = iota
	Null
	Bool
	Number
	String
	Object
	Array
)

// Kind returns the JSON type. An invalid literal reads as a number that fits no type.
func (v Value) Kind() ValueKind {
	if v.end == 0 {
		return Missing
	}
	switch v.d.b[v.start] {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Raw returns the value's bytes in the document, nil if it is missing.
func (v Value) Raw() []byte {
	if v.end == 0 {
		return nil
	}
	return v.d.b[v.start:v.end]
}

// Bool applies rule B: it accepts true and false only.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	switch string(v.Raw()) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// Int64 applies rule L: it accepts an integer of 64 bits, cuts a fraction toward zero, and rejects everything
// else.
func (v Value) Int64() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	return parseLong(v.Raw())
}

// Int32 applies rule I: rule L with 32 bits.
func (v Value) Int32() (int32, bool) { return narrow(v.Int64()) }

// Integer64 reads an integer token of 64 bits; it rejects 2.0.
func (v Value) Integer64() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	return parseInteger(v.Raw())
}

// IsInteger reports whether the value is an integer token, of any size.
func (v Value) IsInteger() bool { return v.Kind() == Number && isInteger(v.Raw()) }

// Integer32 applies rule J: it reads an integer token of 32 bits.
func (v Value) Integer32() (int32, bool) { return narrow(v.Integer64()) }

func narrow(n int64, ok bool) (int32, bool) {
	if !ok || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, false
	}
	return int32(n), true
}

// Float64 reads a number as a double; it rejects one that is too large.
func (v Value) Float64() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return f, err == nil
}

// Text applies rule S: it returns a string without change, an integer as its digits, and a fraction as Java
// writes a double. The text points into the document if possible; otherwise it is appended to dst.
func (v Value) Text(dst []byte) ([]byte, bool) {
	switch v.Kind() {
	case String:
		return v.Str(dst)
	case Number:
		return numberText(dst, v.Raw())
	}
	return nil, false
}

// Str works like Text, for strings only.
func (v Value) Str(dst []byte) ([]byte, bool) {
	if v.Kind() != String || v.end-v.start < 2 {
		return nil, false
	}
	return v.d.unquoted(int(v.start)+1, int(v.end)-1, dst), true
}

// unquoted returns the text of a string's inner bytes, b[from:to].
func (d *Doc) unquoted(from, to int, dst []byte) []byte {
	s := d.b[from:to]
	if d.flags&backslash == 0 || !d.escapes(from, to) {
		return s[:len(s):len(s)]
	}
	n := len(dst)
	return unescape(dst, s)[n:]
}

// parseInteger reads [-]digits that fit 64 bits; otherwise it returns 0, false.
func parseInteger(b []byte) (int64, bool) {
	neg := len(b) > 0 && b[0] == '-'
	digits := b
	if neg {
		digits = b[1:]
	}
	if len(digits) == 0 || len(digits) > 19 {
		return 0, false
	}
	var n uint64
	for _, c := range digits {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	switch {
	case neg && n <= 1<<63:
		return -int64(n), true
	case !neg && n <= math.MaxInt64:
		return int64(n), true
	}
	return 0, false
}

func parseLong(b []byte) (int64, bool) {
	if n, ok := parseInteger(b); ok {
		return n, true
	}
	if !bytes.ContainsAny(b, ".eE") {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if f = math.Trunc(f); err != nil || f < -1<<63 || f >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// isInteger reports whether b is [-]digits.
func isInteger(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// numberText writes a number by rule S.
func numberText(dst, b []byte) ([]byte, bool) {
	if isInteger(b) {
		if string(b) == "-0" {
			b = b[1:]
		}
		return b[:len(b):len(b)], true
	}
	if !bytes.ContainsAny(b, ".eE") {
		return nil, false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return nil, false
	}
	n := len(dst)
	return appendJavaDouble(dst, f)[n:], true
}

// appendJavaDouble writes a double like Java's Double.toString: plain decimals from 10^-3 up to 10^7, otherwise
// scientific notation, always with a digit after the point.
func appendJavaDouble(dst []byte, f float64) []byte {
	a := math.Abs(f)
	if a == 0 || a >= 1e-3 && a < 1e7 {
		n := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
		if bytes.IndexByte(dst[n:], '.') < 0 {
			dst = append(dst, ".0"...)
		}
		return dst
	}
	mantissa, exponent, _ := bytes.Cut(strconv.AppendFloat(nil, f, 'e', -1, 64), []byte("e"))
	if bytes.IndexByte(mantissa, '.') < 0 { // two digits: the nearest ones, so 5e-324 becomes 4.9E-324
		mantissa, exponent, _ = bytes.Cut(strconv.AppendFloat(nil, f, 'e', 1, 64), []byte("e"))
	}
	dst = append(dst, mantissa...)
	exp, _ := strconv.Atoi(string(exponent))
	return strconv.AppendInt(append(dst, 'E'), int64(exp), 10)
}

// unescape appends the text of a string's inner bytes. A lone surrogate becomes U+FFFD; invalid escapes give
// any text.
func unescape(dst, s []byte) []byte {
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		c := s[i+1]
		if c == 'u' {
			r, n := unicodeEscape(s[i:])
			dst = utf8.AppendRune(dst, r)
			s = s[i+n:]
			continue
		}
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		}
		dst = append(dst, c)
		s = s[i+2:]
	}
	return dst
}

// unicodeEscape reads \uXXXX, or a surrogate pair, at the start of s and returns the number of bytes it read.
func unicodeEscape(s []byte) (rune, int) {
	hi, ok := hex4(s)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6
	}
	if lo, ok := hex4(s[6:]); ok {
		if r := utf16.DecodeRune(hi, lo); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(n), err == nil
}
