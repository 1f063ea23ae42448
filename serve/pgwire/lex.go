package pgwire

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/sql/sqltext"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	word   tokenKind = iota // a name or keyword, in quotation marks or not
	text                    // a string
	number                  // or a parameter, such as $1
	mark                    // an operator, or a single character such as a bracket
)

var kinds = map[sqltext.Kind]tokenKind{sqltext.Word: word, sqltext.Quoted: word, sqltext.Text: text, sqltext.Number: number, sqltext.Symbol: mark}

// token is a token of SQL. Blanks and comments are between tokens.
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

const operators = "+*/<>=~!@#%^&|`?-"

// lex gives the tokens of a text, of any: what does not end goes to the end of it. Operators of several characters are one token.
func lex(s string) iter.Seq[token] {
	return func(yield func(token) bool) {
		var last token
		for t := range sqltext.Each(s, true) {
			if t.Kind == sqltext.Comment {
				continue
			}
			next := token{kinds[t.Kind], t.Start, t.End, t.Of(s)}
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

// joined says whether two marks that touch are one operator.
func joined(a, b string) bool {
	return a == ":" && b == ":" || strings.Contains(operators, a[:1]) && strings.Contains(operators, b)
}

// command is one statement of a text.
type command struct {
	text      string
	from      int     // characters of the text before it
	head      []token // the first tokens, mostHead at most
	catalog   bool    // it is about the catalog
	parameter int     // the byte of the first parameter, -1 if there is none
}

// Limits of a text. A statement does not keep all its tokens, which take more memory than it.
const (
	maxCommands = 1000
	maxHead     = 64
)

// split divides a text at its semicolons.
func split(s string) (all []command, err error) {
	if !utf8.ValidString(s) {
		return nil, &failure{code: "22021", message: "the text is not UTF-8"}
	}
	seen, characters := 0, 0 // the bytes of s that were counted, and their characters
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

// splitting is a command whose end was not seen yet.
type splitting struct {
	command
	about aboutCatalog
	at    int // the byte of the text where it begins
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
