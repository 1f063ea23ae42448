package scalar

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/presto/pattern"
)

var patternFuncs = []Func{
	two("regexp_like", func(s, text string) (bool, error) {
		p, err := compile(text)
		if err != nil {
			return false, err
		}
		return p.Matches(s)
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

// matchError is an error of package pattern as Trino's.
func matchError(err error) error {
	var e *pattern.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Refused:
		return unsupported("%s", e.Message)
	}
	return invalid("%s", e.Message)
}

func compile(text string) (*pattern.Pattern, error) {
	p, err := pattern.Compile(text)
	return p, matchError(err)
}

// NativePattern returns a pattern as DuckDB takes it, or "" if DuckDB may answer otherwise than Trino.
func NativePattern(text string) (string, error) {
	p, err := compile(text)
	if err != nil {
		return "", err
	}
	return p.Native(), nil
}

// compileGroup is compile for one group of the pattern.
func compileGroup(text string, group int64) (*pattern.Pattern, error) {
	p, err := compile(text)
	switch {
	case err != nil:
		return nil, err
	case group < 0:
		return nil, invalid("Group cannot be negative")
	case group > int64(p.Groups()):
		return nil, invalid("Pattern has %d groups. Cannot access group %d", p.Groups(), group)
	}
	return p, nil
}

func regexpExtract(s, text string, group int64) (string, error) {
	p, err := compileGroup(text, group)
	if err != nil {
		return "", err
	}
	m, err := p.First(s)
	if err != nil {
		return "", err
	}
	if m != nil {
		if found, ok := m[group].Text(s); ok {
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
	err = p.Each(s, func(m []pattern.Span) bool {
		out = append(out, orNull(m[group].Text(s)))
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
	err = p.Each(s, func(m []pattern.Span) bool {
		out = append(out, s[last:m[0].From])
		last = m[0].To
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
	err = p.Each(s, func([]pattern.Span) bool { n++; return true })
	return n, err
}

// regexpPosition returns the character at which a match begins, looking from a character on, both from 1; -1 without
// one.
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
	see := func(m []pattern.Span) bool {
		if occurrence--; occurrence > 0 {
			return true
		}
		at = int32(utf8.RuneCountInString(s[:m[0].From])) + 1
		return false
	}
	return at, matchError(p.EachFrom(s, int(start)-1, see))
}

// regexpPieces splits a text for replacements by a lambda: before each match the text since the one before it and
// the groups of the match, and at last the rest of the text, in arrays.
func regexpPieces(s, text string) (textLists, error) {
	p, err := compile(text)
	if err != nil {
		return nil, err
	}
	out, last := textLists{}, 0
	err = p.Each(s, func(m []pattern.Span) bool {
		piece := []any{s[last:m[0].From]}
		for _, g := range m[1:] {
			piece = append(piece, orNull(g.Text(s)))
		}
		out, last = append(out, piece), m[0].To
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
	err = p.Each(s, func(m []pattern.Span) bool {
		out.WriteString(s[last:m[0].From])
		last = m[0].To
		wrong = expand(p, &out, s, m, with)
		return wrong == nil
	})
	if wrong != nil {
		err = wrong
	}
	return out.String() + s[last:], err
}

// expand writes a replacement: $1 and ${name} are groups, a backslash makes the character after it an ordinary one.
func expand(p *pattern.Pattern, out *strings.Builder, s string, m []pattern.Span, with string) error {
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
			group, n, err := groupIn(p, with[i+1:], with)
			if err != nil {
				return err
			}
			found, _ := m[group].Text(s)
			out.WriteString(found)
			i += n
		}
	}
	return nil
}

// groupIn reads what follows a dollar: the number of the group, and how many bytes it takes.
func groupIn(p *pattern.Pattern, text, whole string) (group, n int, err error) {
	if strings.HasPrefix(text, "{") {
		name, _, _ := strings.Cut(text[1:], "}")
		group = p.Group(name)
		if group == 0 {
			return 0, 0, invalid("Illegal replacement sequence: unknown group { %s }", name)
		}
		return group, min(len(name)+2, len(text)), nil
	}
	if text == "" || text[0] < '0' || text[0] > '9' {
		return 0, 0, invalid("Illegal replacement sequence: %s", whole)
	}
	if group = int(text[0] - '0'); group > p.Groups() {
		return 0, 0, invalid("Illegal replacement sequence: unknown group %d", group)
	}
	for n = 1; n < len(text) && text[n] >= '0' && text[n] <= '9'; n++ {
		d, _ := strconv.Atoi(text[n : n+1])
		if group*10+d > p.Groups() {
			break
		}
		group = group*10 + d
	}
	return group, n, nil
}
