package syntax

import (
	"strings"
	"unicode/utf8"
)

// kind of a token.
type kind int

const (
	kindEnd kind = iota
	kindWord
	kindQuoted // "name"
	kindString // 'text'
	kindUnicode
	kindBinary
	kindInteger
	kindDecimal
	kindDouble
	kindSymbol
)

// token is a piece of the text. word is the upper case of a word, or the symbol.
type token struct {
	Span
	kind  kind
	word  string
	close int // of an opening bracket: the index of its closing one, or -1
}

// symbols of more than one character, longest first. Those that Presto does not
// have are whole tokens too, so that a hint can name them.
var symbols = []string{"<=>", "->>", "<>", "!=", "<=", ">=", "||", "->", "=>", "::", "//", "==", "&&", "**", "<<", ">>", ":=", "!~", "~~"}

// lexer cuts a text into tokens.
type lexer struct {
	text string
	at   int
	toks []token
	open []int // indices of the brackets that are open
}

// lex gives the tokens of a text, the last of kind kindEnd. It panics with *Error.
func lex(text string) []token {
	l := &lexer{text: text}
	if i := strings.IndexByte(text, 0); i >= 0 {
		fail(Span{i, i + 1}, "", "the text holds a zero byte")
	}
	if !utf8.ValidString(text) {
		fail(Span{0, 0}, "", "the text is not UTF-8")
	}
	for l.skip(); l.at < len(text); l.skip() {
		l.next()
	}
	return append(l.toks, token{Span: Span{len(text), len(text)}, close: -1})
}

// skip moves past blanks and comments.
func (l *lexer) skip() {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			l.at++
		case strings.HasPrefix(rest, "--"):
			n := strings.IndexAny(rest, "\r\n")
			if n < 0 {
				n = len(rest)
			}
			l.at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				fail(Span{l.at, l.at + 2}, "", "the comment has no end")
			}
			l.at += n + 4
		default:
			return
		}
	}
}

// next takes one token.
func (l *lexer) next() {
	rest := l.text[l.at:]
	c := rest[0]
	switch {
	case c == '\'':
		l.quoted(kindString, 0, '\'')
	case c == '"':
		l.quoted(kindQuoted, 0, '"')
	case (c == 'x' || c == 'X') && strings.HasPrefix(rest[1:], "'"):
		l.quoted(kindBinary, 1, '\'')
	case (c == 'u' || c == 'U') && strings.HasPrefix(rest[1:], "&'"):
		l.quoted(kindUnicode, 2, '\'')
	case c == '`':
		fail(Span{l.at, l.at + 1}, `names are written in "double quotes"`, "names cannot be in backquotes")
	case digit(c) || c == '.' && len(rest) > 1 && digit(rest[1]) && !l.afterName():
		l.number()
	case letter(c):
		n := 1
		for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
			n++
		}
		l.add(kindWord, n, strings.ToUpper(rest[:n]))
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(rest)
		fail(Span{l.at, l.at + n}, unusual(r), "%q cannot be here", string(r))
	default:
		l.symbol(rest)
	}
}

// afterName reports whether the text just before is a name, so that a point
// cannot begin a number.
func (l *lexer) afterName() bool {
	if len(l.toks) == 0 {
		return false
	}
	last := l.toks[len(l.toks)-1]
	return last.End == l.at && (last.kind == kindWord || last.kind == kindQuoted)
}

// unusual explains characters that get into a query by copying it from a page,
// and letters that a name has only in quotes.
func unusual(r rune) string {
	switch {
	case strings.ContainsRune("‘’‚‛", r):
		return "text is written in straight quotes: 'text'"
	case strings.ContainsRune("“”„", r):
		return `names are written in straight double quotes: "name"`
	case strings.ContainsRune("\u00a0\u2007\u202f\u3000\ufeff\u200b", r):
		return "this is a special kind of blank: write a plain one"
	case strings.ContainsRune("–—−", r):
		return "write a plain minus"
	}
	return `a name with other characters than a-z, 0-9 and _ is written in double quotes: "name"`
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

func (l *lexer) add(k kind, n int, word string) {
	l.toks = append(l.toks, token{Span: Span{l.at, l.at + n}, kind: k, word: word, close: -1})
	l.at += n
}

// quoted takes text in quotes; a doubled quote is part of it. skip is the length
// of what stands before the first quote.
func (l *lexer) quoted(k kind, skip int, quote byte) {
	rest := l.text[l.at:]
	for n := skip + 1; n < len(rest); n++ {
		if rest[n] != quote {
			continue
		}
		if n+1 < len(rest) && rest[n+1] == quote {
			n++
			continue
		}
		l.add(k, n+1, "")
		return
	}
	what := "the text"
	if k == kindQuoted {
		what = "the name"
	}
	fail(Span{l.at, l.at + skip + 1}, "", "%s has no closing quote", what)
}

func (l *lexer) symbol(rest string) {
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			l.add(kindSymbol, len(s), s)
			return
		}
	}
	index, c := len(l.toks), rest[:1]
	l.add(kindSymbol, 1, c)
	switch c {
	case "(", "[", "{":
		l.open = append(l.open, index)
	case ")", "]", "}":
		if n := len(l.open); n > 0 && strings.Contains("()[]{}", l.toks[l.open[n-1]].word+c) {
			l.toks[l.open[n-1]].close = index
			l.open = l.open[:n-1]
		}
	}
}
