// Package sqltext finds tokens and statements in SQL that is being typed, complete or not. It does not parse grammar.
package sqltext

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a token.
type Kind uint8

const (
	Symbol  Kind = iota // one byte, such as ( or ;
	Word                // a name or keyword
	Quoted              // a name in double quotes
	Text                // a text in single or dollar quotes
	Number              // digits and what may follow them
	Comment             // -- or /* */
)

// Token is a piece of SQL from byte Start up to, but excluding, byte End.
type Token struct {
	Kind       Kind
	Start, End int
	Open       bool // its end is missing, such as the closing quote of a text
}

// Of returns the token's text in sql.
func (t Token) Of(sql string) string { return sql[t.Start:t.End] }

// Is reports whether the token is a word or symbol that equals text, ignoring case.
func (t Token) Is(sql, text string) bool {
	return t.Kind <= Word && strings.EqualFold(t.Of(sql), text)
}

// Scan returns the tokens of sql without the blanks between them. Comments do not nest, as in Presto's SQL.
func Scan(sql string) []Token { return slices.Collect(Each(sql, false)) }

// Each yields the tokens of sql. If nested is set, comments nest, and the tokens of a text are exactly those of
// DuckDB's parser; a test compares them.
func Each(sql string, nested bool) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for at := 0; at < len(sql); {
			if n := blank(sql[at:]); n > 0 {
				at += n
				continue
			}
			t := next(sql, at, nested)
			if !yield(t) {
				return
			}
			at = t.End
		}
	}
}

// unicodeBlanks lists DuckDB's blanks outside ASCII. Any other character is part of a name.
const unicodeBlanks = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u2060\u3000\ufeff"

// blank returns the number of bytes of the blank that s begins with, 0 if there is none.
func blank(s string) int {
	if strings.IndexByte(" \t\r\n\f\v", s[0]) >= 0 {
		return 1
	}
	if c, size := utf8.DecodeRuneInString(s); c >= utf8.RuneSelf && size > 1 && strings.ContainsRune(unicodeBlanks, c) {
		return size
	}
	return 0
}

// next returns the token at a byte that is not blank.
func next(sql string, at int, nested bool) Token {
	rest := sql[at:]
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "--"):
		if n := strings.IndexAny(rest, "\r\n"); n >= 0 {
			return Token{Comment, at, at + n, false}
		}
		return Token{Comment, at, len(sql), true}
	case strings.HasPrefix(rest, "/*") && nested:
		return nestedComment(sql, at)
	case strings.HasPrefix(rest, "/*"):
		return until(sql, Comment, at, at+2, "*/")
	case c == '\'':
		return quoted(sql, Text, at, at+1, c, false)
	case (c == 'e' || c == 'E') && strings.HasPrefix(rest[1:], "'"): // backslashes escape in DuckDB's E'…'
		return escaped(sql, at)
	case c == '"':
		return quoted(sql, Quoted, at, at+1, c, false)
	case c == '$':
		if tag := dollarTag(rest); tag != "" {
			return until(sql, Text, at, at+len(tag), tag)
		}
		if n := 1 + span(rest[1:], digit); n > 1 { // a parameter, behind which a text may begin
			return Token{Number, at, at + n, false}
		}
	case wordStart(c):
		return Token{Word, at, at + word(rest), false}
	case digit(c):
		return Token{Number, at, at + number(rest), false}
	}
	return Token{Symbol, at, at + 1, false}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func wordStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf }

// word returns the number of bytes of the name that s begins with.
func word(s string) int {
	n := 0
	for n < len(s) && (wordStart(s[n]) || digit(s[n]) || s[n] == '$') && blank(s[n:]) == 0 {
		n++
	}
	return n
}

// span returns the number of leading bytes of s for which part is true.
func span(s string, part func(byte) bool) int {
	n := 0
	for n < len(s) && part(s[n]) {
		n++
	}
	return n
}

// number returns the number of bytes of the number that s begins with, including letters after it that begin no text.
func number(s string) int {
	n := span(s, func(c byte) bool { return digit(c) || c == '_' || c == '.' })
	if n < len(s) && s[n]|0x20 == 'e' {
		exponent := strings.TrimLeft(s[n+1:min(n+2, len(s))], "+-")
		if m := n + 2 - len(exponent); m < len(s) && digit(s[m]) {
			return m + span(s[m:], func(c byte) bool { return digit(c) || c == '_' })
		}
	}
	if s[0] == '0' && n == 1 && n < len(s) && strings.IndexByte("xXbBoO", s[n]) >= 0 {
		if m := n + 1 + span(s[n+1:], func(c byte) bool { return digit(c) || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'f' }); m > n+1 {
			return m
		}
	}
	return n
}

// dollarTag returns the $$ or $name$ that s begins with, "" if there is none.
func dollarTag(s string) string {
	if len(s) > 1 && digit(s[1]) {
		return ""
	}
	n := 1 + span(s[1:], func(c byte) bool { return wordStart(c) || digit(c) })
	if n < len(s) && s[n] == '$' {
		return s[:n+1]
	}
	return ""
}

// until returns the token that ends after the next occurrence of end.
func until(sql string, kind Kind, start, from int, end string) Token {
	if n := strings.Index(sql[from:], end); n >= 0 {
		return Token{kind, start, from + n + len(end), false}
	}
	return Token{kind, start, len(sql), true}
}

// nestedComment returns the comment at start, which may contain other comments.
func nestedComment(sql string, start int) Token {
	for at, depth := start, 0; at < len(sql); {
		switch {
		case strings.HasPrefix(sql[at:], "/*"):
			depth++
			at += 2
		case strings.HasPrefix(sql[at:], "*/"):
			at += 2
			if depth--; depth == 0 {
				return Token{Comment, start, at, false}
			}
		default:
			at++
		}
	}
	return Token{Comment, start, len(sql), true}
}

// escaped returns the E'…' at start. After a line break it continues in another text, with the same escapes.
func escaped(sql string, start int) Token {
	t := quoted(sql, Text, start, start+2, '\'', true)
	for !t.Open {
		at := t.End
		for at < len(sql) && strings.IndexByte(" \t\r\n\f\v", sql[at]) >= 0 {
			at++
		}
		if !strings.ContainsAny(sql[t.End:at], "\r\n") || !strings.HasPrefix(sql[at:], "'") {
			break
		}
		t = quoted(sql, Text, start, at+1, '\'', true)
	}
	return t
}

// quoted returns the token that ends after the next quote that is neither doubled nor, if escapes is set, escaped.
func quoted(sql string, kind Kind, start, from int, quote byte, escapes bool) Token {
	for at := from; at < len(sql); at++ {
		switch {
		case escapes && sql[at] == '\\':
			at++
		case sql[at] != quote:
		case at+1 < len(sql) && sql[at+1] == quote:
			at++
		default:
			return Token{kind, start, at + 1, false}
		}
	}
	return Token{kind, start, len(sql), true}
}
