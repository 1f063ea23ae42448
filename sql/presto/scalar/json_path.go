package scalar

import (
	"strings"
	"sync"
	"unicode"
)

// jsonPath is a path such as $.a["b c"][0]: its steps. A step that is a number takes
// an element of an array or a member of an object.
type jsonPath []string

// parsePath reads a path as Trino's json_extract does.
func parsePath(text string) (jsonPath, error) {
	rest, ok := strings.CutPrefix(text, "$")
	path := jsonPath{}
	for ok && rest != "" {
		var step string
		switch {
		case strings.HasPrefix(rest, `["`):
			step, rest, ok = quotedStep(rest[2:])
		case rest[0] == '[':
			step, rest, ok = strings.Cut(rest[1:], "]")
			ok = ok && plainStep(step)
		case rest[0] == '.':
			n := strings.IndexAny(rest[1:], ".[")
			if n < 0 {
				n = len(rest) - 1
			}
			step, rest = rest[1:n+1], rest[n+1:]
			ok = plainStep(step)
		default:
			ok = false
		}
		path = append(path, step)
	}
	if !ok {
		return nil, invalid("Invalid JSON path: '%s'", text)
	}
	return path, nil
}

func plainStep(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return c != '_' && c != ':' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
}

// quotedStep reads up to the closing quote and bracket; a backslash quotes a quote or a backslash.
func quotedStep(s string) (step, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			if i++; s[i] != '"' && s[i] != '\\' {
				return "", "", false
			}
			b.WriteByte(s[i])
		case s[i] == '"':
			after, found := strings.CutPrefix(s[i+1:], "]")
			return b.String(), after, found
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// index returns the step as the index of an array, -1 if it is none.
func index(step string) int {
	n := 0
	for _, c := range []byte(step) {
		if c < '0' || c > '9' || n > 1<<30 {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	if step == "" {
		return -1
	}
	return n
}

var paths sync.Map // text: jsonPath

func compilePath(text string) (jsonPath, error) {
	if p, ok := paths.Load(text); ok {
		return p.(jsonPath), nil
	}
	p, err := parsePath(text)
	if err == nil && len(text) < 1000 {
		paths.Store(text, p)
	}
	return p, err
}

// find moves to the value at the path; false if there is none.
func (s *scanner) find(path jsonPath) bool {
	for _, step := range path {
		found := false
		switch s.peek() {
		case '{':
			s.object(func(key string) bool {
				if found = key == step; !found {
					s.skip(1)
				}
				return !found
			})
		case '[':
			n := index(step)
			s.array(func(i int) bool {
				if found = i == n; !found {
					s.skip(1)
				}
				return !found
			})
		}
		if !found || s.bad {
			return false
		}
	}
	return s.peek() != 0
}
