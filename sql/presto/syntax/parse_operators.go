package syntax

// expr takes an expression: OR binds least, then AND, NOT and predicates.
func (p *parser) expr() Expr {
	defer p.deeper()()
	return p.logical("OR", func() Expr { return p.logical("AND", p.not) })
}

// logical takes terms between words.
func (p *parser) logical(word string, term func() Expr) Expr {
	start := p.tok().Start
	first := term()
	if !p.at(word) {
		return first
	}
	l := &Logical{Or: word == "OR", Terms: []Expr{first}}
	for p.take(word) {
		l.Terms = append(l.Terms, term())
	}
	l.Span = p.from(start)
	return l
}

func (p *parser) not() Expr {
	start := p.tok().Start
	if !p.take("NOT") {
		return p.predicate()
	}
	defer p.deeper()()
	x := p.not()
	return &Not{Span: p.from(start), X: x}
}

// comparisons are the operators, with how they are named in the tree.
var comparisons = map[string]string{"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

// predicate takes a value and at most one predicate on it.
func (p *parser) predicate() Expr {
	start := p.tok().Start
	left := p.value(lowest)
	t := p.tok()
	if op, ok := comparisons[t.word]; ok && t.kind == kindSymbol {
		p.next()
		x := p.comparison(start, op, left)
		if next, ok := comparisons[p.tok().word]; ok && p.tok().kind == kindSymbol {
			fail(p.tok(), "join comparisons with AND, or put one in brackets", "a second comparison, %s, behind %s", next, op)
		}
		return x
	}
	if p.take("IS") {
		return p.is(start, left)
	}
	not := p.at("NOT") && p.peek(1).is("BETWEEN", "IN", "LIKE")
	if not {
		p.next()
	}
	switch {
	case p.take("BETWEEN"):
		low := p.value(lowest)
		p.expect("AND")
		high := p.value(lowest)
		return &Between{Span: p.from(start), Not: not, X: left, Low: low, High: high}
	case p.take("IN"):
		return p.in(start, not, left)
	case p.take("LIKE"):
		l := &Like{Not: not, X: left, Pattern: p.value(lowest)}
		if p.take("ESCAPE") {
			l.Escape = p.value(lowest)
		}
		l.Span = p.from(start)
		return l
	}
	return left
}

// comparison takes what is right of an operator.
func (p *parser) comparison(start int, op string, left Expr) Expr {
	if p.tok().is("ALL", "ANY", "SOME") && p.peek(1).is("(") && p.startsQuery(p.i+1) {
		all := p.next().word == "ALL"
		q := inBrackets(p, p.query)
		return &Quantified{Span: p.from(start), Op: op, All: all, Left: left, Query: q}
	}
	right := p.value(lowest)
	return &Compare{Span: p.from(start), Op: op, Left: left, Right: right}
}

func (p *parser) is(start int, left Expr) Expr {
	not := p.take("NOT")
	switch {
	case p.take("NULL"):
		return &IsNull{Span: p.from(start), Not: not, X: left}
	case p.take("DISTINCT"):
		p.expect("FROM")
		right := p.value(lowest)
		return &DistinctFrom{Span: p.from(start), Not: not, Left: left, Right: right}
	case p.tok().is("TRUE", "FALSE"):
		fail(p.tok(), "write x = true, or x IS NOT DISTINCT FROM true where x may be null", "Presto has no IS %s", p.tok().word)
	}
	p.unexpected("NULL", "DISTINCT FROM")
	return nil
}

// in takes (query) or (expression, …).
func (p *parser) in(start int, not bool, left Expr) Expr {
	if p.at("(") && p.startsQuery(p.i) && !p.scalarList() {
		q := inBrackets(p, p.query)
		return &InQuery{Span: p.from(start), Not: not, X: left, Query: q}
	}
	p.expect("(")
	if p.at(")") {
		fail(p.tok(), "", "the list of IN is empty")
	}
	items := list(p, p.expr)
	p.expect(")")
	return &InList{Span: p.from(start), Not: not, X: left, List: items}
}

// scalarList reports whether the brackets hold a query in brackets of its own:
// IN ((SELECT …)) is a list of one value.
func (p *parser) scalarList() bool {
	inner := p.peek(1)
	return inner.is("(") && inner.close > 0 && p.toks[inner.close+1].is(")")
}

// inBrackets takes an item in brackets.
func inBrackets[T any](p *parser, item func() T) T {
	p.expect("(")
	x := item()
	p.expect(")")
	return x
}

// How tightly operators bind.
const (
	lowest = iota
	bindConcat
	bindAdd
	bindMultiply
	bindUnary
)

var binds = map[string]int{"||": bindConcat, "+": bindAdd, "-": bindAdd, "*": bindMultiply, "/": bindMultiply, "%": bindMultiply}

// value takes operations that bind more tightly than min.
func (p *parser) value(min int) Expr {
	start := p.tok().Start
	left := p.unary()
	for n := 1; ; n++ {
		p.chain(n)
		t := p.tok()
		bind, ok := binds[t.word]
		if !ok || t.kind != kindSymbol || bind <= min {
			return left
		}
		p.next()
		right := p.value(bind)
		left = &Binary{Span: p.from(start), Op: t.word, Left: left, Right: right}
	}
}

// smallest is the bigint whose digits alone are too large.
const smallest = "9223372036854775808"

func (p *parser) unary() Expr {
	t := p.tok()
	if !t.is("-", "+") {
		return p.zoned()
	}
	p.next()
	if n := p.tok(); t.word == "-" && n.kind == kindInteger && n.Text(p.text) == smallest {
		p.next()
		return &IntLit{Span: p.from(t.Start), Value: -1 << 63}
	}
	defer p.deeper()()
	x := p.unary()
	return &Unary{Span: p.from(t.Start), Op: t.word[0], X: x}
}

// zoned takes x [AT TIME ZONE zone].
func (p *parser) zoned() Expr {
	start := p.tok().Start
	x := p.primary()
	for n := 1; p.take("AT", "TIME", "ZONE"); n++ {
		p.chain(n)
		var zone Expr
		if p.at("INTERVAL") {
			zone = p.interval()
		} else {
			zone = p.stringLit()
		}
		x = &AtTimeZone{Span: p.from(start), X: x, Zone: zone}
	}
	return x
}
