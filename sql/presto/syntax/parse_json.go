package syntax

// jsonInput takes x [FORMAT JSON [ENCODING …]].
func (p *parser) jsonInput() JSONInput {
	start := p.tok().Start
	in := JSONInput{X: p.expr()}
	in.Format, in.Encoding = p.jsonFormat()
	in.Span = p.from(start)
	return in
}

func (p *parser) jsonFormat() (format bool, encoding string) {
	if !p.take("FORMAT") {
		return false, ""
	}
	p.expect("JSON")
	if p.take("ENCODING") {
		if encoding = p.oneOf("UTF8", "UTF16", "UTF32"); encoding == "" {
			p.unexpected("UTF8", "UTF16", "UTF32")
		}
	}
	return true, encoding
}

// jsonPath takes input, 'path' [AS name] [PASSING x AS name, …].
func (p *parser) jsonPath() JSONPath {
	start := p.tok().Start
	path := JSONPath{Input: p.jsonInput()}
	p.expect(",")
	path.Path = p.stringLit()
	if p.take("AS") {
		_ = p.ident("a name for the path")
	}
	if p.take("PASSING") {
		path.Passing = list(p, func() JSONArg {
			at := p.tok().Start
			arg := JSONArg{Input: p.jsonInput()}
			p.expect("AS")
			arg.Name = p.ident("a name")
			arg.Span = p.from(at)
			return arg
		})
	}
	path.Span = p.from(start)
	return path
}

// behaviors are the ways to go on, by their words.
var behaviors = []struct {
	words []string
	kind  JSONBehaviorKind
}{
	{[]string{"ERROR"}, JSONError},
	{[]string{"NULL"}, JSONNull},
	{[]string{"TRUE"}, JSONTrue},
	{[]string{"FALSE"}, JSONFalse},
	{[]string{"UNKNOWN"}, JSONUnknown},
	{[]string{"EMPTY", "ARRAY"}, JSONEmptyArray},
	{[]string{"EMPTY", "OBJECT"}, JSONEmptyObject},
	{[]string{"DEFAULT"}, JSONDefault},
}

// Which behaviors the functions take.
var (
	existsBehaviors = []JSONBehaviorKind{JSONTrue, JSONFalse, JSONUnknown, JSONError}
	valueBehaviors  = []JSONBehaviorKind{JSONError, JSONNull, JSONDefault}
	queryBehaviors  = []JSONBehaviorKind{JSONError, JSONNull, JSONEmptyArray, JSONEmptyObject}
)

// jsonBehaviors takes [… ON EMPTY] [… ON ERROR].
func (p *parser) jsonBehaviors(allowed []JSONBehaviorKind) (empty, onError JSONBehavior) {
	for !p.at(")") {
		b := p.jsonBehavior(allowed)
		p.expect("ON")
		switch {
		case empty.Kind == JSONUnsaid && onError.Kind == JSONUnsaid && p.take("EMPTY"):
			empty = b
		case onError.Kind == JSONUnsaid && p.take("ERROR"):
			onError = b
		default:
			p.unexpected("ERROR")
		}
	}
	return empty, onError
}

func (p *parser) jsonBehavior(allowed []JSONBehaviorKind) JSONBehavior {
	start := p.tok().Start
	var words []string
	for _, b := range behaviors {
		for _, kind := range allowed {
			if kind != b.kind {
				continue
			}
			if words = append(words, b.words[0]); !p.take(b.words...) {
				continue
			}
			found := JSONBehavior{Kind: kind}
			if kind == JSONDefault {
				found.Default = p.expr()
			}
			found.Span = p.from(start)
			return found
		}
	}
	p.unexpected(append(words, ")")...)
	return JSONBehavior{}
}

func (p *parser) jsonExists() Expr {
	start := p.next().Start
	p.expect("(")
	x := &JSONExists{Path: p.jsonPath()}
	if !p.at(")") {
		x.OnError = p.jsonBehavior(existsBehaviors)
		p.expect("ON", "ERROR")
	}
	p.expect(")")
	x.Span = p.from(start)
	return x
}

func (p *parser) jsonValue() Expr {
	start := p.next().Start
	p.expect("(")
	x := &JSONValue{Path: p.jsonPath()}
	if p.take("RETURNING") {
		x.Returning = p.typ()
	}
	x.OnEmpty, x.OnError = p.jsonBehaviors(valueBehaviors)
	p.expect(")")
	x.Span = p.from(start)
	return x
}

func (p *parser) jsonReturning() *JSONReturning {
	start := p.tok().Start
	if !p.take("RETURNING") {
		return nil
	}
	r := &JSONReturning{Type: p.typ()}
	r.Format, r.Encoding = p.jsonFormat()
	r.Span = p.from(start)
	return r
}

func (p *parser) jsonQuery() Expr {
	start := p.next().Start
	p.expect("(")
	x := &JSONQuery{Path: p.jsonPath()}
	x.Returning = p.jsonReturning()
	switch {
	case p.take("WITHOUT"):
		p.take("ARRAY")
		p.expect("WRAPPER")
	case p.take("WITH"):
		x.Wrapper = UnconditionalWrapper
		if p.oneOf("CONDITIONAL", "UNCONDITIONAL") == "CONDITIONAL" {
			x.Wrapper = ConditionalWrapper
		}
		p.take("ARRAY")
		p.expect("WRAPPER")
	}
	if word := p.oneOf("KEEP", "OMIT"); word != "" {
		x.OmitQuotes = word == "OMIT"
		p.expect("QUOTES")
		if p.take("ON") {
			p.expect("SCALAR", "STRING")
		}
	}
	x.OnEmpty, x.OnError = p.jsonBehaviors(queryBehaviors)
	p.expect(")")
	x.Span = p.from(start)
	return x
}

func (p *parser) jsonObject() Expr {
	start := p.next().Start
	p.expect("(")
	x := &JSONObject{}
	if !p.at(")") && !p.at("RETURNING") {
		x.Members = list(p, p.jsonMember)
		if x.AbsentOnNull = p.take("ABSENT", "ON", "NULL"); !x.AbsentOnNull {
			p.take("NULL", "ON", "NULL")
		}
		if p.tok().is("WITH", "WITHOUT") {
			x.UniqueKeys = p.next().word == "WITH"
			p.expect("UNIQUE")
			p.take("KEYS")
		}
	}
	x.Returning = p.jsonReturning()
	p.expect(")")
	x.Span = p.from(start)
	return x
}

// jsonMember takes [KEY] key VALUE value, or key : value.
func (p *parser) jsonMember() JSONMember {
	start := p.tok().Start
	if p.at("KEY") && !p.peek(1).is("VALUE", ":", ".", "[", "(", "||") {
		p.next()
	}
	m := JSONMember{Key: p.expr()}
	if !p.symbol(":") && !p.take("VALUE") {
		p.unexpected("VALUE", ":")
	}
	m.Value = p.jsonInput()
	m.Span = p.from(start)
	return m
}

func (p *parser) jsonArray() Expr {
	start := p.next().Start
	p.expect("(")
	x := &JSONArray{}
	if !p.at(")") && !p.at("RETURNING") {
		x.Elems = list(p, p.jsonInput)
		if x.NullOnNull = p.take("NULL", "ON", "NULL"); !x.NullOnNull {
			p.take("ABSENT", "ON", "NULL")
		}
	}
	x.Returning = p.jsonReturning()
	p.expect(")")
	x.Span = p.from(start)
	return x
}
