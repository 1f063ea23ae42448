package syntax

import (
	"strings"
	"unicode/utf8"
)

func (p *parser) statement() Statement {
	for p.symbol(";") {
	}
	t := p.tok()
	switch {
	case t.kind == kindEnd:
		fail(t, "", "the query is empty")
	case t.is("EXPLAIN"):
		return p.explain()
	case t.is("SHOW"):
		return p.show()
	case t.is("DESCRIBE", "DESC"):
		p.next()
		if p.tok().is("INPUT", "OUTPUT") && p.peek(1).name() {
			refuse(t, noParameters, t.word+" "+p.tok().word)
		}
		table := p.dotted("a table")
		return &ShowColumns{Span: p.from(t.Start), Table: table}
	}
	if hint, ok := refusals[t.word]; ok && t.kind == kindWord {
		refuse(t, hint, t.word)
	}
	if !t.is("SELECT", "WITH", "VALUES", "TABLE", "(") {
		p.unexpected("SELECT", "WITH", "VALUES", "TABLE", "SHOW", "DESCRIBE", "EXPLAIN")
	}
	return p.query()
}

func (p *parser) explain() Statement {
	start := p.next().Start
	e := &Explain{}
	if e.Analyze = p.take("ANALYZE"); e.Analyze {
		e.Verbose = p.take("VERBOSE")
	} else if p.at("(") && p.peek(1).is("TYPE", "FORMAT") {
		p.next()
		e.Options = list(p, p.explainOption)
		p.expect(")")
	}
	if hint, ok := refusals[p.tok().word]; ok && p.tok().kind == kindWord {
		refuse(p.tok(), hint, "EXPLAIN "+p.tok().word)
	}
	e.Query = p.query()
	e.Span = p.from(start)
	return e
}

func (p *parser) explainOption() ExplainOption {
	start := p.tok().Start
	name := p.oneOf("TYPE", "FORMAT")
	values := map[string][]string{"TYPE": {"LOGICAL", "DISTRIBUTED", "VALIDATE", "IO"}, "FORMAT": {"TEXT", "GRAPHVIZ", "JSON"}}[name]
	value := p.oneOf(values...)
	switch {
	case name == "":
		p.unexpected("TYPE", "FORMAT")
	case value == "":
		p.unexpected(values...)
	}
	return ExplainOption{Span: p.from(start), Name: name, Value: value}
}

func (p *parser) show() Statement {
	start := p.next().Start
	at := func() Span { return p.from(start) }
	what := p.next()
	if hint, ok := shows[what.word]; ok && what.kind == kindWord {
		refuse(at(), hint, "SHOW "+what.word)
	}
	if what.kind != kindWord {
		what.word = ""
	}
	switch what.word {
	case "TABLES":
		s := &ShowTables{}
		if p.oneOf("FROM", "IN") != "" {
			name := p.dotted("a schema")
			s.From = &name
		}
		s.Like = p.likePattern()
		s.Span = at()
		return s
	case "COLUMNS":
		s := &ShowColumns{Table: p.ofTable(), Like: p.likePattern()}
		s.Span = at()
		return s
	case "PARTITIONS":
		return p.showPartitions(start)
	case "FUNCTIONS":
		s := &ShowFunctions{Like: p.likePattern()}
		s.Span = at()
		return s
	case "STATS":
		return p.showStats(start)
	case "SCHEMAS", "CATALOGS":
		s := &ShowSchemas{Catalogs: what.word == "CATALOGS"}
		if !s.Catalogs && p.oneOf("FROM", "IN") != "" {
			_ = p.ident("a catalog")
		}
		s.Like = p.likePattern()
		s.Span = at()
		return s
	}
	p.i--
	p.unexpected("TABLES", "COLUMNS", "PARTITIONS", "FUNCTIONS", "STATS")
	return nil
}

// ofTable takes {FROM | IN} table.
func (p *parser) ofTable() Name {
	if p.oneOf("FROM", "IN") == "" {
		p.unexpected("FROM")
	}
	return p.dotted("a table")
}

func (p *parser) likePattern() *LikePattern {
	start := p.tok().Start
	if !p.take("LIKE") {
		return nil
	}
	l := &LikePattern{Pattern: p.stringLit().Value}
	if p.take("ESCAPE") {
		escape := p.stringLit()
		if l.Escape = escape.Value; utf8.RuneCountInString(l.Escape) != 1 {
			fail(escape, "", "ESCAPE is one character")
		}
	}
	l.Span = p.from(start)
	return l
}

// showPartitions takes FROM or not: Hive has none.
func (p *parser) showPartitions(start int) Statement {
	_ = p.oneOf("FROM", "IN")
	s := &ShowPartitions{Table: p.dotted("a table")}
	if p.take("WHERE") {
		s.Where = p.expr()
	}
	s.OrderBy = p.orderBy()
	s.Limit = p.limit()
	s.Span = p.from(start)
	return s
}

func (p *parser) showStats(start int) Statement {
	p.expect("FOR")
	s := &ShowStats{}
	if p.at("(") {
		s.Query = inBrackets(p, p.query)
	} else {
		s.Table = p.dotted("a table")
	}
	s.Span = p.from(start)
	return s
}

// stringLit takes 'text' or U&'text' [UESCAPE 'c'].
func (p *parser) stringLit() *StringLit {
	t := p.next()
	switch t.kind {
	case kindString:
		return &StringLit{Span: t.Span, Value: unquote(t.Text(p.text), "'")}
	case kindUnicode:
		escape := '\\'
		if p.take("UESCAPE") {
			escape = p.escapeRune()
		}
		return &StringLit{Span: p.from(t.Start), Value: unescape(t, unquote(p.text[t.Start+2:t.End], "'"), escape)}
	}
	p.i--
	p.unexpected("'text'")
	return nil
}

// escapeRune takes the character behind UESCAPE.
func (p *parser) escapeRune() rune {
	lit := p.stringLit()
	r, n := utf8.DecodeRuneInString(lit.Value)
	if n == 0 || n != len(lit.Value) || r >= utf8.RuneSelf || strings.ContainsRune("0123456789abcdefABCDEF+'\" \t\n\r", r) {
		fail(lit, "", "UESCAPE is one character that is no digit, letter a-f, plus, quote or blank")
	}
	return r
}
