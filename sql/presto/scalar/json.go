package scalar

import (
	"math"
	"strconv"
	"strings"
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

// jsonArrayGet returns strings without quotes, as Trino does, although they are no JSON.
func jsonArrayGet(text string, n int64) (string, error) {
	fromEnd := n < 0
	if fromEnd {
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
	if fromEnd {
		s.unique(&out, 1)
	} else {
		s.verbatim(&out, 1)
	}
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
