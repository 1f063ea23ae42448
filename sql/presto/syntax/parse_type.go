package syntax

import "strings"

// typ takes a type.
func (p *parser) typ() *Type {
	defer p.deeper()()
	start := p.tok().Start
	t := p.plainType()
	for n := 1; p.at("ARRAY"); n++ { // bigint ARRAY is array(bigint)
		p.chain(n)
		p.next()
		if p.symbol("[") {
			if p.next().kind != kindInteger {
				p.i--
				p.unexpected("a number")
			}
			p.expect("]")
		}
		t = &Type{Span: p.from(start), Name: "array", Params: []TypeParam{{Span: t.Span, Type: t}}}
	}
	return t
}

func (p *parser) plainType() *Type {
	start := p.tok().Start
	t := &Type{}
	switch first := p.tok(); {
	case first.is("ROW") && p.peek(1).is("("):
		t.Name = "row"
		p.i += 2
		t.Params = list(p, p.rowField)
		p.expect(")")
	case first.is("INTERVAL") && intervalFields[p.peek(1).word] != NoField:
		t.Name = p.intervalType()
	case first.is("TIMESTAMP", "TIME"):
		p.timeType(t)
	case p.take("DOUBLE", "PRECISION"):
		t.Name = "double"
	case first.is("ARRAY", "MAP") && p.peek(1).is("<"):
		t.Name = strings.ToLower(first.word)
		p.i += 2
		t.Params = []TypeParam{p.typeParam()}
		if t.Name == "map" {
			p.expect(",")
			t.Params = append(t.Params, p.typeParam())
		}
		p.closeAngle()
	default:
		t.Name = p.ident("a type").Key()
		if p.symbol("(") {
			t.Params = list(p, p.typeParam)
			p.expect(")")
		}
		if p.at("[", "]") || p.at("[") {
			fail(p.tok(), "write array("+t.Name+")", "found [ behind a type")
		}
	}
	t.Span = p.from(start)
	return t
}

// closeAngle takes the > of array<…>, of which two may be one token of the lexer.
func (p *parser) closeAngle() {
	if p.tok().is(">>") {
		p.toks[p.i].word = ">"
		p.toks[p.i].Start++
		return
	}
	p.expect(">")
}

func (p *parser) intervalType() string {
	p.next()
	from, to := p.intervalFields()
	switch {
	case from <= Month && (to == Month || to == NoField || to == Year):
		return "interval year to month"
	case from >= Day && (to >= from || to == NoField):
		return "interval day to second"
	}
	p.i--
	p.unexpected("YEAR TO MONTH", "DAY TO SECOND")
	return ""
}

// timeType takes {TIMESTAMP | TIME} [(p)] [{WITH | WITHOUT} TIME ZONE].
func (p *parser) timeType(t *Type) {
	t.Name = strings.ToLower(p.next().word)
	if p.symbol("(") {
		t.Params = []TypeParam{p.typeParam()}
		p.expect(")")
	}
	if p.take("WITH", "TIME", "ZONE") {
		t.Name += " with time zone"
	} else {
		p.take("WITHOUT", "TIME", "ZONE")
	}
}

func (p *parser) typeParam() TypeParam {
	start := p.tok().Start
	if t := p.tok(); t.kind == kindInteger {
		p.next()
		return TypeParam{Span: t.Span, Number: p.integer(t)}
	}
	t := p.typ()
	return TypeParam{Span: p.from(start), Type: t}
}

// rowField takes [name] type.
func (p *parser) rowField() TypeParam {
	start := p.tok().Start
	var param TypeParam
	if p.fieldName() {
		name := p.ident("a field")
		param.Field = &name
	}
	param.Type = p.typ()
	param.Span = p.from(start)
	return param
}

// fieldName reports whether a name comes before the type.
func (p *parser) fieldName() bool {
	t, behind := p.tok(), p.peek(1)
	if !t.name() || !behind.name() {
		return false
	}
	ends := func(n int) bool { return p.peek(n).is(",", ")") }
	switch {
	case t.is("DOUBLE") && behind.is("PRECISION"):
		return !ends(2)
	case t.is("INTERVAL") && intervalFields[behind.word] != NoField:
		return !ends(2) && !p.peek(2).is("TO")
	case behind.is("ARRAY"):
		return p.peek(2).is("(", "<")
	}
	return true
}
