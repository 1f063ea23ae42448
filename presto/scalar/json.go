package scalar

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

var jsonFuncs = []Func{
	one("json_parse", ParseJSON),
	two("json_extract", jsonExtract),
	two("json_extract_scalar", jsonExtractScalar),
	one("json_array_length", jsonArrayLength),
	two("json_array_get", jsonArrayGet),
	two("json_array_contains_bigint", func(s string, n int64) (bool, error) {
		return jsonArrayContains(s, func(w string) bool {
			x, err := strconv.ParseInt(w, 10, 64)
			return err == nil && x == n
		}, false)
	}),
	two("json_array_contains_double", func(s string, f float64) (bool, error) {
		return jsonArrayContains(s, func(w string) bool {
			x, err := strconv.ParseFloat(w, 64)
			return err == nil && strings.ContainsAny(w, ".eE") && x == f
		}, false)
	}),
	two("json_array_contains_boolean", func(s string, b bool) (bool, error) {
		return jsonArrayContains(s, func(w string) bool { return w == strconv.FormatBool(b) }, false)
	}),
	two("json_array_contains_varchar", func(s, v string) (bool, error) {
		return jsonArrayContains(s, func(w string) bool { return w == v }, true)
	}),
	two("json_size", jsonSize),
	one("is_json_scalar", isJSONScalar),
}

// ParseJSON checks JSON and writes it as Trino's type json: keys in order, the
// last of equal ones, no spaces, fractions as doubles.
func ParseJSON(text string) (string, error) {
	s := &scanner{text: text}
	var out strings.Builder
	s.canonical(&out, 1)
	if s.bad || s.peek() != 0 || s.at < len(text) {
		return "", invalid("Cannot convert value to JSON: '%s'", text)
	}
	return out.String(), nil
}

// copy writes the next value, with sorted keys or as they are.
func (s *scanner) copy(out *strings.Builder, depth int, object func(out *strings.Builder, depth int)) {
	switch c := s.peek(); {
	case depth > mostNested || s.bad:
		s.fail()
	case c == '{':
		object(out, depth)
	case c == '[':
		out.WriteByte('[')
		s.array(func(i int) bool {
			if i > 0 {
				out.WriteByte(',')
			}
			s.copy(out, depth+1, object)
			return true
		})
		out.WriteByte(']')
	case c == '"':
		writeText(out, s.quoted())
	default:
		if w, ok := s.word(); ok && w[0] < 'a' {
			w = number(w)
			out.WriteString(w)
		} else {
			out.WriteString(w)
		}
	}
}

// canonical writes the next value with sorted keys.
func (s *scanner) canonical(out *strings.Builder, depth int) {
	s.copy(out, depth, func(out *strings.Builder, depth int) {
		values := map[string]string{}
		s.object(func(key string) bool {
			var value strings.Builder
			s.canonical(&value, depth+1)
			values[key] = value.String()
			return true
		})
		keys := make([]string, 0, len(values))
		for k := range values {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, compareUTF16)
		out.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				out.WriteByte(',')
			}
			writeText(out, k)
			out.WriteString(":" + values[k])
		}
		out.WriteByte('}')
	})
}

// compareUTF16 is Java's order of strings.
func compareUTF16(a, b string) int {
	if ascii(a) && ascii(b) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// verbatim writes the next value with its keys as they come.
func (s *scanner) verbatim(out *strings.Builder, depth int) {
	s.copy(out, depth, func(out *strings.Builder, depth int) {
		separator := "{"
		s.object(func(key string) bool {
			out.WriteString(separator)
			separator = ","
			writeText(out, key)
			out.WriteByte(':')
			s.verbatim(out, depth+1)
			return true
		})
		if separator == "{" {
			out.WriteString(separator)
		}
		out.WriteByte('}')
	})
}

func jsonExtract(text, path string) (string, error) {
	p, err := compilePath(path)
	if err != nil {
		return "", err
	}
	s := &scanner{text: text}
	if !s.find(p) {
		return "", errNull
	}
	var out strings.Builder
	s.verbatim(&out, 1)
	if s.bad {
		return "", errNull
	}
	return out.String(), nil
}

func jsonExtractScalar(text, path string) (string, error) {
	p, err := compilePath(path)
	if err != nil {
		return "", err
	}
	s := &scanner{text: text}
	if !s.find(p) {
		return "", errNull
	}
	v, ok := s.scalar()
	if !ok || v.word == "null" && !v.quoted {
		return "", errNull
	}
	return v.word, nil
}

type jsonScalar struct {
	word   string
	quoted bool
}

// scalar reads a value that is neither array nor object.
func (s *scanner) scalar() (jsonScalar, bool) {
	switch s.peek() {
	case '{', '[':
		return jsonScalar{}, false
	case '"':
		v := jsonScalar{s.quoted(), true}
		return v, !s.bad
	}
	w, ok := s.word()
	return jsonScalar{w, false}, ok
}

func jsonArrayLength(text string) (int64, error) {
	s, n := &scanner{text: text}, int64(0)
	if s.peek() != '[' {
		return 0, errNull
	}
	s.array(func(int) bool { n++; s.skip(1); return true })
	if s.bad {
		return 0, errNull
	}
	return n, nil
}

// jsonArrayGet gives strings without quotes, as Trino does, although they are no JSON.
func jsonArrayGet(text string, n int64) (string, error) {
	if n < 0 {
		length, err := jsonArrayLength(text)
		if err != nil || n == math.MinInt64 || -n > length {
			return "", errNull
		}
		n += length
	}
	s := &scanner{text: text}
	if s.peek() != '[' {
		return "", errNull
	}
	found := false
	s.array(func(i int) bool {
		if found = int64(i) == n; !found {
			s.skip(1)
		}
		return !found
	})
	if !found || s.bad {
		return "", errNull
	}
	if c := s.peek(); c != '{' && c != '[' {
		v, ok := s.scalar()
		if !ok || v.word == "null" && !v.quoted {
			return "", errNull
		}
		return v.word, nil
	}
	var out strings.Builder
	s.verbatim(&out, 1)
	if s.bad {
		return "", errNull
	}
	return out.String(), nil
}

func jsonArrayContains(text string, is func(word string) bool, quoted bool) (bool, error) {
	s, found := &scanner{text: text}, false
	if s.peek() != '[' {
		return false, errNull
	}
	s.array(func(int) bool {
		if c := s.peek(); c == '{' || c == '[' {
			s.skip(1)
			return true
		}
		v, ok := s.scalar()
		found = ok && v.quoted == quoted && is(v.word)
		return !found
	})
	if s.bad {
		return false, errNull
	}
	return found, nil
}

func jsonSize(text, path string) (int64, error) {
	p, err := compilePath(path)
	if err != nil {
		return 0, err
	}
	s, n := &scanner{text: text}, int64(0)
	if !s.find(p) {
		return 0, errNull
	}
	switch s.peek() {
	case '{':
		s.object(func(string) bool { n++; s.skip(1); return true })
	case '[':
		s.array(func(int) bool { n++; s.skip(1); return true })
	default:
		s.skip(1)
	}
	if s.bad {
		return 0, errNull
	}
	return n, nil
}

func isJSONScalar(text string) (bool, error) {
	s := &scanner{text: text}
	c := s.peek()
	s.skip(1)
	if s.bad || s.peek() != 0 || s.at < len(text) {
		return false, invalid("Invalid JSON value: %s", text)
	}
	return c != '{' && c != '[', nil
}
