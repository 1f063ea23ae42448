package syntax

// forms are expressions that begin with a word of their own. A function gives
// nil when the word is a name here.
var forms map[string]func(p *parser) Expr

func init() {
	forms = map[string]func(p *parser) Expr{
		"NULL":              func(p *parser) Expr { return &NullLit{Span: p.next().Span} },
		"TRUE":              func(p *parser) Expr { return &BoolLit{Span: p.next().Span, Value: true} },
		"FALSE":             func(p *parser) Expr { return &BoolLit{Span: p.next().Span} },
		"INTERVAL":          (*parser).intervalOrName,
		"DOUBLE":            (*parser).doublePrecision,
		"CASE":              (*parser).caseOf,
		"CAST":              (*parser).cast,
		"TRY_CAST":          (*parser).cast,
		"EXISTS":            (*parser).exists,
		"ARRAY":             (*parser).array,
		"ROW":               (*parser).row,
		"EXTRACT":           (*parser).extract,
		"POSITION":          (*parser).position,
		"SUBSTRING":         (*parser).substring,
		"TRIM":              (*parser).trim,
		"NORMALIZE":         (*parser).normalize,
		"GROUPING":          (*parser).grouping,
		"LISTAGG":           (*parser).listagg,
		"JSON_EXISTS":       (*parser).jsonExists,
		"JSON_VALUE":        (*parser).jsonValue,
		"JSON_QUERY":        (*parser).jsonQuery,
		"JSON_OBJECT":       (*parser).jsonObject,
		"JSON_ARRAY":        (*parser).jsonArray,
		"CURRENT_DATE":      current(CurrentDate, false),
		"CURRENT_TIME":      current(CurrentTime, true),
		"CURRENT_TIMESTAMP": current(CurrentTimestamp, true),
		"LOCALTIME":         current(LocalTime, true),
		"LOCALTIMESTAMP":    current(LocalTimestamp, true),
		"CURRENT_USER":      current(CurrentUser, false),
		"CURRENT_CATALOG":   current(CurrentCatalog, false),
		"CURRENT_SCHEMA":    current(CurrentSchema, false),
		"CURRENT_PATH":      current(CurrentPath, false),
	}
}

func current(kind CurrentKind, precision bool) func(p *parser) Expr {
	return func(p *parser) Expr {
		start := p.next().Start
		c := &Current{Kind: kind, Precision: -1}
		if precision && p.symbol("(") {
			t := p.tok()
			if t.kind != kindInteger || p.integer(t) > 12 {
				p.unexpected("a precision from 0 to 12")
			}
			p.next()
			c.Precision = int(p.integer(t))
			p.expect(")")
		}
		c.Span = p.from(start)
		return c
	}
}

func (p *parser) intervalOrName() Expr {
	next := p.peek(1)
	if next.is("+", "-") {
		next = p.peek(2)
	}
	if next.kind == kindInteger && !p.peek(1).is("+", "-") {
		fail(next, "write INTERVAL '7' DAY", "the number of an interval is in quotes")
	}
	if next.kind != kindString && next.kind != kindUnicode {
		return nil
	}
	return p.interval()
}

func (p *parser) doublePrecision() Expr {
	if next := p.peek(2); !p.peek(1).is("PRECISION") || next.kind != kindString && next.kind != kindUnicode {
		return nil
	}
	start := p.tok().Start
	p.i += 2
	at := p.from(start)
	value := p.stringLit()
	return &TypedLit{Span: p.from(start), Type: "double", TypeAt: at, Value: value.Value}
}

func (p *parser) caseOf() Expr {
	start := p.next().Start
	c := &Case{}
	if !p.at("WHEN") {
		c.Operand = p.expr()
	}
	for p.at("WHEN") {
		at := p.next().Start
		w := When{Cond: p.expr()}
		p.expect("THEN")
		w.Result = p.expr()
		w.Span = p.from(at)
		c.Whens = append(c.Whens, w)
	}
	if c.Whens == nil {
		p.unexpected("WHEN")
	}
	if p.take("ELSE") {
		c.Else = p.expr()
	}
	if !p.take("END") {
		p.unexpected("WHEN", "ELSE", "END")
	}
	c.Span = p.from(start)
	return c
}

func (p *parser) cast() Expr {
	t := p.tok()
	if !p.peek(1).is("(") {
		if t.is("TRY_CAST") {
			return nil
		}
		p.next()
		p.unexpected("(")
	}
	p.i += 2
	c := &Cast{Try: t.is("TRY_CAST"), X: p.expr()}
	p.expect("AS")
	c.Type = p.typ()
	p.expect(")")
	c.Span = p.from(t.Start)
	return c
}

func (p *parser) exists() Expr {
	start := p.next().Start
	q := inBrackets(p, p.query)
	return &Exists{Span: p.from(start), Query: q}
}

func (p *parser) array() Expr {
	if !p.peek(1).is("[") {
		return nil
	}
	start := p.next().Start
	p.next()
	a := &Array{}
	if !p.at("]") {
		a.Elems = p.exprs()
	}
	p.expect("]")
	a.Span = p.from(start)
	return a
}

func (p *parser) row() Expr {
	if !p.peek(1).is("(") {
		return nil
	}
	start := p.next().Start
	r := &Row{Elems: inBrackets(p, p.exprs)}
	r.Span = p.from(start)
	return r
}

func (p *parser) extract() Expr {
	start := p.next().Start
	p.expect("(")
	field := p.ident("a field such as YEAR")
	p.expect("FROM")
	x := p.valueInside()
	p.expect(")")
	return &Extract{Span: p.from(start), Field: field, X: x}
}

// valueInside takes a value without predicates, one level deeper.
func (p *parser) valueInside() Expr {
	defer p.deeper()()
	return p.value(lowest)
}

// word makes a call of the function of that name for the form at t.
func word(t token, name string, args ...Expr) *Call {
	return &Call{Name: Name{Span: t.Span, Parts: []Ident{{Span: t.Span, Name: name}}}, Args: args}
}

func (p *parser) position() Expr {
	t := p.tok()
	if !p.peek(1).is("(") {
		return nil
	}
	p.i += 2
	if p.inside("IN") < 0 {
		p.i -= 2
		return nil
	}
	needle := p.valueInside()
	p.expect("IN")
	c := word(t, "strpos", p.valueInside(), needle)
	p.expect(")")
	c.Span = p.from(t.Start)
	return c
}

func (p *parser) substring() Expr {
	t := p.tok()
	if !p.peek(1).is("(") {
		return nil
	}
	p.i += 2
	if p.inside("FROM") < 0 {
		p.i -= 2
		return nil
	}
	c := word(t, "substring", p.valueInside())
	p.expect("FROM")
	c.Args = append(c.Args, p.valueInside())
	if p.take("FOR") {
		c.Args = append(c.Args, p.valueInside())
	}
	p.expect(")")
	c.Span = p.from(t.Start)
	return c
}

// trim takes TRIM([LEADING | TRAILING | BOTH] [chars] FROM x), TRIM(x) and TRIM(x, chars).
func (p *parser) trim() Expr {
	t := p.next()
	p.expect("(")
	c := word(t, "trim")
	if p.inside("FROM") >= 0 {
		switch p.oneOf("LEADING", "TRAILING", "BOTH") {
		case "LEADING":
			c.Name.Parts[0].Name = "ltrim"
		case "TRAILING":
			c.Name.Parts[0].Name = "rtrim"
		}
		var chars []Expr
		if !p.at("FROM") {
			chars = []Expr{p.valueInside()}
		}
		p.expect("FROM")
		c.Args = append([]Expr{p.valueInside()}, chars...)
	} else if c.Args = []Expr{p.valueInside()}; p.symbol(",") {
		c.Args = append(c.Args, p.valueInside())
	}
	p.expect(")")
	c.Span = p.from(t.Start)
	return c
}

func (p *parser) normalize() Expr {
	t := p.next()
	p.expect("(")
	form := &StringLit{Span: t.Span, Value: "NFC"}
	c := word(t, "normalize", p.valueInside())
	if p.symbol(",") {
		form.Span = p.tok().Span
		if form.Value = p.oneOf("NFD", "NFC", "NFKD", "NFKC"); form.Value == "" {
			p.unexpected("NFD", "NFC", "NFKD", "NFKC")
		}
	}
	p.expect(")")
	c.Args = append(c.Args, form)
	c.Span = p.from(t.Start)
	return c
}

func (p *parser) grouping() Expr {
	start := p.next().Start
	p.expect("(")
	g := &Grouping{}
	if !p.at(")") {
		g.Args = list(p, func() Expr {
			name := p.dotted("a column")
			var x Expr = &Column{Span: name.Parts[0].Span, Name: name.Parts[0]}
			for _, part := range name.Parts[1:] {
				x = &Field{Span: Span{name.Start, part.End}, Base: x, Name: part}
			}
			return x
		})
	}
	p.expect(")")
	g.Span = p.from(start)
	return g
}
