package syntax

// fromList takes relations between commas: cross joins.
func (p *parser) fromList() Relation {
	start := p.tok().Start
	left := p.relation()
	for n := 1; p.symbol(","); n++ {
		p.chain(n)
		right := p.relation()
		left = &Join{Span: p.from(start), Kind: CrossJoin, Comma: true, Left: left, Right: right}
	}
	return left
}

// relation takes joins. The right side of one with ON or USING may itself be
// joins: a JOIN b JOIN c ON … ON ….
func (p *parser) relation() Relation {
	defer p.deeper()()
	start := p.tok().Start
	left := p.sampled()
	for n := 1; ; n++ {
		p.chain(n)
		j := &Join{Left: left}
		switch {
		case p.take("CROSS", "JOIN"):
			j.Right = p.sampled()
		case p.take("NATURAL"):
			j.Natural = true
			if !p.joinKind(j) {
				p.unexpected("JOIN")
			}
			j.Right = p.sampled()
		case p.joinKind(j):
			j.Right = p.relation() // holds the joins that stand before this one's condition
			p.joinCondition(j)
		default:
			return left
		}
		j.Span = p.from(start)
		left = j
	}
}

// joinKind takes [INNER | LEFT | RIGHT | FULL [OUTER]] JOIN.
func (p *parser) joinKind(j *Join) bool {
	if p.take("JOIN") {
		j.Kind = InnerJoin
		return true
	}
	kind, ok := map[string]JoinKind{"INNER": InnerJoin, "LEFT": LeftJoin, "RIGHT": RightJoin, "FULL": FullJoin}[p.tok().word]
	if !ok || p.tok().kind != kindWord {
		return false
	}
	p.next()
	if kind != InnerJoin {
		p.take("OUTER")
	}
	p.expect("JOIN")
	j.Kind = kind
	return true
}

func (p *parser) joinCondition(j *Join) {
	switch {
	case p.take("ON"):
		j.On = p.expr()
	case p.take("USING"):
		j.Using = p.idents("a column")
	default:
		p.unexpected("ON", "USING")
	}
}

func (p *parser) sampled() Relation {
	start := p.tok().Start
	r := p.aliased()
	if !p.at("TABLESAMPLE") {
		return r
	}
	p.next()
	s := &Sampled{Relation: r}
	switch p.oneOf("BERNOULLI", "SYSTEM") {
	case "SYSTEM":
		s.System = true
	case "":
		p.unexpected("BERNOULLI", "SYSTEM")
	}
	s.Percentage = inBrackets(p, p.expr)
	s.Span = p.from(start)
	return s
}

func (p *parser) aliased() Relation {
	start := p.tok().Start
	r := p.relationPrimary()
	if p.at("MATCH_RECOGNIZE", "(") {
		refuse(p.tok(), "window functions such as lag and lead may do", "MATCH_RECOGNIZE")
	}
	alias := p.alias()
	if alias == nil {
		return r
	}
	a := &Aliased{Relation: r, Alias: *alias}
	if p.at("(") {
		a.Columns = p.idents("a column name")
	}
	a.Span = p.from(start)
	if p.at("MATCH_RECOGNIZE", "(") {
		refuse(p.tok(), "window functions such as lag and lead may do", "MATCH_RECOGNIZE")
	}
	return a
}

func (p *parser) relationPrimary() Relation {
	t := p.tok()
	switch {
	case t.is("UNNEST") && p.peek(1).is("("):
		return p.unnest()
	case t.is("LATERAL") && p.peek(1).is("("):
		p.next()
		q := inBrackets(p, p.query)
		return &Lateral{Span: p.from(t.Start), Query: q}
	case t.is("TABLE") && p.peek(1).is("("):
		refuse(t, "UNNEST(sequence(1, 10)) gives rows", "a table function")
	case t.is("JSON_TABLE"):
		refuse(t, "UNNEST(CAST(json_parse(x) AS array(json))) gives rows", "JSON_TABLE")
	case t.is("("):
		if p.startsQuery(p.i) {
			q := inBrackets(p, p.query)
			return &Derived{Span: p.from(t.Start), Query: q}
		}
		return inBrackets(p, p.relation)
	}
	name := p.dotted("a table")
	if p.at("FOR") && p.peek(1).is("VERSION", "TIMESTAMP") {
		refuse(p.tok(), "", "FOR "+p.peek(1).word)
	}
	if p.at("(") {
		fail(t, p.hint(), "%s(…) is not a table", name.Text(p.text))
	}
	return &TableName{Span: name.Span, Name: name}
}

func (p *parser) unnest() Relation {
	start := p.next().Start
	u := &Unnest{Args: inBrackets(p, p.exprs)}
	u.Ordinality = p.take("WITH", "ORDINALITY")
	u.Span = p.from(start)
	return u
}
