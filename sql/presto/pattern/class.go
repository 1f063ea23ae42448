package pattern

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// classes are the letters that stand for sets of characters, as inner parts of a class. Joni's are ASCII.
var classes = map[rune]string{
	'd': "0-9", 'w': "0-9A-Z_a-z", 's': "\t-\r ",
	'D': "\x00-/:-\U0010ffff", 'W': "\x00-/:-@\\[-\\^`{-\U0010ffff", 'S': "\x00-\x08\x0e-\x1f!-\U0010ffff",
}

// controls are the letters that stand for a character.
var controls = map[rune]rune{'n': '\n', 't': '\t', 'r': '\r', 'f': '\f', 'a': '\a', 'e': 0x1b, 'v': '\v'}

// escape takes what follows a backslash outside of a class.
func (t *translation) escape() error {
	if t.rest == "" {
		return wrong("end pattern at escape")
	}
	c := t.next()
	switch {
	case classes[c] != "":
		t.write("[" + classes[c] + "]")
	case strings.ContainsRune("bB", c):
		t.boundary = true
		t.write(`\` + string(c))
	case c == 'A' || c == 'z':
		t.write(`\` + string(c))
	case c == 'Z' || c == 'G':
		t.special = true
		t.write(`\` + string(c))
	case c == 'Q':
		quoted, rest, _ := strings.Cut(t.rest, `\E`)
		t.rest = rest
		for _, q := range quoted {
			t.literal(q)
		}
	case c == 'k' || c >= '1' && c <= '9':
		return t.reference(c)
	default:
		s, err := t.character(c)
		if err != nil {
			return err
		}
		t.write(s)
	}
	return nil
}

func (t *translation) reference(c rune) error {
	n := int(c - '0')
	if c == 'k' {
		name, rest, ok := strings.Cut(t.rest, ">")
		if n = t.names[strings.TrimPrefix(name, "<")]; !ok || n == 0 {
			return wrong("undefined name %s reference", name)
		}
		t.rest = rest
	}
	if n > t.groups {
		return wrong("invalid backref number/name")
	}
	t.special = true
	t.write(`(?:\` + strconv.Itoa(n) + `)`)
	return nil
}

// character takes an escaped character or a property, in a class or outside.
func (t *translation) character(c rune) (string, error) {
	if (c == 'p' || c == 'P') && t.take("{") {
		name, rest, ok := strings.Cut(t.rest, "}")
		if !ok || unicode.Categories[name] == nil && unicode.Scripts[name] == nil {
			return "", refused(`\%c{%s} in a pattern: categories such as \p{L} or \p{Lu} and scripts such as \p{Greek} are known`, c, name)
		}
		t.rest = rest
		return `\` + string(c) + "{" + name + "}", nil
	}
	code := c
	switch {
	case controls[c] != 0:
		code = controls[c]
	case c == 'x' && t.take("{"):
		inner, rest, _ := strings.Cut(t.rest, "}")
		t.rest = rest
		return t.hex(inner)
	case c == 'x' || c == 'u':
		n := map[rune]int{'x': 2, 'u': 4}[c]
		if len(t.rest) < n {
			return "", wrong(`too short escape sequence \%c`, c)
		}
		inner := t.rest[:n]
		t.rest = t.rest[n:]
		return t.hex(inner)
	case c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)):
		return "", refused(`\%c in a pattern`, c)
	}
	return plain(code), nil
}

func (t *translation) hex(s string) (string, error) {
	n, err := strconv.ParseUint(s, 16, 21)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return "", wrong("invalid code point value %s", s)
	}
	return plain(rune(n)), nil
}

// plain returns a character that stands for itself, in a class too.
func plain(c rune) string {
	if c < utf8.RuneSelf && unicode.In(c, unicode.Punct, unicode.Symbol) && c != '_' {
		return `\` + string(c)
	}
	return string(c)
}

// class takes what follows an opening bracket.
func (t *translation) class() (string, error) {
	var b strings.Builder
	b.WriteString("[")
	if t.take("^") {
		b.WriteString("^")
	}
	for first := true; ; first = false {
		if t.rest == "" {
			return "", wrong("premature end of char-class")
		}
		if strings.HasPrefix(t.rest, "&&") {
			return "", refused("&& in a class of a pattern: use a look-ahead, such as (?![x])[a-z]")
		}
		switch c := t.next(); {
		case c == ']' && !first:
			return b.String() + "]", nil
		case c == '[':
			return "", refused("a class in a class of a pattern: write its characters, or \\p{L} instead of [:alpha:]")
		case c == '\\':
			if t.rest == "" {
				return "", wrong("end pattern at escape")
			}
			s, err := t.classEscape(t.next())
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		case c == '-' && !first && !strings.HasPrefix(t.rest, "]"):
			if strings.HasPrefix(t.rest, "[") || isClassEscape(t.rest) {
				return "", wrong("char-class value at end of range")
			}
			b.WriteString("-")
		default:
			b.WriteString(plain(c))
		}
	}
}

func isClassEscape(s string) bool {
	return len(s) > 1 && s[0] == '\\' && (classes[rune(s[1])] != "" || s[1] == 'p' || s[1] == 'P')
}

func (t *translation) classEscape(c rune) (string, error) {
	switch {
	case classes[c] != "" && strings.HasPrefix(t.rest, "-") && !strings.HasPrefix(t.rest, "-]"):
		return "", wrong("char-class value at end of range")
	case classes[c] != "":
		return classes[c], nil
	case c == 'b':
		return "\b", nil
	}
	return t.character(c)
}
