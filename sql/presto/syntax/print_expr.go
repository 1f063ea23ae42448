package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// expr writes an expression; operations are in brackets.
func (w *printer) expr(x Expr) {
	if w.literal(x) || w.special(x) || w.replaced(x) {
		return
	}
	switch x := x.(type) {
	case *Column:
		w.ident(x.Name)
	case *Field:
		w.base(x.Base)
		w.str(".")
		w.ident(x.Name)
	case *Subscript:
		w.expr(x.Base)
		w.str("[")
		w.expr(x.Index)
		w.str("]")
	case *Unary:
		w.str("(", string(x.Op), " ")
		w.expr(x.X)
		w.str(")")
	case *Binary:
		w.infix(x.Left, x.Op, x.Right)
	case *AtTimeZone:
		w.infix(x.X, "AT TIME ZONE", x.Zone)
	case *Subquery:
		w.subquery(x.Query)
	case *Case:
		w.caseOf(x)
	case *Cast:
		w.when(x.Try, "TRY_")
		w.str("CAST(")
		w.expr(x.X)
		w.str(" AS ", formatType(x.Type), ")")
	case *Lambda:
		w.str("(")
		w.idents(x.Params)
		w.str(" -> ")
		w.expr(x.Body)
		w.str(")")
	case *Array:
		w.str("ARRAY[")
		w.exprs(x.Elems)
		w.str("]")
	case *Row:
		w.str("ROW(")
		w.exprs(x.Elems)
		w.str(")")
	case *Call:
		w.call(x)
	default:
		w.str("(")
		w.predicate(x)
		w.str(")")
	}
}

// replaced writes a name as the caller of FormatNames has it.
func (w *printer) replaced(x Expr) bool {
	switch x.(type) {
	case *Column, *Field:
	default:
		return false
	}
	if w.names == nil {
		return false
	}
	text, ok := w.names(x)
	w.str(text)
	return ok
}

// base writes what a point follows.
func (w *printer) base(x Expr) {
	switch x.(type) {
	case *IntLit, *DecimalLit, *DoubleLit:
		w.str("(")
		w.expr(x)
		w.str(")")
	default:
		w.expr(x)
	}
}

func (w *printer) infix(left Expr, op string, right Expr) {
	w.str("(")
	w.expr(left)
	w.str(" ", op, " ")
	w.expr(right)
	w.str(")")
}

func (w *printer) literal(x Expr) bool {
	switch x := x.(type) {
	case *NullLit:
		w.str("NULL")
	case *BoolLit:
		w.str(strings.ToUpper(strconv.FormatBool(x.Value)))
	case *IntLit:
		w.str(strconv.FormatInt(x.Value, 10))
	case *DecimalLit:
		w.str(x.Text)
	case *DoubleLit:
		w.str(strconv.FormatFloat(x.Value, 'E', -1, 64))
	case *StringLit:
		w.str(quoteText(x.Value))
	case *BinaryLit:
		fmt.Fprintf(&w.b, "X'%X'", x.Value)
	case *TypedLit:
		if x.Type == "double" {
			w.str("DOUBLE PRECISION ")
		} else {
			w.str(quoteName(x.Type), " ")
		}
		w.str(quoteText(x.Value))
	case *IntervalLit:
		w.str("INTERVAL ")
		w.when(x.Negative, "-")
		w.str(quoteText(x.Value), " ", fieldNames[x.From])
		if x.To != NoField {
			w.str(" TO ", fieldNames[x.To])
		}
	case *Current:
		w.str(currentNames[x.Kind])
		if x.Precision >= 0 {
			w.str("(", strconv.Itoa(x.Precision), ")")
		}
	default:
		return false
	}
	return true
}

var (
	fieldNames   = []string{"", "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}
	currentNames = []string{"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP",
		"CURRENT_USER", "CURRENT_CATALOG", "CURRENT_SCHEMA", "CURRENT_PATH"}
)

func (w *printer) predicate(x Expr) {
	not := func(not bool, word string) string {
		if not {
			return "NOT " + word
		}
		return word
	}
	switch x := x.(type) {
	case *Compare:
		w.expr(x.Left)
		w.str(" ", x.Op, " ")
		w.expr(x.Right)
	case *Quantified:
		w.expr(x.Left)
		w.str(" ", x.Op, " ")
		w.when(x.All, "ALL ")
		w.when(!x.All, "ANY ")
		w.subquery(x.Query)
	case *Logical:
		word := " AND "
		if x.Or {
			word = " OR "
		}
		for i, term := range x.Terms {
			w.when(i > 0, word)
			w.expr(term)
		}
	case *Not:
		w.str("NOT ")
		w.expr(x.X)
	case *Between:
		w.expr(x.X)
		w.str(" ", not(x.Not, "BETWEEN "))
		w.expr(x.Low)
		w.str(" AND ")
		w.expr(x.High)
	case *InList:
		w.expr(x.X)
		w.str(" ", not(x.Not, "IN ("))
		w.exprs(x.List)
		w.str(")")
	case *InQuery:
		w.expr(x.X)
		w.str(" ", not(x.Not, "IN "))
		w.subquery(x.Query)
	case *Like:
		w.expr(x.X)
		w.str(" ", not(x.Not, "LIKE "))
		w.expr(x.Pattern)
		if x.Escape != nil {
			w.str(" ESCAPE ")
			w.expr(x.Escape)
		}
	case *IsNull:
		w.expr(x.X)
		w.str(" IS ", not(x.Not, "NULL"))
	case *DistinctFrom:
		w.expr(x.Left)
		w.str(" IS ", not(x.Not, "DISTINCT FROM "))
		w.expr(x.Right)
	case *Exists:
		w.str("EXISTS ")
		w.subquery(x.Query)
	}
}

func (w *printer) caseOf(x *Case) {
	w.str("CASE")
	if x.Operand != nil {
		w.str(" ")
		w.expr(x.Operand)
	}
	for _, when := range x.Whens {
		w.str(" WHEN ")
		w.expr(when.Cond)
		w.str(" THEN ")
		w.expr(when.Result)
	}
	if x.Else != nil {
		w.str(" ELSE ")
		w.expr(x.Else)
	}
	w.str(" END")
}

func (w *printer) call(c *Call) {
	w.name(c.Name)
	w.str("(")
	w.when(c.Star, "*")
	w.when(c.Distinct, "DISTINCT ")
	w.exprs(c.Args)
	w.orderBy(c.OrderBy)
	w.str(")")
	w.filter(c.Filter)
	w.when(c.Nulls == IgnoreNulls, " IGNORE NULLS")
	w.when(c.Nulls == RespectNulls, " RESPECT NULLS")
	if c.Over != nil {
		w.over(c.Over)
	}
}

func (w *printer) filter(x Expr) {
	if x != nil {
		w.str(" FILTER (WHERE ")
		w.expr(x)
		w.str(")")
	}
}
