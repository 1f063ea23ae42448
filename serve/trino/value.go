package trino

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/query/encode"
)

// appendRow writes a row of a result as a JSON array; the values have the types of columnar.Rows.
func appendRow(b []byte, row []any, all []types.Type, precise bool) []byte {
	b = append(b, '[')
	for i, v := range row {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, v, all[i], precise)
	}
	return append(b, ']')
}

// appendValue writes a value in the protocol's JSON: rows are arrays of their fields, bytes are base64, JSON is text.
func appendValue(b []byte, v any, t types.Type, precise bool) []byte {
	switch v := v.(type) {
	case []any:
		return appendList(b, v, t, precise)
	case encode.Object:
		if t.Kind == types.Row {
			return appendFields(b, v, t, precise)
		}
		return appendMap(b, v, t, precise)
	case json.RawMessage:
		return encode.AppendJSON(b, string(v))
	case string:
		switch {
		case t.Kind == types.Varbinary:
			v = base64.StdEncoding.EncodeToString(columnar.Unescape(v))
		case !precise && t.Is(types.Time, types.Timestamp, types.TimestampTZ):
			v = toMilliseconds(v)
		}
		return encode.AppendJSON(b, v)
	}
	return encode.AppendJSON(b, v)
}

func appendList(b []byte, list []any, t types.Type, precise bool) []byte {
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, e, elem(t, 0), precise)
	}
	return append(b, ']')
}

func appendFields(b []byte, fields encode.Object, t types.Type, precise bool) []byte {
	b = append(b, '[')
	for i, f := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, f.Value, elem(t, i), precise)
	}
	return append(b, ']')
}

func appendMap(b []byte, entries encode.Object, t types.Type, precise bool) []byte {
	b = append(b, '{')
	for i, e := range entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(encode.AppendJSON(b, e.Name), ':')
		b = appendValue(b, e.Value, elem(t, 1), precise)
	}
	return append(b, '}')
}

// elem returns a part of a type, or varchar if it has none.
func elem(t types.Type, i int) types.Type {
	if i < len(t.Elems) {
		return t.Elems[i]
	}
	return types.New(types.Varchar)
}

// toMilliseconds gives a time three digits after the point: 04:05:06.789012 UTC is 04:05:06.789 UTC.
func toMilliseconds(s string) string {
	at := strings.LastIndexByte(s, ':')
	for i := range len(s) - 8 { // the first time of day, not the offset of a zone
		if s[i+2] == ':' && s[i+5] == ':' {
			at = i + 5
			break
		}
	}
	end := at + 3
	if at < 0 || end > len(s) {
		return s
	}
	rest, digits := s[end:], ""
	if strings.HasPrefix(rest, ".") {
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		digits, rest = rest[1:n], rest[n:]
	}
	return s[:end] + "." + (digits + "000")[:milliseconds] + rest
}
