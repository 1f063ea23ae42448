package pattern

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// translation is a pattern of Trino's regular expressions (Joni's with Java's
// syntax) as Go's package regexp and regexp2 take it. What the three do not
// understand alike is written out, or refused.
type translation struct {
	rest   string
	goText strings.Builder // for regexp
	net    strings.Builder // for regexp2
	groups int
	names  map[string]int
	stack  []scope // the groups that are open
	scope  scope
	// What regexp answers otherwise than Joni: a pattern with dollar if a text ends in a line feed, with
	// boundary if a text is not ASCII, with special always.
	dollar, boundary, special bool
	folds                     bool // some of it is without regard to case
}

// scope has the options that are valid within a group.
type scope struct {
	extended, fold, lines bool
	options               int  // groups that isolated options opened
	behind                bool // in a look-behind
}

// translate reads a pattern.
func translatePattern(pattern string) (*translation, error) {
	t := &translation{rest: pattern, names: map[string]int{}}
	for t.rest != "" {
		if err := t.item(); err != nil {
			return nil, err
		}
	}
	if len(t.stack) > 0 {
		return nil, wrong("end pattern with unmatched parenthesis")
	}
	t.write(strings.Repeat(")", t.scope.options))
	return t, nil
}

func (t *translation) write(s string) {
	t.goText.WriteString(s)
	t.net.WriteString(s)
}

// next takes a character.
func (t *translation) next() rune {
	c, n := utf8.DecodeRuneInString(t.rest)
	t.rest = t.rest[n:]
	return c
}

func (t *translation) take(prefix string) bool {
	rest, ok := strings.CutPrefix(t.rest, prefix)
	t.rest = rest
	return ok
}

func (t *translation) item() error {
	switch c := t.next(); c {
	case '(':
		return t.open()
	case ')':
		return t.close()
	case '|':
		t.write("|")
		return nil
	case '^':
		if t.scope.lines {
			t.dollar = true
			t.goText.WriteString("^")
			t.net.WriteString(`(?:^(?:(?<!\n)|(?!\z)))`) // not after the last line feed
		} else {
			t.write(`\A`)
		}
		return nil
	case '$':
		t.dollar = t.dollar || !t.scope.lines
		t.write("$")
		return nil
	case '.':
		t.write(".")
	case '[':
		class, err := t.class()
		if err != nil {
			return err
		}
		t.write(class)
	case '\\':
		if err := t.escape(); err != nil {
			return err
		}
	case '*', '+', '?':
		return wrong("target of repeat operator is not specified")
	default:
		if t.scope.extended && strings.ContainsRune(" \t\n\v\f\r", c) {
			return nil
		}
		if t.scope.extended && c == '#' {
			_, t.rest, _ = strings.Cut(t.rest, "\n")
			return nil
		}
		t.literal(c)
	}
	return t.repeat()
}

func (t *translation) literal(c rune) {
	if strings.ContainsRune(`\.+*?()|[]{}^$#- `, c) {
		t.write(`\`)
	}
	t.write(string(c))
}

// repeat takes the number of repetitions after an item.
func (t *translation) repeat() error {
	count := t.count()
	if count == "" {
		return nil
	}
	if t.scope.behind && (strings.ContainsAny(count, "*+?,")) {
		return wrong("invalid pattern in look-behind")
	}
	t.write(count)
	switch {
	case t.take("?"):
		t.write("?")
	case strings.HasPrefix(t.rest, "+"):
		return refused("possessive repetition such as a%s+ in a pattern: write (?>a%s)", count, count)
	}
	if t.count() != "" {
		return refused("two repetitions after each other in a pattern: put the first into (?:…)")
	}
	return nil
}

// count takes *, +, ?, {2}, {2,} or {2,3}. Other braces are characters.
func (t *translation) count() string {
	if t.rest == "" {
		return ""
	}
	if strings.ContainsRune("*+?", rune(t.rest[0])) {
		return string(t.next())
	}
	inner, after, ok := strings.Cut(t.rest, "}")
	if !ok || !strings.HasPrefix(inner, "{") {
		return ""
	}
	from, to, ranged := strings.Cut(inner[1:], ",")
	if !digits(from) || ranged && to != "" && !digits(to) {
		return ""
	}
	t.rest = after
	return inner + "}"
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// open takes what follows an opening parenthesis.
func (t *translation) open() error {
	outer := t.scope
	inner := scope{extended: outer.extended, fold: outer.fold, lines: outer.lines, behind: outer.behind}
	switch {
	case !strings.HasPrefix(t.rest, "?"):
		t.groups++
		t.write("(")
	case t.take("?#"):
		_, rest, ok := strings.Cut(t.rest, ")")
		if !ok {
			return wrong("end pattern in group")
		}
		t.rest = rest
		return nil
	case t.take("?:"):
		t.write("(?:")
	case t.takeAny("?=", "?!", "?>"):
		t.special = true
	case t.takeAny("?<=", "?<!"):
		t.special, inner.behind = true, true
	case t.take("?<"):
		if err := t.name(); err != nil {
			return err
		}
	default:
		return t.options(outer, inner)
	}
	t.stack, t.scope = append(t.stack, outer), inner
	return nil
}

// takeAny takes and writes one of the openings that only regexp2 knows.
func (t *translation) takeAny(openings ...string) bool {
	return slices.ContainsFunc(openings, func(s string) bool {
		if t.take(s) {
			t.write("(" + s)
			return true
		}
		return false
	})
}

func (t *translation) name() error {
	name, rest, ok := strings.Cut(t.rest, ">")
	if !ok || name == "" {
		return wrong("group name is empty")
	}
	for i, c := range name {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return wrong("invalid group name <%s>", name)
		}
	}
	if t.names[name] > 0 {
		return wrong("multiplex defined name <%s>", name)
	}
	t.groups++
	t.names[name], t.rest = t.groups, rest
	t.write("(")
	return nil
}

// options takes (?i) or (?i: and the like. What follows the first, up to the end of the group, is a group of its own.
func (t *translation) options(outer, inner scope) error {
	t.next() // the question mark
	flags := map[rune]bool{'i': outer.fold, 'm': outer.lines, 's': false, 'x': outer.extended}
	written, off := "", false
	for {
		c := t.next()
		switch c {
		case 'i', 'm', 's', 'x':
			flags[c] = !off
			if c != 'x' {
				written += string(c)
			}
			continue
		case '-':
			if !off {
				written += "-"
				off = true
				continue
			}
		case ':', ')':
			inner.fold, inner.lines, inner.extended = flags['i'], flags['m'], flags['x']
			t.folds = t.folds || inner.fold
			t.write("(?" + strings.TrimSuffix(written, "-") + ":")
			if c == ':' {
				t.stack, t.scope = append(t.stack, outer), inner
				return nil
			}
			inner.options = outer.options + 1
			t.scope = inner
			return nil
		}
		return wrong("undefined group option")
	}
}

func (t *translation) close() error {
	if len(t.stack) == 0 {
		return wrong("unmatched close parenthesis")
	}
	t.write(strings.Repeat(")", t.scope.options+1))
	t.scope, t.stack = t.stack[len(t.stack)-1], t.stack[:len(t.stack)-1]
	return t.repeat()
}
