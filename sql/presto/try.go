package presto

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// hoist collects the parts of a TRY that DuckDB takes only outside of one:
// aggregates, window functions and subqueries.
type hoist struct {
	name  string
	parts []string
}

// hoist takes an aggregate or the like out of the TRY around, if there is one.
func (t *translator) hoist(x Expr) Expr {
	if t.hoisted == nil {
		return x
	}
	field := fmt.Sprintf("a%d", len(t.hoisted.parts))
	t.hoisted.parts = append(t.hoisted.parts, field+": "+x.SQL)
	x.SQL = t.hoisted.name + "." + field
	return x
}

// try translates TRY(x): an error is null.
func (t *translator) try(s *Scope, e *syntax.Call) Expr {
	t.arity(e, 1, 1)
	outer := t.hoisted
	t.hoisted = &hoist{name: fmt.Sprintf("_try%d", t.lambdas)}
	t.lambdas++
	x := t.expr(s, e.Args[0])
	h := t.hoisted
	t.hoisted, t.lambdas = outer, t.lambdas-1
	x.SQL = tried(x.SQL, h.column(s, x.SQL))
	if len(h.parts) > 0 {
		x.SQL = "list_transform([{" + strings.Join(h.parts, ", ") + "}], lambda " + h.name + ": " + x.SQL + ")[1]"
	}
	x.Constant = false
	return x
}

// tried is TRY(sql). DuckDB's error() is volatile, which its TRY does not take, so
// errors become casts that fail; these depend on a column, since a constant one would
// fail before the query runs.
func tried(sql, column string) string {
	if duck.Simple(sql) {
		return sql
	}
	return "TRY(" + duck.CastErrors(sql, column) + ")"
}

// columnName is a column as queries write it, such as r1."os" or g2.a0.
var columnName = lazy.Regexp(`\b[a-km-z]\d+\.(?:"(?:[^"]|"")*"|\w+)`)

// column is something that is not constant: a hoisted part, a parameter of the lambda around, or a column.
func (h *hoist) column(s *Scope, sql string) string {
	if len(h.parts) > 0 {
		return h.name + ".a0"
	}
	if s.Clause == "lambda" && len(s.Names) > 0 {
		return s.Names[0].SQL
	}
	if name := columnName().FindString(duck.Unmark(sql)); name != "" {
		return name
	}
	return "NULL"
}
