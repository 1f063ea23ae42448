package scalar

import (
	"slices"
	"strings"
	"unicode/utf16"
)

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
	case depth > maxNested || s.bad:
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
		keys, values := s.members(depth, s.canonical)
		slices.SortFunc(keys, compareUTF16)
		writeObject(out, keys, values)
	})
}

// unique writes the next value with its keys as they come, the last of equal ones.
func (s *scanner) unique(out *strings.Builder, depth int) {
	s.copy(out, depth, func(out *strings.Builder, depth int) {
		keys, values := s.members(depth, s.unique)
		writeObject(out, keys, values)
	})
}

// members reads an object; values are written.
func (s *scanner) members(depth int, write func(*strings.Builder, int)) (keys []string, values map[string]string) {
	values = map[string]string{}
	s.object(func(key string) bool {
		var value strings.Builder
		write(&value, depth+1)
		if _, known := values[key]; !known {
			keys = append(keys, key)
		}
		values[key] = value.String()
		return true
	})
	return keys, values
}

func writeObject(out *strings.Builder, keys []string, values map[string]string) {
	out.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			out.WriteByte(',')
		}
		writeText(out, k)
		out.WriteString(":" + values[k])
	}
	out.WriteByte('}')
}

// compareUTF16 is Java's order of strings.
func compareUTF16(a, b string) int {
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
