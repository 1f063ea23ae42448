package scalar

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

var patternFuncs = []Func{
	two("regexp_like", func(s, text string) (bool, error) {
		p, err := compile(text)
		if err != nil {
			return false, err
		}
		return p.matches(s)
	}),
	three("regexp_extract", regexpExtract),
	three("regexp_extract_all", regexpExtractAll),
	three("regexp_substitute", regexpReplace),
	two("regexp_pieces", regexpPieces),
	two("regexp_split", regexpSplit),
	two("regexp_count", regexpCount),
	four("regexp_position", regexpPosition),
	three("like", like),
}

// compileGroup is compile for one group of the pattern.
func compileGroup(text string, group int64) (*pattern, error) {
	p, err := compile(text)
	switch {
	case err != nil:
		return nil, err
	case group < 0:
		return nil, invalid("Group cannot be negative")
	case group > int64(p.groups):
		return nil, invalid("Pattern has %d groups. Cannot access group %d", p.groups, group)
	}
	return p, nil
}

func regexpExtract(s, text string, group int64) (string, error) {
	p, err := compileGroup(text, group)
	if err != nil {
		return "", err
	}
	m, err := p.first(s)
	if err != nil {
		return "", err
	}
	if m != nil {
		if found, ok := m[group].of(s); ok {
			return found, nil
		}
	}
	return "", errNull
}

func regexpExtractAll(s, text string, group int64) (texts, error) {
	p, err := compileGroup(text, group)
	if err != nil {
		return nil, err
	}
	out := texts{}
	err = p.each(s, func(m []span) bool {
		out = append(out, orNull(m[group].of(s)))
		return true
	})
	return out, err
}

func orNull(s string, ok bool) any {
	if !ok {
		return nil
	}
	return s
}

func regexpSplit(s, text string) (texts, error) {
	p, err := compile(text)
	if err != nil {
		return nil, err
	}
	out, last := texts{}, 0
	err = p.each(s, func(m []span) bool {
		out = append(out, s[last:m[0].from])
		last = m[0].to
		return true
	})
	return append(out, s[last:]), err
}

func regexpCount(s, text string) (int64, error) {
	p, err := compile(text)
	if err != nil {
		return 0, err
	}
	n := int64(0)
	err = p.each(s, func([]span) bool { n++; return true })
	return n, err
}

// regexpPosition gives the character at which a match begins, looking from a character on, both from 1; -1 without one.
func regexpPosition(s, text string, start, occurrence int32) (int32, error) {
	p, err := compile(text)
	switch {
	case err != nil:
		return 0, err
	case start < 1:
		return 0, invalid("start position cannot be smaller than 1")
	case occurrence < 1:
		return 0, invalid("occurrence cannot be smaller than 1")
	case int(start) > utf8.RuneCountInString(s):
		return -1, nil
	}
	at := int32(-1)
	see := func(m []span) bool {
		if occurrence--; occurrence > 0 {
			return true
		}
		at = int32(utf8.RuneCountInString(s[:m[0].from])) + 1
		return false
	}
	if start == 1 {
		err = p.each(s, see)
	} else if err = p.takes(s); err == nil {
		err = p.eachSlowly(s, int(start)-1, see)
	}
	return at, err
}

// regexpPieces splits a text for replacements by a lambda: before each match the text since the one before it and
// the groups of the match, and at last the rest of the text, in arrays.
func regexpPieces(s, text string) (textLists, error) {
	p, err := compile(text)
	if err != nil {
		return nil, err
	}
	out, last := textLists{}, 0
	err = p.each(s, func(m []span) bool {
		piece := []any{s[last:m[0].from]}
		for _, g := range m[1:] {
			piece = append(piece, orNull(g.of(s)))
		}
		out, last = append(out, piece), m[0].to
		return true
	})
	return append(out, []any{s[last:]}), err
}

func regexpReplace(s, text, with string) (string, error) {
	p, err := compile(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	last := 0
	var wrong error
	err = p.each(s, func(m []span) bool {
		out.WriteString(s[last:m[0].from])
		last = m[0].to
		wrong = p.expand(&out, s, m, with)
		return wrong == nil
	})
	if wrong != nil {
		err = wrong
	}
	return out.String() + s[last:], err
}

// expand writes a replacement: $1 and ${name} are groups, a backslash makes the character after it an ordinary one.
func (p *pattern) expand(out *strings.Builder, s string, m []span, with string) error {
	for i := 0; i < len(with); i++ {
		switch {
		case with[i] == '\\':
			if i++; i == len(with) {
				return invalid("Illegal replacement sequence: %s", with)
			}
			out.WriteByte(with[i])
		case with[i] != '$':
			out.WriteByte(with[i])
		default:
			group, n, err := p.groupIn(with[i+1:], with)
			if err != nil {
				return err
			}
			found, _ := m[group].of(s)
			out.WriteString(found)
			i += n
		}
	}
	return nil
}

// groupIn reads what follows a dollar: the number of the group, and how many bytes it takes.
func (p *pattern) groupIn(text, whole string) (group, n int, err error) {
	if strings.HasPrefix(text, "{") {
		name, _, _ := strings.Cut(text[1:], "}")
		group = p.names[name]
		if group == 0 {
			return 0, 0, invalid("Illegal replacement sequence: unknown group { %s }", name)
		}
		return group, min(len(name)+2, len(text)), nil
	}
	if text == "" || text[0] < '0' || text[0] > '9' {
		return 0, 0, invalid("Illegal replacement sequence: %s", whole)
	}
	if group = int(text[0] - '0'); group > p.groups {
		return 0, 0, invalid("Illegal replacement sequence: unknown group %d", group)
	}
	for n = 1; n < len(text) && text[n] >= '0' && text[n] <= '9'; n++ {
		d, _ := strconv.Atoi(text[n : n+1])
		if group*10+d > p.groups {
			break
		}
		group = group*10 + d
	}
	return group, n, nil
}
