package presto

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// logical translates AND, OR, NOT and IS NULL.
func (t *translator) logical(s *Scope, e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.Logical:
		word := "AND"
		if e.Or {
			word = "OR"
		}
		terms := make([]string, len(e.Terms))
		for i, term := range e.Terms {
			if t.filters[e] {
				t.filter(term)
			}
			terms[i] = t.boolean(s, term, "a term of "+word).SQL
		}
		all := "(" + strings.Join(terms, " "+word+" ") + ")"
		if !t.filters[e] {
			all = inTurn(e.Or, terms, all)
		}
		return Expr{SQL: all, Type: boolean}
	case *syntax.Not:
		return Expr{SQL: "(NOT " + t.boolean(s, e.X, "what follows NOT").SQL + ")", Type: boolean}
	}
	is := e.(*syntax.IsNull)
	x := t.expr(s, is.X)
	if is.Not {
		return Expr{SQL: "(" + x.SQL + " IS NOT NULL)", Type: boolean}
	}
	return Expr{SQL: "(" + x.SQL + " IS NULL)", Type: boolean}
}

// filter marks an expression as a condition by which DuckDB filters, or one of its terms: there it computes terms in
// turn, as Presto does, and leaves files closed by them.
func (t *translator) filter(e syntax.Expr) {
	if t.filters == nil {
		t.filters = map[syntax.Expr]bool{}
	}
	t.filters[e] = true
}

// fallible reports whether an expression may fail: a function, a cast, a calculation.
var fallible = lazy.Regexp(`[\w"]\(|\]|[-+*/%]|::`)

// inTurn computes a term of AND or OR, elsewhere than in a filter, only if those before it do not decide: it may fail, as in
// cardinality(a) > 0 AND a[1] = 5. DuckDB computes all.
func inTurn(or bool, terms []string, all string) string {
	if !slices.ContainsFunc(terms[1:], fallible().MatchString) || duck.Volatile(all) {
		return all
	}
	var b strings.Builder
	b.WriteString("CASE")
	for _, term := range terms[:len(terms)-1] {
		if or {
			b.WriteString(" WHEN " + term + " THEN true")
		} else {
			b.WriteString(" WHEN NOT " + term + " THEN false")
		}
	}
	return "(" + b.String() + " ELSE " + all + " END)"
}

// caseOf translates CASE. Its branches stay where they are: only the one that is taken is computed.
func (t *translator) caseOf(s *Scope, e *syntax.Case) Expr {
	var conditions, results []Expr
	for _, w := range e.Whens {
		if e.Operand == nil {
			t.filter(w.Cond)
			conditions = append(conditions, t.boolean(s, w.Cond, "a condition of CASE"))
		} else {
			conditions = append(conditions, t.compare(s, &syntax.Compare{Span: w.Cond.Bounds(), Op: "=", Left: e.Operand, Right: w.Cond}))
		}
		results = append(results, t.expr(s, w.Result))
	}
	if e.Else != nil {
		results = append(results, t.expr(s, e.Else))
	}
	return t.choose(conditions, results)
}

// choose writes a CASE: the last of results belongs to ELSE if there is one more than
// conditions.
func (t *translator) choose(conditions, results []Expr) Expr {
	results, typ := t.common("the results of CASE", results)
	var b strings.Builder
	b.WriteString("CASE")
	for i, c := range conditions {
		b.WriteString(" WHEN " + c.SQL + " THEN " + results[i].SQL)
	}
	if len(results) > len(conditions) {
		b.WriteString(" ELSE " + results[len(results)-1].SQL)
	}
	b.WriteString(" END")
	return Expr{SQL: b.String(), Type: typ}
}

// conditionals are the calls that do not compute all of their arguments, or take them in a
// way of their own.
var conditionals map[string]func(t *translator, s *Scope, e *syntax.Call) Expr

func init() { // since the functions call each other through it
	conditionals = map[string]func(t *translator, s *Scope, e *syntax.Call) Expr{
		"if": (*translator).ifCall, "coalesce": (*translator).coalesce, "nullif": (*translator).nullif,
		"try": (*translator).try, "typeof": (*translator).typeOf,
	}
}

func (t *translator) ifCall(s *Scope, e *syntax.Call) Expr {
	t.arity(e, 2, 3)
	t.filter(e.Args[0])
	condition := t.boolean(s, e.Args[0], "the condition of IF")
	return t.choose([]Expr{condition}, t.exprs(s, e.Args[1:]))
}

func (t *translator) coalesce(s *Scope, e *syntax.Call) Expr {
	t.arity(e, 2, 1000)
	args, typ := t.common("the arguments of COALESCE", t.exprs(s, e.Args))
	return Expr{SQL: "coalesce(" + sqls(args) + ")", Type: typ}
}

// nullif returns the first argument with its own type.
func (t *translator) nullif(s *Scope, e *syntax.Call) Expr {
	t.arity(e, 2, 2)
	x := t.expr(s, e.Args[0])
	equal := t.compare(s, &syntax.Compare{Span: e.Span, Op: "=", Left: e.Args[0], Right: e.Args[1]})
	return Expr{SQL: "CASE WHEN " + equal.SQL + " THEN NULL ELSE " + x.SQL + " END", Type: x.Type}
}

func (t *translator) typeOf(s *Scope, e *syntax.Call) Expr {
	t.arity(e, 1, 1)
	return literal(&syntax.StringLit{Value: t.expr(s, e.Args[0]).Type.String()})
}

func (t *translator) arity(e *syntax.Call, least, most int) {
	if len(e.Args) < least || len(e.Args) > most {
		t.fail(e, "", "%s does not take %d arguments", e.Name.Key(), len(e.Args))
	}
}
