package presto

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// subquery translates EXISTS, (query), x IN (query) and x = ANY (query).
func (t *translator) subquery(s *Scope, e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.Exists:
		sql, _ := t.query(s, e.Query)
		return Expr{SQL: "(EXISTS (" + sql + "))", Type: boolean}
	case *syntax.Subquery:
		sql, typ := t.oneColumn(s, e.Query)
		return Expr{SQL: "(" + sql + ")", Type: typ}
	case *syntax.InQuery:
		word := " IN "
		if e.Not {
			word = " NOT IN "
		}
		return t.compareQuery(s, e, e.X, e.Query, "=", word)
	}
	q := e.(*syntax.Quantified)
	word := " ANY "
	if q.All {
		word = " ALL "
	}
	return t.compareQuery(s, e, q.Left, q.Query, q.Op, " "+q.Op+word)
}

// oneColumn translates a query that gives one value a row: several columns are a row.
func (t *translator) oneColumn(s *Scope, q *syntax.Query) (string, types.Type) {
	sql, columns := t.query(s, q)
	if len(columns) == 1 {
		return sql, columns[0].Type
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	row := types.RowOf(names, typesOf(columns))
	fields := make([]string, len(columns))
	for i := range columns {
		fields[i] = duck.Name(row.Field(i)) + ": " + column(i)
	}
	return "SELECT {" + strings.Join(fields, ", ") + "} AS c0 FROM (" + sql + ") AS " + t.alias("r"), row
}

// compareQuery compares a value with the values of a query.
func (t *translator) compareQuery(s *Scope, at syntax.Node, e syntax.Expr, q *syntax.Query, op, word string) Expr {
	left := t.expr(s, e)
	sql, typ := t.oneColumn(s, q)
	right := Expr{SQL: "c0", Type: typ, Node: q}
	l, r := t.comparable(at, op, left, right)
	if r.SQL = t.key(r); r.SQL != "c0" {
		sql = "SELECT " + r.SQL + " AS c0 FROM (" + sql + ") AS " + t.alias("r")
	}
	return Expr{SQL: "(" + t.key(l) + word + "(" + sql + "))", Type: boolean}
}

// fieldsOf returns the fields of a row as columns.
func fieldsOf(sql string, row types.Type) []Named {
	names := make([]Named, len(row.Elems))
	for i, f := range row.Elems {
		names[i] = Named{Name: strings.ToLower(row.Names[i]), Shown: row.Field(i), SQL: cast.Field(sql, row, i), Type: f}
	}
	return names
}

// listagg translates LISTAGG as a call of the function. A result that is too long is an error, with
// ON OVERFLOW TRUNCATE too.
func (t *translator) listagg(s *Scope, e *syntax.Listagg) Expr {
	separator := syntax.Expr(&syntax.StringLit{Span: e.Span})
	if e.Separator != nil {
		separator = e.Separator
	}
	return t.call(s, &syntax.Call{Span: e.Span, Name: nameOf("listagg", e.Span), Distinct: e.Distinct, Args: []syntax.Expr{e.X, separator},
		OrderBy: e.OrderBy, Filter: e.Filter})
}

// grouping refuses GROUPING where there are no groups.
func (t *translator) grouping(_ *Scope, e *syntax.Grouping) Expr {
	t.fail(e, "", "GROUPING is for the SELECT list, HAVING and ORDER BY of a query with GROUP BY")
	return Expr{}
}
