package scalar

import (
	"strconv"
	"strings"
)

// sqlPath is a path of SQL/JSON, such as lax $.a[0 to 2].*
type sqlPath struct {
	strict bool
	steps  []sqlStep
}

// sqlStep is a member (all with star), or elements of an array (all with star).
type sqlStep struct {
	member string
	array  bool
	star   bool
	ranges [][2]int // from the first element, or from the last as ^0, ^1, …
}

// CheckSQLPath gives the error of a path that is wrong or has more than members and elements.
func CheckSQLPath(text string) error {
	_, err := parseSQLPath(text)
	return err
}

func parseSQLPath(text string) (*sqlPath, error) {
	p := &sqlPath{}
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "lax")
	if !ok {
		rest, p.strict = strings.CutPrefix(rest, "strict")
	}
	rest = strings.TrimSpace(rest)
	if !ok && !p.strict || !strings.HasPrefix(rest, "$") {
		return nil, invalid("the path '%s' does not begin with lax $ or strict $", text)
	}
	for rest = strings.TrimSpace(rest[1:]); rest != ""; rest = strings.TrimSpace(rest) {
		var step sqlStep
		if rest, ok = step.read(rest); !ok {
			return nil, unsupported("the path '%s' has more than members such as .a and .*, and elements such as [0], [last], [1 to 2] and [*]",
				text)
		}
		p.steps = append(p.steps, step)
	}
	return p, nil
}

func (step *sqlStep) read(text string) (rest string, ok bool) {
	if inner, found := strings.CutPrefix(text, "["); found {
		inside, after, closed := strings.Cut(inner, "]")
		step.array = true
		return after, closed && step.elements(inside)
	}
	text, found := strings.CutPrefix(text, ".")
	text = strings.TrimSpace(text)
	switch {
	case !found || text == "":
		return "", false
	case text[0] == '*':
		step.star = true
		return text[1:], true
	case text[0] == '"':
		name, after, closed := strings.Cut(text[1:], `"`)
		step.member = name
		return after, closed && !strings.HasPrefix(after, `"`)
	}
	n := 0
	for n < len(text) && (text[n] == '_' || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || n > 0 && text[n] >= '0' && text[n] <= '9') {
		n++
	}
	step.member = text[:n]
	after := strings.TrimSpace(text[n:])
	return after, n > 0 && !strings.HasPrefix(after, "(")
}

func (step *sqlStep) elements(text string) bool {
	if step.star = strings.TrimSpace(text) == "*"; step.star {
		return true
	}
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(part)
		if len(words) != 1 && (len(words) != 3 || words[1] != "to") {
			return false
		}
		from, ok := element(words[0])
		to, okTo := element(words[len(words)-1])
		if !ok || !okTo {
			return false
		}
		step.ranges = append(step.ranges, [2]int{from, to})
	}
	return true
}

func element(word string) (int, bool) {
	if word == "last" {
		return ^0, true
	}
	n, err := strconv.ParseUint(word, 10, 31)
	return int(n), err == nil
}

// jsonNode is a value: o, a, s, n, b or 0 for null, with what it has of keys, parts and text.
type jsonNode struct {
	kind byte
	text string
	keys []string
	kids []*jsonNode
}

// tree reads a value.
func (s *scanner) tree(depth int) *jsonNode {
	n := &jsonNode{kind: '0'}
	switch c := s.peek(); {
	case s.bad || depth > maxNested:
		s.fail()
	case c == '{':
		n.kind = 'o'
		at := map[string]int{}
		s.object(func(key string) bool {
			value := s.tree(depth + 1)
			if i, known := at[key]; known {
				n.kids[i] = value
				return true
			}
			at[key] = len(n.keys)
			n.keys, n.kids = append(n.keys, key), append(n.kids, value)
			return true
		})
	case c == '[':
		n.kind = 'a'
		s.array(func(int) bool { n.kids = append(n.kids, s.tree(depth+1)); return true })
	case c == '"':
		n.kind, n.text = 's', s.quoted()
	default:
		n.text, _ = s.word()
		switch {
		case n.text == "true" || n.text == "false":
			n.kind = 'b'
		case n.text != "null":
			n.kind = 'n'
		}
	}
	return n
}

// write writes a value as Trino does.
func (n *jsonNode) write(out *strings.Builder) {
	switch n.kind {
	case 'o':
		values := map[string]string{}
		for i, k := range n.keys {
			var b strings.Builder
			n.kids[i].write(&b)
			values[k] = b.String()
		}
		writeObject(out, n.keys, values)
	case 'a':
		out.WriteByte('[')
		for i, k := range n.kids {
			if i > 0 {
				out.WriteByte(',')
			}
			k.write(out)
		}
		out.WriteByte(']')
	case 's':
		writeText(out, n.text)
	case 'n':
		out.WriteString(number(n.text))
	default:
		out.WriteString(n.text)
	}
}
