package syntax

// call takes the arguments of a function, and what follows them.
func (p *parser) call(name Name) Expr {
	c := &Call{Name: name}
	p.expect("(")
	switch {
	case p.at("*", ")"):
		p.next()
		c.Star = true
	case !p.at(")"):
		c.Distinct = p.oneOf("DISTINCT", "ALL") == "DISTINCT"
		c.Args = list(p, p.argument)
		c.OrderBy = p.orderBy()
	}
	p.expect(")")
	c.Filter = p.filter()
	if p.tok().is("IGNORE", "RESPECT") && p.peek(1).is("NULLS") {
		c.Nulls = RespectNulls
		if p.next().word == "IGNORE" {
			c.Nulls = IgnoreNulls
		}
		p.next()
		if !p.at("OVER") {
			p.unexpected("OVER")
		}
		c.Over = p.over()
	} else if p.at("OVER") && (p.peek(1).is("(") || p.peek(1).name()) {
		c.Over = p.over()
	}
	c.Span = p.from(name.Start)
	return c
}

// argument takes one argument, and explains forms of other dialects in calls.
func (p *parser) argument() Expr {
	x := p.expr()
	switch {
	case p.at(".", "*"):
		fail(p.tok(), "", "x.* cannot be an argument")
	case p.tok().is("IGNORE", "RESPECT"):
		fail(p.tok(), "write it behind the brackets: lag(x) IGNORE NULLS OVER (…)", "found %s, expected , or )", p.tok().word)
	}
	return x
}

// filter takes [FILTER (WHERE condition)].
func (p *parser) filter() Expr {
	if !p.at("FILTER", "(") {
		return nil
	}
	p.i += 2
	p.expect("WHERE")
	x := p.expr()
	p.expect(")")
	return x
}

func (p *parser) listagg() Expr {
	start := p.next().Start
	p.expect("(")
	l := &Listagg{}
	l.Distinct = p.oneOf("DISTINCT", "ALL") == "DISTINCT"
	l.X = p.expr()
	if p.symbol(",") {
		l.Separator = p.stringLit()
	}
	if p.at("ON") {
		l.Overflow = p.overflow()
	}
	p.expect(")")
	if !p.take("WITHIN", "GROUP") {
		fail(p.tok(), "write listagg(x, ', ') WITHIN GROUP (ORDER BY x)", "found %s, expected WITHIN GROUP", p.describe(p.tok()))
	}
	p.expect("(")
	if l.OrderBy = p.orderBy(); l.OrderBy == nil {
		p.unexpected("ORDER BY")
	}
	p.expect(")")
	l.Filter = p.filter()
	l.Span = p.from(start)
	return l
}

func (p *parser) overflow() *Overflow {
	start := p.tok().Start
	p.expect("ON", "OVERFLOW")
	o := &Overflow{}
	switch p.oneOf("ERROR", "TRUNCATE") {
	case "TRUNCATE":
		o.Truncate = true
		if k := p.tok().kind; k == kindString || k == kindUnicode {
			o.Filler = p.stringLit()
		}
		switch p.oneOf("WITH", "WITHOUT") {
		case "WITH":
			o.WithCount = true
		case "":
			p.unexpected("WITH COUNT", "WITHOUT COUNT")
		}
		p.expect("COUNT")
	case "":
		p.unexpected("ERROR", "TRUNCATE")
	}
	o.Span = p.from(start)
	return o
}
