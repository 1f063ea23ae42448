package pgwire

import "strings"

// tokenKind is what a token is.
type tokenKind uint8

const (
	word   tokenKind = iota // a name or keyword, in quotation marks or not
	text                    // a string
	number                  //
	mark                    // an operator, or a single character such as a bracket
)

// token is a token of PostgreSQL's SQL, or of the dialects, as far as they are alike. Blanks and comments are between tokens.
type token struct {
	kind     tokenKind
	from, to int // bytes of the text
	text     string
}

// is says whether the token is a keyword or mark.
func (t token) is(names ...string) bool {
	for _, n := range names {
		if strings.EqualFold(t.text, n) && (t.kind == word || t.kind == mark) {
			return true
		}
	}
	return false
}

// name is what a word names.
func (t token) name() string {
	if strings.HasPrefix(t.text, `"`) {
		return strings.ReplaceAll(strings.Trim(t.text, `"`), `""`, `"`)
	}
	return strings.ToLower(t.text)
}

// literal is what a string says.
func (t token) literal() string {
	s := t.text
	if i := strings.IndexByte(s, '\''); i >= 0 && strings.HasSuffix(s, "'") && len(s) >= i+2 {
		return strings.ReplaceAll(s[i+1:len(s)-1], "''", "'")
	}
	return s
}

// lex finds the tokens of a text, of any: what does not end goes to the end of it.
func lex(s string) (tokens []token) {
	for i := 0; i < len(s); {
		n, k, blank := next(s[i:])
		if !blank {
			tokens = append(tokens, token{k, i, i + n, s[i : i+n]})
		}
		i += n
	}
	return tokens
}

// next is the length of what a text begins with, and its kind.
func next(s string) (n int, k tokenKind, blank bool) {
	c := s[0]
	switch {
	case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
		return 1, mark, true
	case strings.HasPrefix(s, "--"):
		return within(s, 2, "\n"), mark, true
	case strings.HasPrefix(s, "/*"):
		return comment(s), mark, true
	case c == '\'':
		return quoted(s, 0, '\'', false), text, false
	case c == '"':
		return quoted(s, 0, '"', false), word, false
	case (c == 'e' || c == 'E') && len(s) > 1 && s[1] == '\'':
		return quoted(s, 1, '\'', true), text, false
	case letter(c):
		return span(s, func(c byte) bool { return letter(c) || digit(c) || c == '$' }), word, false
	case digit(c):
		return span(s, func(c byte) bool { return letter(c) || digit(c) || c == '.' }), number, false
	case strings.IndexByte(operators, c) >= 0:
		return span(s, func(c byte) bool { return strings.IndexByte(operators, c) >= 0 }), mark, false
	case strings.HasPrefix(s, "::"):
		return 2, mark, false
	}
	return 1, mark, false
}

const operators = "+*/<>=~!@#%^&|`?-"

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func span(s string, in func(byte) bool) int {
	n := 1
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

// within is where an end stands behind the first bytes, or the end of all.
func within(s string, from int, end string) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// comment is the length of a comment, which may have others in it.
func comment(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(s[i:], "*/"):
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// quoted is the length of what is in quotation marks, the first of which is at an offset; one of them is written twice.
func quoted(s string, from int, mark byte, escapes bool) int {
	for i := from + 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] == mark && i+1 < len(s) && s[i+1] == mark:
			i++
		case s[i] == mark:
			return i + 1
		}
	}
	return len(s)
}

// command is one statement of a text.
type command struct {
	text   string
	from   int // characters of the text before it
	tokens []token
}

// split divides a text at its semicolons.
func split(s string) (all []command) {
	var tokens []token
	add := func() {
		if len(tokens) == 0 {
			return
		}
		from, to := tokens[0].from, tokens[len(tokens)-1].to
		for i := range tokens {
			tokens[i].from -= from
			tokens[i].to -= from
		}
		all = append(all, command{s[from:to], len([]rune(s[:from])), tokens})
		tokens = nil
	}
	for _, t := range lex(s) {
		if t.kind == mark && t.text == ";" {
			add()
		} else {
			tokens = append(tokens, t)
		}
	}
	add()
	return all
}
