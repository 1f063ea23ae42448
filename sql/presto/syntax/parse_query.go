package syntax

import "strconv"

// startsQuery reports whether the bracket at index i begins a query, not an
// expression or a join that begins with one.
func (p *parser) startsQuery(i int) bool {
	first := i
	for p.toks[i+1].is("(") {
		if i++; i-first > MaxDepth {
			return false
		}
	}
	if !p.toks[i+1].is("SELECT", "WITH", "VALUES", "TABLE") {
		return false
	}
	for ; i > first; i-- { // each inner bracket must be a whole term of a query
		end := p.toks[i].close
		if end < 0 || !p.toks[end+1].is(")", "UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "OFFSET", "FETCH") {
			return false
		}
	}
	return true
}

func (p *parser) query() *Query {
	defer p.deeper()()
	start := p.tok().Start
	q := &Query{}
	if p.take("WITH") {
		if p.at("FUNCTION") && p.peek(1).name() && p.peek(2).is("(") && !p.peek(1).is("AS") {
			refuse(p.tok(), "", "WITH FUNCTION")
		}
		q.Recursive = p.take("RECURSIVE")
		q.With = list(p, p.cte)
	}
	q.Body = p.setOperations()
	q.OrderBy = p.orderBy()
	if at := p.tok().Start; p.take("OFFSET") {
		q.Offset = &Offset{Count: p.count()}
		_ = p.oneOf("ROW", "ROWS")
		q.Offset.Span = p.from(at)
	}
	q.Limit = p.limit()
	if p.at("OFFSET") {
		fail(p.tok(), "write OFFSET before LIMIT", "OFFSET comes behind LIMIT")
	}
	q.Span = p.from(start)
	return q
}

func (p *parser) cte() CTE {
	start := p.tok().Start
	c := CTE{Name: p.ident("a name for the query")}
	if p.at("(") {
		c.Columns = p.idents("a column name")
	}
	p.expect("AS")
	c.Query = inBrackets(p, p.query)
	c.Span = p.from(start)
	return c
}

// count takes a number of rows.
func (p *parser) count() int64 {
	t := p.tok()
	if t.is("?") {
		refuse(t, noParameters, "a parameter")
	}
	if t.kind != kindInteger {
		p.unexpected("a number of rows")
	}
	p.next()
	return p.integer(t)
}

func (p *parser) integer(t token) int64 {
	n, err := strconv.ParseInt(t.Text(p.text), integerBase(t.Text(p.text)), 64)
	if err != nil {
		fail(t, "", "%s is too large for a bigint", p.describe(t))
	}
	return n
}

// integerBase is 10 for digits, also with leading zeros, and 0 when a prefix or
// an underscore has to be read.
func integerBase(s string) int {
	for i := range len(s) {
		if !digit(s[i]) {
			return 0
		}
	}
	return 10
}

func (p *parser) limit() *Limit {
	start := p.tok().Start
	l := &Limit{}
	switch {
	case p.take("LIMIT"):
		if l.All = p.take("ALL"); !l.All {
			l.Count = p.count()
		}
		if p.at(",") {
			fail(p.tok(), "write OFFSET n LIMIT m", "LIMIT takes one number")
		}
	case p.take("FETCH"):
		if p.oneOf("FIRST", "NEXT") == "" {
			p.unexpected("FIRST", "NEXT")
		}
		l.Count = 1
		if p.oneOf("ROW", "ROWS") == "" {
			l.Count = p.count()
			if p.oneOf("ROW", "ROWS") == "" {
				p.unexpected("ROW", "ROWS")
			}
		}
		if l.Ties = p.take("WITH", "TIES"); !l.Ties {
			p.expect("ONLY")
		}
	default:
		return nil
	}
	l.Span = p.from(start)
	return l
}

// setOperations takes terms of UNION and EXCEPT; INTERSECT binds more tightly.
func (p *parser) setOperations() Body { return p.operations(p.intersections, "UNION", "EXCEPT") }

func (p *parser) intersections() Body { return p.operations(p.queryPrimary, "INTERSECT") }

var setOps = map[string]SetOp{"UNION": Union, "INTERSECT": Intersect, "EXCEPT": Except}

// operations takes terms with one of the words between them.
func (p *parser) operations(term func() Body, words ...string) Body {
	start := p.tok().Start
	left := term()
	for n := 1; p.tok().is(words...); n++ {
		p.chain(n)
		op := setOps[p.next().word]
		all := p.all()
		s := &SetOperation{Op: op, All: all, Left: left, Right: term()}
		s.Span = p.from(start)
		left = s
	}
	return left
}

// all takes [ALL | DISTINCT].
func (p *parser) all() bool { return p.oneOf("ALL", "DISTINCT") == "ALL" }

func (p *parser) queryPrimary() Body {
	start := p.tok().Start
	switch {
	case p.at("SELECT"):
		return p.selectBody()
	case p.take("TABLE"):
		name := p.dotted("a table")
		return &Table{Span: p.from(start), Name: name}
	case p.take("VALUES"):
		rows := p.exprs()
		return &Values{Span: p.from(start), Rows: rows}
	case p.at("("):
		q := inBrackets(p, p.query)
		q.Span = p.from(start)
		return q
	}
	p.unexpected("SELECT", "VALUES", "TABLE", "(")
	return nil
}

func (p *parser) orderBy() []SortItem {
	if !p.take("ORDER") {
		return nil
	}
	p.expect("BY")
	return list(p, p.sortItem)
}

func (p *parser) sortItem() SortItem {
	start := p.tok().Start
	s := SortItem{Expr: p.expr()}
	s.Desc = p.oneOf("ASC", "DESC") == "DESC"
	if p.take("NULLS") {
		switch p.oneOf("FIRST", "LAST") {
		case "FIRST":
			s.Nulls = NullsFirst
		case "LAST":
			s.Nulls = NullsLast
		default:
			p.unexpected("FIRST", "LAST")
		}
	}
	s.Span = p.from(start)
	return s
}
