package query

import (
	"strings"
	"unicode/utf8"
)

// tokenKind is the kind of a token as far as rewriting needs it.
type tokenKind uint8

const (
	tokEnd    tokenKind = iota // end of text; carries what trails the last token
	tokWord                    // keyword or unquoted name
	tokQuoted                  // "quoted name"
	tokString                  // 'text', E'text', $$text$$
	tokNumber
	tokSymbol // one character, or ->
)

// token is a piece of SQL together with the blanks and comments before it:
// the lead ends where the token starts. Tokens of a text cover it whole.
type token struct {
	kind             tokenKind
	lead, start, end int
}

// lexer cuts SQL into tokens. It never fails: what has no end ends with the
// text, and DuckDB says what is wrong with it.
type lexer struct {
	src  string
	pos  int
	toks []token
}

// lex returns the tokens of src; the last is always of kind tokEnd.
func lex(src string) []token {
	l := lexer{src: src}
	for {
		lead := l.pos
		l.skipBlank()
		start := l.pos
		kind := l.next()
		l.toks = append(l.toks, token{kind, lead, start, l.pos})
		if kind == tokEnd {
			return l.toks
		}
	}
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.src[l.pos:], prefix) }

// skipBlank skips blanks, -- comments and nested /* comments */.
func (l *lexer) skipBlank() {
	for l.pos < len(l.src) {
		switch {
		case strings.IndexByte(" \t\r\n\f\v", l.src[l.pos]) >= 0:
			l.pos++
		case l.has("--"):
			l.skipTo("\n")
		case l.has("/*"):
			l.skipComment()
		default:
			return
		}
	}
}

// skipTo moves behind the next occurrence of end, or to the end of the text.
func (l *lexer) skipTo(end string) {
	if i := strings.Index(l.src[l.pos:], end); i >= 0 {
		l.pos += i + len(end)
	} else {
		l.pos = len(l.src)
	}
}

func (l *lexer) skipComment() {
	for depth := 0; l.pos < len(l.src); {
		switch {
		case l.has("/*"):
			depth++
			l.pos += 2
		case l.has("*/"):
			l.pos += 2
			if depth--; depth == 0 {
				return
			}
		default:
			l.pos++
		}
	}
}

func (l *lexer) next() tokenKind {
	if l.pos >= len(l.src) {
		return tokEnd
	}
	switch c := l.src[l.pos]; {
	case c == '\'':
		l.quoted('\'', false)
		return tokString
	case c == '"':
		l.quoted('"', false)
		return tokQuoted
	case c == '$' && l.dollar():
		return tokString
	case wordStart(c):
		return l.word()
	case digit(c) || c == '.' && l.pos+1 < len(l.src) && digit(l.src[l.pos+1]):
		l.number()
		return tokNumber
	case l.has("->") && !l.has("->>"):
		l.pos += 2
	default:
		_, n := utf8.DecodeRuneInString(l.src[l.pos:])
		l.pos += n
	}
	return tokSymbol
}

// quoted skips text between two quotes; a doubled quote means one quote
// and, where escapes is set, a backslash takes the character behind it along.
func (l *lexer) quoted(quote byte, escapes bool) {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case escapes && c == '\\':
			l.pos++
		case c == quote && l.pos+1 < len(l.src) && l.src[l.pos+1] == quote:
			l.pos++
		case c == quote:
			l.pos++
			return
		}
	}
	l.pos = len(l.src)
}

// dollar skips $tag$ text $tag$; a $ that opens none is a symbol.
func (l *lexer) dollar() bool {
	i := l.pos + 1
	for i < len(l.src) && wordPart(l.src[i]) && l.src[i] != '$' {
		i++
	}
	if i >= len(l.src) || l.src[i] != '$' || digit(l.src[l.pos+1]) {
		return false
	}
	tag := l.src[l.pos : i+1]
	l.pos = i + 1
	l.skipTo(tag)
	return true
}

// word skips a name; e'…' and x'…' are strings.
func (l *lexer) word() tokenKind {
	start := l.pos
	for l.pos < len(l.src) && wordPart(l.src[l.pos]) {
		l.pos++
	}
	if l.pos-start == 1 && l.has("'") {
		switch l.src[start] {
		case 'e', 'E':
			l.quoted('\'', true)
			return tokString
		case 'x', 'X', 'b', 'B':
			l.quoted('\'', false)
			return tokString
		}
	}
	return tokWord
}

func (l *lexer) number() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		sign := (c == '+' || c == '-') && strings.IndexByte("eE", l.src[l.pos-1]) >= 0 &&
			l.pos+1 < len(l.src) && digit(l.src[l.pos+1])
		if !digit(c) && c != '.' && c != '_' && c != 'e' && c != 'E' && !sign {
			return
		}
		l.pos++
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func wordStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func wordPart(c byte) bool { return wordStart(c) || digit(c) || c == '$' }
