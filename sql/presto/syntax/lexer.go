package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/lexer"
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

// lex returns the tokens of a text, the last of kind kindEnd. It panics with *Error.
func lex(text string) (all []token) {
	if i := strings.IndexByte(text, 0); i >= 0 {
		fail(Span{i, i + 1}, "", "the text holds a zero byte")
	}
	if !utf8.ValidString(text) {
		fail(Span{0, 0}, "", "the text is not UTF-8")
	}
	var open []int // indices of the brackets that are open
	for t := range lexer.Scan(lexer.Presto, text) {
		next := token{Span: Span{t.Start, t.End}, close: -1}
		switch written := t.Text(text); t.Kind {
		case lexer.Comment:
			if t.Open && written[0] == '/' {
				fail(Span{t.Start, t.Start + 2}, "", "the comment has no end")
			}
			continue
		case lexer.Word:
			next.kind, next.word = kindWord, strings.ToUpper(written)
		case lexer.Quoted, lexer.Text:
			next.kind = closed(t, written)
		case lexer.Number:
			next.kind = numeric(next, text)
		case lexer.Parameter: // which nothing has replaced
			next.kind, next.word, next.End = kindSymbol, "{", t.Start+1
		case lexer.Symbol:
			next.kind, next.word = kindSymbol, written
			usual(next)
		}
		open = bracket(all, next, open)
		all = append(all, next)
	}
	return append(all, token{Span: Span{len(text), len(text)}, close: -1})
}

// closed returns the kind of a text or name in quotes, which must have its last one.
func closed(t lexer.Token, text string) kind {
	if t.Open {
		first := strings.IndexAny(text, `'"`)
		what := "the text"
		if t.Kind == lexer.Quoted {
			what = "the name"
		}
		fail(Span{t.Start, t.Start + first + 1}, "", "%s has no closing quote", what)
	}
	switch text[0] {
	case '"':
		return kindQuoted
	case 'x', 'X':
		return kindBinary
	case 'u', 'U':
		return kindUnicode
	}
	return kindString
}

// numeric returns the kind of a number, which must be a whole one.
func numeric(t token, text string) kind {
	number := t.Text(text)
	if len(text)-t.Start > 2 && len(number) > 1 && number[0] == '0' && strings.IndexByte("xXoObB", number[1]) >= 0 {
		if _, err := strconv.ParseUint(number, 0, 64); err != nil {
			fail(t, "", "%s is not a number", number)
		}
		return kindInteger
	}
	mantissa, exponent, isDouble := strings.Cut(strings.ToLower(number), "e")
	exponent = strings.TrimLeft(exponent, "+-")
	if !grouped(mantissa) || isDouble && lexer.Span(exponent, digit) < max(1, len(exponent)) {
		fail(t, `write it in double quotes: "`+number+`"`, "a name cannot begin with a digit")
	}
	switch {
	case isDouble:
		return kindDouble
	case strings.Contains(mantissa, "."):
		return kindDecimal
	}
	return kindInteger
}

// grouped reports whether a text has digits with single underscores between them, before and behind a point.
func grouped(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part != "" && (strings.Contains("_"+part+"_", "__") || strings.Trim(part, "0123456789_") != "") {
			return false
		}
	}
	return true
}

// bracket notes the opening and closing brackets of all and next, and returns the indices of those that are open.
func bracket(all []token, next token, open []int) []int {
	switch n := len(open); {
	case next.kind != kindSymbol:
	case next.is("(", "[", "{"):
		return append(open, len(all))
	case next.is(")", "]", "}") && n > 0 && strings.Contains("()[]{}", all[open[n-1]].word+next.word):
		all[open[n-1]].close = len(all)
		return open[:n-1]
	}
	return open
}

// usual fails at a character that nothing begins with.
func usual(t token) {
	if t.word == "`" {
		fail(t, `names are written in "double quotes"`, "names cannot be in backquotes")
	}
	if r, _ := utf8.DecodeRuneInString(t.word); r >= utf8.RuneSelf {
		fail(t, unusual(r), "%q cannot be here", string(r))
	}
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

func digit(c byte) bool { return lexer.Digit(c) }
