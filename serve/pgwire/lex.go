package pgwire

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/lexer"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	word   tokenKind = iota // a name or keyword, with or without quotation marks
	text                    // a string
	number                  // or a parameter, such as $1
	mark                    // an operator, or a single character such as a bracket
)

var kinds = map[lexer.Kind]tokenKind{
	lexer.Word: word, lexer.Quoted: word, lexer.Text: text, lexer.Number: number, lexer.Symbol: mark, lexer.Parameter: mark,
}

// token is a token of SQL. White space and comments are not tokens.
type token struct {
	kind     tokenKind
	from, to int // bytes of the text
	text     string
}

// is reports whether the token is one of these keywords or marks.
func (t token) is(names ...string) bool {
	for _, n := range names {
		if strings.EqualFold(t.text, n) && (t.kind == word || t.kind == mark) {
			return true
		}
	}
	return false
}

// name returns the name that a word stands for: without quotation marks, or in lower case.
func (t token) name() string {
	if strings.HasPrefix(t.text, `"`) {
		return strings.ReplaceAll(strings.Trim(t.text, `"`), `""`, `"`)
	}
	return strings.ToLower(t.text)
}

// literal returns the value of a string literal.
func (t token) literal() string {
	s := t.text
	if i := strings.IndexByte(s, '\''); i >= 0 && strings.HasSuffix(s, "'") && len(s) >= i+2 {
		return strings.ReplaceAll(s[i+1:len(s)-1], "''", "'")
	}
	return s
}

const operators = "+*/<>=~!@#%^&|`?-"

// lex returns the tokens of any text, which PostgreSQL and DuckDB divide alike. An unterminated token extends to the end.
// An operator of several characters is one token.
func lex(s string) iter.Seq[token] {
	return func(yield func(token) bool) {
		var last token
		for t := range lexer.Scan(lexer.DuckDB, s) {
			if t.Kind == lexer.Comment {
				continue
			}
			next := token{kinds[t.Kind], t.Start, t.End, t.Text(s)}
			if next.kind == mark && last.kind == mark && last.to == next.from && joined(last.text, next.text) {
				last.to, last.text = next.to, s[last.from:next.to]
				continue
			}
			if last.to > 0 && !yield(last) {
				return
			}
			last = next
		}
		if last.to > 0 {
			yield(last)
		}
	}
}

// joined reports whether two adjacent marks form one operator.
func joined(a, b string) bool {
	return strings.Contains(operators, a[:1]) && strings.Trim(b, operators) == ""
}

// command is one statement of a text.
type command struct {
	text      string
	from      int     // characters of the text before the statement
	head      []token // the first tokens, at most maxHead
	catalog   bool    // it reads PostgreSQL's catalog
	parameter int     // the offset of the first parameter in bytes; -1: none
}

// Limits of a text. A statement does not keep all its tokens, because they take more memory than the text.
const (
	maxCommands = 1000
	maxHead     = 64
)

// split splits a text at its semicolons.
func split(s string) (all []command, err error) {
	if !utf8.ValidString(s) {
		return nil, &failure{code: "22021", message: "the text is not UTF-8"}
	}
	seen, characters := 0, 0 // the bytes of s counted so far, and their characters
	var c *splitting
	for t := range lex(s) {
		switch {
		case t.kind != mark || t.text != ";":
			if c == nil {
				characters += utf8.RuneCountInString(s[seen:t.from])
				seen = t.from
				c = &splitting{command: command{from: characters, parameter: -1}, at: t.from}
			}
			c.add(t)
			continue
		case c == nil:
			continue
		case len(all) == maxCommands:
			return nil, &failure{code: "54000", message: fmt.Sprintf("more than %d statements in a text", maxCommands)}
		}
		all, c = append(all, c.done(s)), nil
	}
	if c != nil {
		all = append(all, c.done(s))
	}
	return all, nil
}

// splitting is a command whose end has not been read yet.
type splitting struct {
	command
	about aboutCatalog
	at    int // the offset of its first byte in the text
	end   int
}

func (c *splitting) add(t token) {
	c.about.add(t)
	c.end = t.to
	t.from, t.to = t.from-c.at, t.to-c.at
	if len(c.head) < maxHead {
		c.head = append(c.head, t)
	}
	if c.parameter < 0 && t.kind == number && t.text[0] == '$' {
		c.parameter = t.from
	}
}

func (c *splitting) done(s string) command {
	c.text, c.catalog = s[c.at:c.end], c.about.is()
	return c.command
}
