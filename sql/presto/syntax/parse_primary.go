package syntax

import (
	"strconv"
	"strings"
)

// primary takes a value and what follows it without an operator: [index] and .field.
func (p *parser) primary() Expr {
	start := p.tok().Start
	x := p.atom()
	for n := 1; ; n++ {
		p.chain(n)
		switch {
		case p.symbol("["):
			index := p.subscript()
			p.expect("]")
			x = &Subscript{Span: p.from(start), Base: x, Index: index}
		case p.at(".") && (p.peek(1).name() || p.peek(1).kind == kindWord): // for a reserved word there is a hint
			p.next()
			name := p.ident("a field")
			x = &Field{Span: p.from(start), Base: x, Name: name}
		default:
			return x
		}
	}
}

func (p *parser) subscript() Expr {
	defer p.deeper()()
	return p.value(lowest)
}

func (p *parser) atom() Expr {
	t := p.tok()
	switch t.kind {
	case kindString, kindUnicode:
		return p.stringLit()
	case kindBinary:
		p.next()
		return &BinaryLit{Span: t.Span, Value: binary(t, t.Text(p.text))}
	case kindInteger, kindDecimal, kindDouble:
		return p.numeric()
	case kindQuoted:
		return p.named()
	case kindSymbol:
		return p.symbolic()
	case kindWord:
		if f, ok := forms[t.word]; ok {
			if x := f(p); x != nil {
				return x
			}
		}
		if t.name() {
			return p.named()
		}
	}
	p.unexpected("an expression")
	return nil
}

func (p *parser) numeric() Expr {
	t := p.next()
	s := t.Text(p.text)
	switch t.kind {
	case kindInteger:
		return &IntLit{Span: t.Span, Value: p.integer(t)}
	case kindDouble:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			fail(t, "", "%s is too large for a double", p.describe(t))
		}
		return &DoubleLit{Span: t.Span, Value: f}
	}
	return &DecimalLit{Span: t.Span, Text: strings.ReplaceAll(s, "_", "")}
}

// symbolic takes what begins with a bracket.
func (p *parser) symbolic() Expr {
	t := p.tok()
	switch {
	case t.is("?"):
		refuse(t, noParameters, "a parameter")
	case !t.is("("):
		p.unexpected("an expression")
	}
	if t.close > 0 && p.toks[t.close+1].is("->") {
		return p.lambda()
	}
	if p.startsQuery(p.i) {
		q := inBrackets(p, p.query)
		return &Subquery{Span: p.from(t.Start), Query: q}
	}
	p.next()
	first := p.expr()
	if !p.at(",") {
		p.expect(")")
		return first
	}
	r := &Row{Elems: []Expr{first}}
	for p.symbol(",") {
		r.Elems = append(r.Elems, p.expr())
	}
	p.expect(")")
	r.Span = p.from(t.Start)
	return r
}

// lambda takes x -> body or (x, …) -> body.
func (p *parser) lambda() Expr {
	defer p.deeper()()
	start := p.tok().Start
	l := &Lambda{}
	if p.symbol("(") {
		if !p.at(")") {
			l.Params = list(p, func() Ident { return p.ident("a name") })
		}
		p.expect(")")
	} else {
		l.Params = []Ident{p.ident("a name")}
	}
	p.expect("->")
	l.Body = p.expr()
	l.Span = p.from(start)
	return l
}

// named takes what begins with a name: a column, a call, a lambda or a literal
// with its type.
func (p *parser) named() Expr {
	start := p.tok().Start
	switch next := p.peek(1); {
	case next.is("->"):
		return p.lambda()
	case next.kind == kindString || next.kind == kindUnicode:
		name := p.ident("a type")
		value := p.stringLit()
		return &TypedLit{Span: p.from(start), Type: name.Key(), TypeAt: name.Span, Value: value.Value}
	}
	n := 1
	for p.peek(n).is(".") && p.peek(n+1).name() {
		n += 2
	}
	if p.peek(n).is("(") {
		return p.call(p.dotted("a function"))
	}
	name := p.ident("a column")
	return &Column{Span: name.Span, Name: name}
}

func (p *parser) interval() Expr {
	start := p.next().Start
	i := &IntervalLit{Negative: p.oneOf("+", "-") == "-"}
	i.Value = p.stringLit().Value
	i.From, i.To = p.intervalFields()
	i.Span = p.from(start)
	return i
}

var intervalFields = map[string]IntervalField{"YEAR": Year, "MONTH": Month, "DAY": Day, "HOUR": Hour, "MINUTE": Minute, "SECOND": Second}

// intervalFields takes field [TO field].
func (p *parser) intervalFields() (from, to IntervalField) {
	field := func() IntervalField {
		f, ok := intervalFields[p.tok().word]
		if !ok || p.tok().kind != kindWord {
			if p.tok().is("DAYS", "HOURS", "MINUTES", "SECONDS", "MONTHS", "YEARS", "WEEK", "WEEKS") {
				fail(p.tok(), "the units are YEAR, MONTH, DAY, HOUR, MINUTE and SECOND: INTERVAL '7' DAY", "found %s, expected a unit", p.tok().word)
			}
			fail(p.tok(), "write INTERVAL '7' DAY", "found %s, expected a unit such as DAY", p.describe(p.tok()))
		}
		p.next()
		return f
	}
	from = field()
	if p.take("TO") {
		to = field()
	}
	return from, to
}
