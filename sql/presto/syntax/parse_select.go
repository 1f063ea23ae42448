package syntax

func (p *parser) selectBody() Body {
	start := p.next().Start
	s := &Select{}
	s.Distinct = p.oneOf("ALL", "DISTINCT") == "DISTINCT"
	s.Items = list(p, p.selectItem)
	if p.take("FROM") {
		s.From = p.fromList()
	}
	if p.take("WHERE") {
		s.Where = p.expr()
	}
	if at := p.tok().Start; p.take("GROUP") {
		p.expect("BY")
		s.GroupBy = &GroupBy{}
		s.GroupBy.Distinct = p.oneOf("ALL", "DISTINCT") == "DISTINCT"
		s.GroupBy.Elements = list(p, p.groupElement)
		s.GroupBy.Span = p.from(at)
	}
	if p.take("HAVING") {
		s.Having = p.expr()
	}
	if p.take("WINDOW") {
		s.Windows = list(p, p.windowDef)
	}
	s.Span = p.from(start)
	return s
}

func (p *parser) selectItem() SelectItem {
	start := p.tok().Start
	if p.symbol("*") {
		return SelectItem{Span: p.from(start), Star: true, Text: p.from(start)}
	}
	s := SelectItem{Expr: p.expr()}
	s.Text = p.from(start)
	if p.at(".", "*") {
		p.next()
		p.next()
		s.Star = true
		s.Text = p.from(start)
		if p.take("AS") {
			s.Columns = p.idents("a column name")
		}
		s.Span = p.from(start)
		return s
	}
	s.Alias = p.alias()
	s.Span = p.from(start)
	return s
}

// alias takes [AS] name if it is next.
func (p *parser) alias() *Ident {
	if p.take("AS") {
		name := p.ident("a name")
		return &name
	}
	if t := p.tok(); !t.name() || p.clause(t) {
		return nil
	}
	name := p.ident("a name")
	return &name
}

// clause reports whether the word is not an alias, since it begins a clause.
func (p *parser) clause(t token) bool {
	if t.kind != kindWord {
		return false
	}
	behind := p.peek(1)
	switch {
	case clauses[t.word]:
		return behind.kind == kindInteger || behind.name() && !clauses[behind.word] || behind.is("(", "?")
	case foreign[t.word] == "*":
		return behind.kind == kindString || behind.name() || behind.is("(", "CASE", "NOT")
	}
	return foreign[t.word] != "" && behind.is(foreign[t.word])
}

// groupElement takes one of GROUP BY.
func (p *parser) groupElement() GroupElement {
	start := p.tok().Start
	var g GroupElement
	switch {
	case p.tok().is("ROLLUP", "CUBE"):
		if g.Kind = GroupRollup; p.next().word == "CUBE" {
			g.Kind = GroupCube
		}
		if !p.take("(", ")") {
			g.Sets = inBrackets(p, p.groupingSets)
		}
	case p.at("GROUPING", "SETS"):
		p.i += 2
		g.Kind = GroupSets
		g.Sets = inBrackets(p, p.groupingSets)
	default:
		g.Sets = [][]Expr{p.groupingSet()}
	}
	g.Span = p.from(start)
	return g
}

func (p *parser) groupingSets() [][]Expr { return list(p, p.groupingSet) }

// groupingSet takes (a, …) or an expression.
func (p *parser) groupingSet() []Expr {
	if t := p.tok(); t.is("(") && t.close > 0 && !p.startsQuery(p.i) && p.endsElement(p.toks[t.close+1]) {
		p.next()
		if p.symbol(")") {
			return nil
		}
		exprs := p.exprs()
		p.expect(")")
		return exprs
	}
	return []Expr{p.expr()}
}

// endsElement reports whether a token stands behind an element of GROUP BY.
func (p *parser) endsElement(t token) bool {
	return t.kind == kindEnd || t.is(",", ")", ";", "HAVING", "WINDOW", "ORDER", "UNION", "INTERSECT", "EXCEPT", "LIMIT", "OFFSET", "FETCH")
}

func (p *parser) windowDef() WindowDef {
	start := p.tok().Start
	w := WindowDef{Name: p.ident("a name for the window")}
	p.expect("AS")
	w.Spec = inBrackets(p, p.windowSpec)
	w.Span = p.from(start)
	return w
}

func (p *parser) over() *Over {
	start := p.next().Start
	o := &Over{}
	if p.at("(") {
		o.Spec = inBrackets(p, p.windowSpec)
	} else {
		name := p.ident("a window")
		o.Name = &name
	}
	o.Span = p.from(start)
	return o
}

func (p *parser) windowSpec() *WindowSpec {
	defer p.deeper()()
	start := p.tok().Start
	w := &WindowSpec{}
	frame := p.tok().is("ROWS", "RANGE", "GROUPS") && !p.peek(1).is(")", "PARTITION", "ORDER")
	if p.tok().name() && !p.at("PARTITION", "BY") && !frame {
		base := p.ident("a window")
		w.Base = &base
	}
	if p.take("PARTITION") {
		p.expect("BY")
		w.PartitionBy = p.exprs()
	}
	w.OrderBy = p.orderBy()
	if p.tok().is("ROWS", "RANGE", "GROUPS") {
		w.Frame = p.frame()
	}
	w.Span = p.from(start)
	return w
}

func (p *parser) frame() *Frame {
	start := p.tok().Start
	f := &Frame{Unit: map[string]FrameUnit{"ROWS": FrameRows, "RANGE": FrameRange, "GROUPS": FrameGroups}[p.next().word]}
	if p.take("BETWEEN") {
		f.Begin = p.bound()
		p.expect("AND")
		end := p.bound()
		f.End = &end
	} else {
		f.Begin = p.bound()
	}
	if p.at("EXCLUDE") {
		fail(p.tok(), duckSQL, "Presto's frames have no EXCLUDE")
	}
	f.Span = p.from(start)
	return f
}

func (p *parser) bound() Bound {
	start := p.tok().Start
	var b Bound
	switch {
	case p.take("UNBOUNDED", "PRECEDING"):
		b.Kind = UnboundedPreceding
	case p.take("UNBOUNDED", "FOLLOWING"):
		b.Kind = UnboundedFollowing
	case p.take("CURRENT", "ROW"):
		b.Kind = CurrentRow
	default:
		b.Expr = p.expr()
		switch p.oneOf("PRECEDING", "FOLLOWING") {
		case "PRECEDING":
			b.Kind = Preceding
		case "FOLLOWING":
			b.Kind = Following
		default:
			p.unexpected("PRECEDING", "FOLLOWING")
		}
	}
	b.Span = p.from(start)
	return b
}
