// Package encode writes values of results as text and JSON.
package encode

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Object is a struct or a map: its members in their order.
type Object []Member

// Member is one of them.
type Member struct {
	Name  string
	Value any
}

// AppendJSON writes a value of a result as JSON on one line. Numbers are
// exact; the floats that JSON has no number for are the texts NaN, Infinity
// and -Infinity.
func AppendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return appendQuoted(dst, v)
	case float64:
		return appendFloat(dst, v, 64, true)
	case float32:
		return appendFloat(dst, float64(v), 32, true)
	case json.RawMessage:
		return appendCompact(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSON(dst, e)
		}
		return append(dst, ']')
	case Object:
		return v.AppendJSON(dst)
	}
	return AppendText(dst, v)
}

// AppendJSON writes the object on one line.
func (o Object) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, m.Name), ':')
		dst = AppendJSON(dst, m.Value)
	}
	return append(dst, '}')
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) { return o.AppendJSON(nil), nil }

// AppendText writes a value as a cell of a table or CSV file; null is empty,
// arrays and objects are JSON.
func AppendText(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return dst
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case uint64:
		return strconv.AppendUint(dst, v, 10)
	case *big.Int:
		return v.Append(dst, 10)
	case float64:
		return appendFloat(dst, v, 64, false)
	case float32:
		return appendFloat(dst, float64(v), 32, false)
	case string:
		return append(dst, v...)
	case json.RawMessage:
		return append(dst, v...)
	}
	return AppendJSON(dst, v)
}

// Key returns the key of a map as text.
func Key(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	name := string(AppendText(nil, v))
	switch v.(type) {
	case float32, float64:
		if !strings.ContainsAny(name, ".eEIN") {
			name += ".0" // as Presto and DuckDB write a double as text
		}
	}
	return name
}

func appendFloat(dst []byte, f float64, bits int, quoted bool) []byte {
	name := ""
	switch {
	case math.IsNaN(f):
		name = "NaN"
	case math.IsInf(f, 1):
		name = "Infinity"
	case math.IsInf(f, -1):
		name = "-Infinity"
	case f == 0 || math.Abs(f) >= 1e-6 && math.Abs(f) < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, bits)
	default:
		return strconv.AppendFloat(dst, f, 'e', -1, bits)
	}
	if quoted {
		return append(append(append(dst, '"'), name...), '"')
	}
	return append(dst, name...)
}

// appendCompact writes JSON without the blanks and line ends it may have.
func appendCompact(dst []byte, raw json.RawMessage) []byte {
	b := bytes.NewBuffer(dst)
	if err := json.Compact(b, raw); err != nil {
		return appendQuoted(dst, string(raw))
	}
	return b.Bytes()
}

// appendQuoted writes a JSON string; text that is not UTF-8 gets U+FFFD.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0
	for plain < len(s) && s[plain] >= ' ' && s[plain] < 0x7f && s[plain] != '"' && s[plain] != '\\' {
		plain++
	}
	dst = append(dst, s[:plain]...)
	for _, c := range s[plain:] {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', byte(c))
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < ' ' || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = utf8.AppendRune(dst, c)
		}
	}
	return append(dst, '"')
}
