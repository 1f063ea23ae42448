package syntax

import (
	"fmt"
	"strings"
)

// Limits of a query.
const (
	// MaxText is the longest query, in bytes.
	MaxText = 4 << 20
	// MaxDepth limits the nesting of expressions, queries and types, and
	// the number of operations of one kind that follow each other (a + b + c …). AND and
	// OR have no such limit.
	MaxDepth = 500
)

// parser is a recursive descent over the tokens. It panics with *Error, which
// Parse recovers.
type parser struct {
	text  string
	toks  []token
	i     int
	depth int
}

// Parse reads one statement, which may end with semicolons. The error is an *Error.
func Parse(text string) (statement Statement, err error) {
	defer recoverError(text, &err)
	p := newParser(text)
	statement = p.statement()
	p.end()
	return statement, nil
}

func newParser(text string) *parser {
	if len(text) > MaxText {
		fail(Span{}, "", "the query has %d bytes: at most %d are taken", len(text), MaxText)
	}
	return &parser{text: text, toks: lex(text)}
}

func recoverError(text string, err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e.Locate(text)
	default:
		panic(e)
	}
}

// fail ends parsing.
func fail(at Node, hint, format string, args ...any) {
	panic(Errorf(NotSQL, at, hint, format, args...))
}

// refuse ends parsing at a form that Presto has and we do not.
func refuse(at Node, hint, what string) {
	panic(Errorf(NotSupported, at, hint, "%s is not supported", what))
}

// end takes semicolons and expects the end of the text.
func (p *parser) end() {
	for p.symbol(";") {
	}
	if p.tok().kind == kindEnd {
		return
	}
	if p.i > 0 && p.toks[p.i-1].word == ";" {
		fail(p.tok(), "run them one after the other", "there is more than one statement")
	}
	p.unexpected("the end of the query")
}

func (p *parser) tok() token { return p.toks[p.i] }

// peek returns the token n places ahead.
func (p *parser) peek(n int) token { return p.toks[min(p.i+n, len(p.toks)-1)] }

func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != kindEnd {
		p.i++
	}
	return t
}

// from returns the span from a token's start to the end of the last token taken.
func (p *parser) from(start int) Span { return Span{start, max(start, p.toks[max(0, p.i-1)].End)} }

// is reports whether the token is a word or symbol.
func (t token) is(words ...string) bool {
	if t.kind != kindWord && t.kind != kindSymbol {
		return false
	}
	for _, w := range words {
		if t.word == w {
			return true
		}
	}
	return false
}

// at reports whether the next tokens are these words or symbols.
func (p *parser) at(words ...string) bool {
	for n, w := range words {
		if !p.peek(n).is(w) {
			return false
		}
	}
	return true
}

// take takes the words if they are next.
func (p *parser) take(words ...string) bool {
	if !p.at(words...) {
		return false
	}
	p.i += len(words)
	return true
}

func (p *parser) symbol(s string) bool { return p.take(s) }

// oneOf takes one of the words and gives it, or "".
func (p *parser) oneOf(words ...string) string {
	if !p.tok().is(words...) {
		return ""
	}
	return p.next().word
}

// expect takes words or fails.
func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.take(w) {
			p.unexpected(w)
		}
	}
}

// unexpected fails at the next token.
func (p *parser) unexpected(expected ...string) {
	t := p.tok()
	list := strings.Join(expected, ", ")
	if n := len(expected); n > 1 {
		list = strings.Join(expected[:n-1], ", ") + " or " + expected[n-1]
	}
	fail(t, p.hint(), "found %s, expected %s", p.describe(t), list)
}

// longest text shown of a token.
const shown = 40

func (p *parser) describe(t token) string {
	if t.kind == kindEnd {
		return "the end of the query"
	}
	s := []rune(t.Text(p.text))
	if len(s) > shown {
		s = append(s[:shown], '…')
	}
	return string(s)
}

// deeper counts one level of nesting until the function returned is called.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > MaxDepth {
		fail(p.tok(), "", "the query is nested more than %d levels deep", MaxDepth)
	}
	return func() { p.depth-- }
}

// chain counts operations that follow each other, whose tree is as deep.
func (p *parser) chain(n int) {
	if n > MaxDepth {
		fail(p.tok(), "", "more than %d operations follow each other", MaxDepth)
	}
}

// list parses items between commas.
func list[T any](p *parser, item func() T) []T {
	items := []T{item()}
	for p.symbol(",") {
		items = append(items, item())
	}
	return items
}

func (p *parser) exprs() []Expr { return list(p, p.expr) }

// name reports whether the token can be a name.
func (t token) name() bool {
	return t.kind == kindQuoted || t.kind == kindWord && !reserved[t.word]
}

// ident takes a name.
func (p *parser) ident(what string) Ident {
	t := p.tok()
	if !t.name() {
		hint := ""
		switch {
		case t.kind == kindString:
			hint = `names are written in "double quotes"`
		case t.kind == kindWord:
			hint = fmt.Sprintf("%s is a reserved word: write \"%s\"", t.word, strings.ToLower(t.Text(p.text)))
		}
		if h := p.hint(); h != "" {
			hint = h
		}
		fail(t, hint, "found %s, expected %s", p.describe(t), what)
	}
	p.next()
	if t.kind == kindQuoted {
		name := unquote(t.Text(p.text), `"`)
		if name == "" {
			fail(t, "", "the name is empty")
		}
		return Ident{Span: t.Span, Name: name, Quoted: true}
	}
	return Ident{Span: t.Span, Name: t.Text(p.text)}
}

// dotted takes a dotted name.
func (p *parser) dotted(what string) Name {
	start := p.tok().Start
	parts := []Ident{p.ident(what)}
	for p.symbol(".") {
		parts = append(parts, p.ident("a name"))
	}
	return Name{Span: p.from(start), Parts: parts}
}

// idents takes (name, …).
func (p *parser) idents(what string) []Ident {
	return inBrackets(p, func() []Ident { return list(p, func() Ident { return p.ident(what) }) })
}

// inside returns the index of the first of the words between the brackets that are open, leaving out what is in
// brackets of its own, or -1.
func (p *parser) inside(words ...string) int {
	for i := p.i; i < len(p.toks); i++ {
		t := p.toks[i]
		switch {
		case t.kind == kindEnd || t.is(")", "]", "}", ";"):
			return -1
		case t.is(words...):
			return i
		case t.close > i:
			i = t.close
		}
	}
	return -1
}
