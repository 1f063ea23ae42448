package presto

import (
	"github.com/pingmill/pingmill/presto/syntax"
)

// typedLiteral translates DATE '…' and the like.
func (t *translator) typedLiteral(e *syntax.TypedLit) Expr {
	t.refuse(e, "", "not yet")
	return Expr{}
}

// interval translates INTERVAL '…' DAY and the like.
func (t *translator) interval(e *syntax.IntervalLit) Expr {
	t.refuse(e, "", "not yet")
	return Expr{}
}

// timeArithmetic translates + - and * of times and intervals; false if it is none.
func (t *translator) timeArithmetic(e *syntax.Binary, left, right Expr) (Expr, bool) {
	return Expr{}, false
}

func (t *translator) extract(s *Scope, e *syntax.Extract) Expr {
	t.refuse(e, "", "not yet")
	return Expr{}
}

func (t *translator) current(e *syntax.Current) Expr {
	t.refuse(e, "", "not yet")
	return Expr{}
}
