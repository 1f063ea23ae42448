// Package lexer divides SQL into tokens and statements. It is the only place that decides where a comment, a text or a
// name ends. It takes any text, complete or not, and knows no grammar.
package lexer

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Dialect is the language of a query.
type Dialect string

const (
	Presto Dialect = "presto" // also ""
	DuckDB Dialect = "duckdb" // as DuckDB and PostgreSQL read it
	// Either is for a draft whose dialect is unknown: comments do not nest, as in Presto's SQL, and texts are DuckDB's.
	Either Dialect = "either"
)

// ParseDialect returns the dialect with a name; "" is Presto.
func ParseDialect(name string) (Dialect, error) {
	switch d := Dialect(name); d {
	case "", Presto:
		return Presto, nil
	case DuckDB:
		return d, nil
	}
	return "", fmt.Errorf("no dialect %q: want %s or %s", name, Presto, DuckDB)
}

// Kind is the kind of a token.
type Kind uint8

const (
	Symbol    Kind = iota // an operator, or one character such as ( or ;
	Word                  // a name or keyword
	Quoted                // a name in double quotes
	Text                  // a text in single or dollar quotes, with the letters before its quote
	Number                // digits and what may follow them; $1 in DuckDB's SQL
	Comment               // -- or /* */
	Parameter             // {{name}}, which is no SQL: see package params
)

// Token is a piece of SQL from byte Start up to, but excluding, byte End.
type Token struct {
	Kind       Kind
	Start, End int
	Open       bool // its end is missing, such as the closing quote of a text
}

// Text returns the token's text in sql.
func (t Token) Text(sql string) string { return sql[t.Start:t.End] }

// Is reports whether the token is a word or symbol that equals text, ignoring case.
func (t Token) Is(sql, text string) bool {
	return t.Kind <= Word && strings.EqualFold(t.Text(sql), text)
}

// Name returns the name that a token writes: without its quotes, and in the case in which it is written.
func (t Token) Name(sql string) string {
	name := t.Text(sql)
	if t.Kind != Quoted {
		return name
	}
	return strings.ReplaceAll(strings.TrimSuffix(name[1:], `"`), `""`, `"`)
}

// Tokens returns the tokens of sql without comments.
func Tokens(d Dialect, sql string) (all []Token) {
	for t := range Scan(d, sql) {
		if t.Kind != Comment {
			all = append(all, t)
		}
	}
	return all
}

// Scan yields the tokens of sql without the blanks between them.
//
// The parser of Presto's SQL, package syntax, uses the same tokens. In DuckDB's SQL statements, comments and texts end
// where they do for DuckDB's parser; a test compares them.
func Scan(d Dialect, sql string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s := scanner{d: cmp.Or(d, Presto), sql: sql}
		for at := 0; at < len(sql); {
			if n := s.blank(at); n > 0 {
				at += n
				continue
			}
			s.last = s.next(at)
			if !yield(s.last) {
				return
			}
			at = s.last.End
		}
	}
}

// scanner divides one text.
type scanner struct {
	d    Dialect
	sql  string
	last Token
}

// next returns the token at a byte that is not blank.
func (s *scanner) next(at int) Token {
	rest := s.sql[at:]
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "--"):
		if n := strings.IndexAny(rest, "\r\n"); n >= 0 {
			return Token{Comment, at, at + n, false}
		}
		return Token{Comment, at, len(s.sql), true}
	case strings.HasPrefix(rest, "/*") && s.d == DuckDB:
		return s.nestedComment(at)
	case strings.HasPrefix(rest, "/*"):
		return s.until(Comment, at, at+2, "*/")
	case c == '\'':
		return s.quoted(Text, at, at+1, false)
	case c == '"':
		return s.quoted(Quoted, at, at+1, false)
	case c == '{' && parameter(rest) > 0:
		return Token{Parameter, at, at + parameter(rest), false}
	case s.d == Presto:
		return s.nextPresto(at)
	}
	return s.nextDuckDB(at)
}

// nextPresto returns a token that only Presto's SQL has in this form.
func (s *scanner) nextPresto(at int) Token {
	rest := s.sql[at:]
	c := rest[0]
	switch {
	case c|0x20 == 'x' && strings.HasPrefix(rest[1:], "'"): // bytes
		return s.quoted(Text, at, at+2, false)
	case c|0x20 == 'u' && strings.HasPrefix(rest[1:], "&'"): // \ with digits is a character
		return s.quoted(Text, at, at+3, false)
	case Letter(c):
		return Token{Word, at, at + Span(rest, letterOrDigit), false}
	case Digit(c) || c == '.' && len(rest) > 1 && Digit(rest[1]) && !s.afterName(at):
		return Token{Number, at, at + prestoNumber(rest), false}
	}
	return symbol(s.sql, at)
}

// afterName reports whether a name ends at a byte, so that a point there begins no number.
func (s *scanner) afterName(at int) bool {
	return s.last.End == at && (s.last.Kind == Word || s.last.Kind == Quoted)
}

// nextDuckDB returns a token that only DuckDB's SQL has in this form.
func (s *scanner) nextDuckDB(at int) Token {
	rest := s.sql[at:]
	c := rest[0]
	switch {
	case c|0x20 == 'e' && strings.HasPrefix(rest[1:], "'"): // backslashes escape
		return s.escaped(at)
	case c == '$':
		if tag := dollarTag(rest); tag != "" {
			return s.until(Text, at, at+len(tag), tag)
		}
		if n := 1 + Span(rest[1:], Digit); n > 1 { // a parameter, behind which a text may begin
			return Token{Number, at, at + n, false}
		}
	case Letter(c) || c >= utf8.RuneSelf:
		n := 0
		for n < len(rest) && (letterOrDigit(rest[n]) || rest[n] == '$' || rest[n] >= utf8.RuneSelf && s.blank(at+n) == 0) {
			n++
		}
		return Token{Word, at, at + n, false}
	case Digit(c):
		return Token{Number, at, at + number(rest), false}
	}
	return symbol(s.sql, at)
}

// unicodeBlanks lists DuckDB's blanks outside ASCII. Any other character is part of a name.
const unicodeBlanks = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u2060\u3000\ufeff"

// blank returns the number of bytes of the blank at a byte, 0 if there is none.
func (s *scanner) blank(at int) int {
	switch c := s.sql[at]; {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		return 1
	case s.d == Presto:
		return 0
	case c == '\f' || c == '\v':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s.sql[at:]); size > 1 && strings.ContainsRune(unicodeBlanks, r) {
		return size
	}
	return 0
}

// symbols lists the operators of more than one character, longest first. Some belong to neither dialect, so that an
// error can name them.
var symbols = []string{"<=>", "->>", "<>", "!=", "<=", ">=", "||", "->", "=>", "::", "//", "==", "&&", "**", "<<", ">>", ":=", "!~", "~~"}

// symbol returns the operator at a byte, or the one character. No operator contains the start of a comment.
func symbol(sql string, at int) Token {
	rest := sql[at:]
	i := slices.IndexFunc(symbols, func(o string) bool { return strings.HasPrefix(rest, o) })
	if i >= 0 && !strings.HasPrefix(rest[1:], "/*") {
		return Token{Symbol, at, at + len(symbols[i]), false}
	}
	_, n := utf8.DecodeRuneInString(rest)
	return Token{Symbol, at, at + n, false}
}
