package presto

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// aggregateCall translates a call of an aggregate: DISTINCT, ORDER BY and FILTER go to each DuckDB
// aggregate of the template.
func (t *translator) aggregateCall(s *Scope, e *syntax.Call, f *functions.Function) Expr {
	if e.Nulls != syntax.NullsUnsaid {
		t.fail(e, "", "%s takes no IGNORE NULLS without OVER", f.Name)
	}
	inner := s.Aggregates.within("argument of " + f.Name)
	return t.aggregate(inner, e, f, "")
}

// windowCall translates a call over a window.
func (t *translator) windowCall(s *Scope, e *syntax.Call, f *functions.Function) Expr {
	if !s.Windows {
		t.fail(e, "", "the %s cannot contain the window function %s", s.clause(), f.Name)
	}
	inner := *s
	inner.Windows, inner.Clause = false, "argument of "+f.Name
	if f.Kind == functions.Window && (e.Distinct || e.Filter != nil || len(e.OrderBy) > 0) {
		t.fail(e, "", "%s takes no DISTINCT, ORDER BY or FILTER", f.Name)
	}
	return t.aggregate(&inner, e, f, " OVER "+t.over(s, e.Over))
}

func (t *translator) aggregate(inner *Scope, e *syntax.Call, f *functions.Function, over string) Expr {
	if e.Star {
		if f.Name != "count" {
			t.fail(e, "", "%s does not take *", f.Name)
		}
		e = &syntax.Call{Span: e.Span, Name: e.Name, Filter: e.Filter, Over: e.Over, Nulls: e.Nulls}
	}
	x := t.apply(inner, e, f)
	before, after := "", over
	if e.Distinct {
		before = "DISTINCT "
	}
	order := ""
	if len(e.OrderBy) > 0 {
		order = " ORDER BY " + t.sortItems(inner, e.OrderBy)
	}
	if e.Filter != nil {
		after = " FILTER (WHERE " + t.boolean(inner, e.Filter, "FILTER").SQL + ")" + over
	}
	if e.Nulls == syntax.IgnoreNulls {
		order += " IGNORE NULLS"
	}
	x.SQL = decorate(x.SQL, before, order, after)
	return x
}

// distinctArgs are the arguments of an aggregate of distinct values: values that are equal only in Presto are counted
// by a key.
func (t *translator) distinctArgs(e *syntax.Call, f *functions.Function, args []functions.Arg) {
	if f.Kind != functions.Aggregate || !e.Distinct && f.Name != "approx_distinct" {
		return
	}
	for i, a := range args {
		key := cast.Key(a.SQL, a.Type)
		if key == a.SQL || a.Lambda != nil {
			continue
		}
		if f.Name != "count" && f.Name != "approx_distinct" {
			t.refuse(e, "", "%s of distinct values of type %s is not supported", f.Name, a.Type)
		}
		args[i].SQL = key
	}
}

// decorate writes what DISTINCT, ORDER BY, FILTER and OVER ask for at each @call( of a template, without
// DISTINCT at @@call(.
func decorate(sql, before, order, after string) string {
	var b strings.Builder
	for i := 0; i < len(sql); i++ {
		switch c := sql[i]; {
		case c == '\'' || c == '"':
			end := i + 1 + strings.IndexByte(sql[i+1:], c)
			b.WriteString(sql[i : end+1])
			i = end
		case c == '@':
			before := before
			if i+1 < len(sql) && sql[i+1] == '@' {
				before, i = "", i+1
			}
			open := i + strings.IndexByte(sql[i:], '(')
			end := closeBracket(sql, open)
			inner := decorate(sql[open+1:end], before, order, after)
			if inner == "" || inner == "*" {
				b.WriteString(sql[i+1:open+1] + inner + ")" + after)
			} else {
				b.WriteString(sql[i+1:open+1] + before + strings.TrimPrefix(inner, before) + order + ")" + after)
			}
			i = end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// closeBracket returns the place of the bracket that closes the one at i.
func closeBracket(sql string, i int) int {
	depth := 0
	for ; i < len(sql); i++ {
		switch c := sql[i]; c {
		case '\'', '"':
			i += 1 + strings.IndexByte(sql[i+1:], c)
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return len(sql)
}

// within returns the scope for a clause in which neither aggregates nor windows can be.
func (s *Scope) within(clause string) *Scope {
	inner := *s
	inner.Aggregates, inner.Windows, inner.Clause = nil, false, clause
	return &inner
}

// sortItems writes what follows ORDER BY. Nulls are last unless the query says otherwise.
func (t *translator) sortItems(s *Scope, items []syntax.SortItem) string {
	list := make([]string, len(items))
	for i, item := range items {
		x := t.expr(s, item.Expr)
		list[i] = t.sortKey(x) + sortSuffix(item)
	}
	return strings.Join(list, ", ")
}

// sortSuffix returns the direction of a sort.
func sortSuffix(item syntax.SortItem) string {
	suffix := ""
	if item.Desc {
		suffix = " DESC"
	}
	if item.Nulls == syntax.NullsFirst {
		return suffix + " NULLS FIRST"
	}
	return suffix + " NULLS LAST"
}

// sortKey returns the expression that DuckDB sorts by.
func (t *translator) sortKey(x Expr) string {
	if !x.Type.Orderable() && x.Type.Kind != 0 {
		t.fail(x.Node, "", "%s has no order", x.Type)
	}
	return t.key(x)
}
