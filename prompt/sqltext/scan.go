// Package sqltext finds tokens and statements in SQL that is being written: text
// of any kind, complete or not. It knows no grammar.
package sqltext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Symbol  Kind = iota // one character, such as ( or ;
	Word                // a name or keyword
	Quoted              // a name in double quotes
	Text                // a text in single or dollar quotes
	Number              // digits and what may follow them
	Comment             // -- or /* */
)

// Token is a piece of SQL from byte Start up to byte End.
type Token struct {
	Kind       Kind
	Start, End int
	Open       bool // its end has not been written yet: a text without the closing quote
}

// Of is the token's text in sql.
func (t Token) Of(sql string) string { return sql[t.Start:t.End] }

// Is says whether the token is a word or a symbol, upper and lower case alike.
func (t Token) Is(sql, text string) bool {
	return t.Kind <= Word && strings.EqualFold(t.Of(sql), text)
}

// Scan gives the tokens of sql without the blanks between them.
func Scan(sql string) []Token {
	var all []Token
	for at := 0; at < len(sql); {
		c, size := utf8.DecodeRuneInString(sql[at:])
		if unicode.IsSpace(c) {
			at += size
			continue
		}
		t := next(sql, at, c, size)
		all = append(all, t)
		at = t.End
	}
	return all
}

// next is the token at a place where no blank is.
func next(sql string, at int, c rune, size int) Token {
	rest := sql[at:]
	switch {
	case strings.HasPrefix(rest, "--"):
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return Token{Comment, at, at + n, false}
		}
		return Token{Comment, at, len(sql), true}
	case strings.HasPrefix(rest, "/*"):
		return until(sql, Comment, at, at+2, "*/")
	case c == '\'':
		return quoted(sql, Text, at, at+1, c, false)
	case (c == 'e' || c == 'E') && strings.HasPrefix(rest[1:], "'"): // backslashes escape in DuckDB's E'…'
		return quoted(sql, Text, at, at+2, '\'', true)
	case c == '"':
		return quoted(sql, Quoted, at, at+1, c, false)
	case c == '$':
		if tag := dollarTag(rest); tag != "" {
			return until(sql, Text, at, at+len(tag), tag)
		}
	case unicode.IsLetter(c) || c == '_':
		return Token{Word, at, at + span(rest, wordPart), false}
	case c >= '0' && c <= '9':
		return Token{Number, at, at + span(rest, func(r rune) bool { return r == '.' || wordPart(r) }), false}
	}
	return Token{Symbol, at, at + size, false}
}

func wordPart(c rune) bool { return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// span is how many bytes s begins with that belong to a token.
func span(s string, part func(rune) bool) int {
	if n := strings.IndexFunc(s, func(c rune) bool { return !part(c) }); n >= 0 {
		return n
	}
	return len(s)
}

// dollarTag is the $$ or $name$ that s begins with, "" for none.
func dollarTag(s string) string {
	n := 1 + span(s[1:], func(c rune) bool { return c == '_' || unicode.IsLetter(c) })
	if n < len(s) && s[n] == '$' {
		return s[:n+1]
	}
	return ""
}

// until is the token that ends behind the next end.
func until(sql string, kind Kind, start, from int, end string) Token {
	if n := strings.Index(sql[from:], end); n >= 0 {
		return Token{kind, start, from + n + len(end), false}
	}
	return Token{kind, start, len(sql), true}
}

// quoted is the token that ends behind the next quote that is not doubled, nor
// escaped where escapes is set.
func quoted(sql string, kind Kind, start, from int, quote rune, escapes bool) Token {
	for at := from; at < len(sql); at++ {
		switch {
		case escapes && sql[at] == '\\':
			at++
		case sql[at] != byte(quote):
		case at+1 < len(sql) && sql[at+1] == byte(quote):
			at++
		default:
			return Token{kind, start, at + 1, false}
		}
	}
	return Token{kind, start, len(sql), true}
}
