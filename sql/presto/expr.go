package presto

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// Expr is a translated expression.
type Expr struct {
	SQL  string // in DuckDB's SQL; it can stand anywhere, in brackets if it needs them
	Type types.Type
	Node syntax.Node // what it is from
	// Constant means that the value is known: Text has it, text as it is, numbers in decimal notation.
	Constant bool
	Text     string
	Lambda   *functions.Lambda // of a lambda
	// Exact says of a double that it is no NaN.
	Exact bool
	// Key means that it is a partition key as Named has it, or the day that one says.
	Key bool
	// Midnight is a timestamp that equals this date, "" for none: DuckDB looks through it for files that it can leave closed, but
	// not through a cast.
	Midnight string
}

// arg returns the expression as the argument of a function.
func (e Expr) arg() functions.Arg {
	return functions.Arg{SQL: e.SQL, Type: e.Type, Text: e.Text, Constant: e.Constant, Lambda: e.Lambda}
}

// expr translates an expression.
func (t *translator) expr(s *Scope, e syntax.Expr) Expr {
	for at := s; at != nil && at.Rewrite != nil; at = at.Outer {
		if parts := dotted(e); at.Clause == "lambda" && parts != nil && at.hides(parts[0]) {
			break
		}
		if x, ok := at.Rewrite(e); ok {
			x.Node = e
			return x
		}
		if at.Clause != "lambda" {
			break
		}
	}
	x := t.translate(s, e)
	// An argument that is written twice doubles the text with every level.
	if t.work++; t.work > maxWork || len(x.SQL) > maxSQL {
		t.refuse(e, "", "the query is too deeply nested, or too large")
	}
	x.Node = e
	return x
}

// Limits of a translation: expressions that are translated, and bytes of one in SQL.
const maxWork, maxSQL = 400_000, 8 << 20

func (t *translator) translate(s *Scope, e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.NullLit, *syntax.BoolLit, *syntax.IntLit, *syntax.DoubleLit, *syntax.StringLit, *syntax.BinaryLit:
		return literal(e)
	case *syntax.DecimalLit:
		return pointLiteral(e.Text, t.catalog.DoubleLiterals)
	case *syntax.TypedLit:
		return t.typedLiteral(e)
	case *syntax.IntervalLit:
		return t.interval(e)
	case *syntax.Column, *syntax.Field:
		return t.name(s, e)
	case *syntax.Subscript:
		return t.subscript(s, e)
	case *syntax.Unary:
		return t.unary(s, e)
	case *syntax.Binary:
		return t.binary(s, e)
	case *syntax.Logical, *syntax.Not, *syntax.IsNull:
		return t.logical(s, e)
	case *syntax.Compare, *syntax.DistinctFrom, *syntax.Between, *syntax.InList, *syntax.Like:
		return t.condition(s, e)
	case *syntax.Exists, *syntax.Subquery, *syntax.InQuery, *syntax.Quantified:
		return t.hoist(t.subquery(s, e))
	case *syntax.Case:
		return t.caseOf(s, e)
	case *syntax.Cast:
		return t.cast(s, e)
	case *syntax.AtTimeZone:
		return t.atTimeZone(s, e)
	case *syntax.Extract:
		return t.extract(s, e)
	case *syntax.Current:
		return t.current(e)
	case *syntax.Array, *syntax.Row:
		return t.construct(s, e)
	case *syntax.Call:
		return t.call(s, e)
	case *syntax.Listagg:
		return t.listagg(s, e)
	case *syntax.Grouping:
		return t.grouping(s, e)
	case *syntax.Lambda:
		t.fail(e, "", "a lambda can only be an argument of a function")
	}
	return t.special(s, e)
}

func nameOf(name string, at syntax.Span) syntax.Name {
	return syntax.Name{Span: at, Parts: []syntax.Ident{{Span: at, Name: name}}}
}

// mark puts the place of an expression before its SQL, for errors while it runs.
func mark(at syntax.Node, sql string) string { return duck.Mark(at.Bounds().Start, sql) }

// coerce converts an expression to a type to which it coerces.
func (t *translator) coerce(e Expr, to types.Type) Expr {
	if e.Type.Equal(to) || e.Lambda != nil {
		return e
	}
	if !types.Coerces(e.Type, to) {
		t.fail(e.Node, "", "%s is expected, not %s", to, e.Type)
	}
	e.SQL = cast.Coerce(e.SQL, e.Type, to)
	e.Exact = e.Exact || !e.Type.Is(types.Real, types.Double)
	if e.Midnight != "" && to.Is(types.Timestamp) {
		e.SQL, e.Midnight = e.Midnight, ""
	}
	e.Type = to
	return e
}

// common coerces expressions to one type. what names them in messages.
func (t *translator) common(what string, list []Expr) ([]Expr, types.Type) {
	to := list[0].Type
	for _, e := range list[1:] {
		next, ok := types.Common(to, e.Type)
		if !ok {
			t.fail(e.Node, mismatchHint(to, e.Type), "%s must be of one type: %s is not %s", what, e.Type, to)
		}
		to = next
	}
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = t.coerce(e, to)
	}
	return out, to
}

// exprs translates several expressions.
func (t *translator) exprs(s *Scope, list []syntax.Expr) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = t.expr(s, e)
	}
	return out
}

// boolean translates a condition.
func (t *translator) boolean(s *Scope, e syntax.Expr, what string) Expr {
	x := t.expr(s, e)
	if !types.Coerces(x.Type, types.New(types.Boolean)) {
		t.fail(e, "", "%s must be boolean: this is %s", what, x.Type)
	}
	return t.coerce(x, types.New(types.Boolean))
}

// sqls returns the SQL of expressions, with commas between.
func sqls(list []Expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.SQL
	}
	return strings.Join(out, ", ")
}
