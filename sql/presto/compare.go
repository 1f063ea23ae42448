package presto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/scalar"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// condition translates comparisons.
func (t *translator) condition(s *Scope, e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.Compare:
		return t.compare(s, e)
	case *syntax.DistinctFrom:
		return t.distinctFrom(s, e)
	case *syntax.Between:
		return t.between(s, e)
	case *syntax.InList:
		return t.inList(s, e)
	}
	return t.like(s, e.(*syntax.Like))
}

func (t *translator) compare(s *Scope, e *syntax.Compare) Expr {
	return t.compared(e, e.Op, t.expr(s, e.Left), t.expr(s, e.Right))
}

// compared compares two values by one of = <> < <= > >=.
func (t *translator) compared(at syntax.Node, op string, left, right Expr) Expr {
	left, right = t.comparable(at, op, left, right)
	return Expr{SQL: compareSQL(op, left, right), Type: types.New(types.Boolean)}
}

// comparable coerces both sides of a comparison to one type.
func (t *translator) comparable(at syntax.Node, op string, left, right Expr) (Expr, Expr) {
	typ, ok := types.Common(left.Type, right.Type)
	if !ok {
		t.fail(at, compareHint(left, right), "cannot compare %s with %s: %s", left.Type, right.Type, at.Bounds().Text(t.text))
	}
	if !typ.Comparable() || !typ.Orderable() && op != "=" && op != "<>" && typ.Kind != types.Unknown {
		t.fail(at, "", "%s has no %s", typ, op)
	}
	return t.coerce(left, typ), t.coerce(right, typ)
}

// mismatchHint returns a hint how to compare values of two types.
func mismatchHint(a, b types.Type) string { return compareHint(Expr{Type: a}, Expr{Type: b}) }

// compareHint returns a hint how to compare two values. It shows constants as they should be written.
func compareHint(a, b Expr) string {
	if a.Type.Kind > b.Type.Kind {
		a, b = b, a
	}
	switch {
	case a.Type.Numeric() && b.Type.Is(types.Varchar, types.Char) && a.Constant:
		return fmt.Sprintf("write the number as text: '%s'", a.Text)
	case a.Type.Numeric() && b.Type.Is(types.Varchar, types.Char) && b.Constant && nonZero(b.Text):
		return "write the number without quotes: " + b.Text
	case a.Type.Numeric() && b.Type.Is(types.Varchar, types.Char):
		return fmt.Sprintf("CAST the text AS %s, or the number AS varchar", a.Type)
	case a.Type.Is(types.Varchar) && a.Constant && b.Type.Is(types.Date, types.Timestamp, types.TimestampTZ):
		return fmt.Sprintf("write %s '%s'", kindWord(b.Type), a.Text)
	case a.Type.Is(types.Varchar) && b.Type.Is(types.Date, types.Timestamp, types.TimestampTZ):
		return "make a time of the text: date_parse(…, '%Y%m%d') if it is like 20180301, CAST(… AS date) if it is like 2018-03-01; or " +
			"compare it with text: '20180301'"
	case a.Type.Kind == types.Boolean:
		return "a boolean is compared with true and false"
	}
	return ""
}

func kindWord(t types.Type) string {
	if t.Kind == types.Date {
		return "DATE"
	}
	return "TIMESTAMP"
}

// compareSQL compares values of one type. Doubles that are not numbers are neither equal
// to nor greater than anything in Presto, and the greatest in DuckDB.
func compareSQL(op string, left, right Expr) string {
	plain := func(a, b string) string { return "(" + a + " " + op + " " + b + ")" }
	typ := left.Type
	switch {
	case typ.Is(types.Double, types.Real):
		return compareDoubles(op, left, right)
	case typ.Kind == types.Char:
		return plain("rtrim("+left.SQL+", ' ')", "rtrim("+right.SQL+", ' ')")
	case left.Midnight != "" || right.Midnight != "":
		return plain(midnight(left), midnight(right))
	case typ.Kind == types.TimestampTZ:
		return plain(duck.Instant(left.SQL), duck.Instant(right.SQL))
	case typ.Is(types.Row, types.Array, types.Map):
		return compareNested(op, left, right)
	}
	return plain(left.SQL, right.SQL)
}

// midnight returns the timestamp of a date.
func midnight(x Expr) string {
	if x.Midnight != "" {
		return x.Midnight
	}
	return duck.Cast(x.SQL, "TIMESTAMP")
}

func compareDoubles(op string, left, right Expr) string {
	// Where a NaN decides, the other side is compared with itself, so that null stays null.
	checks := map[string]string{
		"=": "CASE WHEN isnan($1) THEN $2 > $2 ELSE $1 = $2 END", "<>": "CASE WHEN isnan($1) THEN $2 = $2 ELSE $1 <> $2 END",
		"<": "($1 < $2 AND -$1 > -$2)", "<=": "CASE WHEN isnan($2) THEN $1 > $1 ELSE $1 <= $2 END",
		">": "($1 > $2 AND -$1 < -$2)", ">=": "CASE WHEN isnan($1) THEN $2 > $2 ELSE $1 >= $2 END",
	}
	exact, lesser := left.Exact || right.Exact, Expr{}
	switch op {
	case "<", "<=":
		exact, lesser = right.Exact, left
	case ">", ">=":
		exact, lesser = left.Exact, right
	}
	if exact {
		return "(" + left.SQL + " " + op + " " + right.SQL + ")"
	}
	if lesser.Exact && lesser.Constant && duck.Simple(left.SQL) && duck.Simple(right.SQL) { // which DuckDB looks up in statistics
		return duck.Fill("($1 "+op+" $2 AND NOT isnan("+map[bool]string{true: "$2", false: "$1"}[op[0] == '<']+"))",
			[]string{left.SQL, right.SQL}, 2)
	}
	if lesser.Exact { // -NaN is the greatest too
		return "(-" + right.SQL + " " + op + " -" + left.SQL + ")"
	}
	return duck.Fill(checks[op], []string{left.SQL, right.SQL}, 2)
}

// compareNested compares rows, arrays and maps. With a null inside, Presto does not know
// whether they are equal unless something else differs; DuckDB does.
func compareNested(op string, left, right Expr) string {
	sql := ordered(op, left.Type)
	equal := "$1 = $2"
	if left.Type.Kind == types.Map { // the order of entries does not count
		equal = "list_sort(map_entries($1)) = list_sort(map_entries($2))"
	}
	switch op {
	case "=":
		sql = "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN " + equal + " THEN " + cast.IfNullInside(left.Type, "NULL", "true") + " ELSE " +
			cast.MaybeEqual(left.Type, "NULL", "false") + " END"
	case "<>":
		sql = "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN " + equal + " THEN " + cast.IfNullInside(left.Type, "NULL", "false") + " ELSE " +
			cast.MaybeEqual(left.Type, "NULL", "true") + " END"
	}
	return duck.Fill(sql, []string{left.SQL, right.SQL}, 2)
}

// ordered writes $1 op $2 of rows or arrays: by their first difference, where neither may have a null.
func ordered(op string, typ types.Type) string {
	fail := "error('" + typ.Name() + " comparison not supported with null elements')"
	if typ.Kind != types.Row {
		return "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN " + cast.Undecided() + " THEN " + fail + " ELSE $1 " + op + " $2 END"
	}
	sql := "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL"
	for i, e := range typ.Elems {
		a, b := Expr{SQL: cast.Field("$1", typ, i), Type: e}, Expr{SQL: cast.Field("$2", typ, i), Type: e}
		sql += " WHEN " + a.SQL + " IS NULL OR " + b.SQL + " IS NULL THEN " + fail + " WHEN " + compareSQL("<>", a, b) + " THEN " +
			compareSQL(op, a, b)
	}
	return sql + map[bool]string{true: " ELSE true END", false: " ELSE false END"}[len(op) == 2]
}

// distinctFrom is = that takes nulls for values; NaN equals itself here.
func (t *translator) distinctFrom(s *Scope, e *syntax.DistinctFrom) Expr {
	left, right := t.comparable(e, "=", t.expr(s, e.Left), t.expr(s, e.Right))
	word := " IS DISTINCT FROM "
	if e.Not {
		word = " IS NOT DISTINCT FROM "
	}
	return Expr{SQL: "(" + t.key(left) + word + t.key(right) + ")", Type: types.New(types.Boolean)}
}

// key returns the expression to group, join and sort by.
func (t *translator) key(x Expr) string { return cast.Key(x.SQL, x.Type) }

// between translates x BETWEEN low AND high; x is computed once by DuckDB.
func (t *translator) between(s *Scope, e *syntax.Between) Expr {
	x, low, high := t.expr(s, e.X), t.expr(s, e.Low), t.expr(s, e.High)
	l1, low := t.comparable(e, ">=", x, low)
	l2, high := t.comparable(e, "<=", x, high)
	var sql string
	if plainCompare(l1.Type) && l1.SQL == l2.SQL && l1.Midnight == "" {
		sql = "(" + l1.SQL + " BETWEEN " + low.SQL + " AND " + high.SQL + ")"
	} else {
		sql = "(" + compareSQL(">=", l1, low) + " AND " + compareSQL("<=", l2, high) + ")"
	}
	return truth(sql, e.Not)
}

// truth returns a condition, negated if not is true.
func truth(sql string, not bool) Expr {
	if not {
		sql = "(NOT " + sql + ")"
	}
	return Expr{SQL: sql, Type: boolean}
}

// plainCompare reports whether DuckDB's comparisons are Presto's.
func plainCompare(typ types.Type) bool {
	return !typ.Is(types.Double, types.Real, types.Char, types.TimestampTZ, types.Row, types.Array, types.Map)
}

// inList translates x IN (a, b, …).
func (t *translator) inList(s *Scope, e *syntax.InList) Expr {
	all := append([]Expr{t.expr(s, e.X)}, t.exprs(s, e.List)...)
	typ := all[0].Type
	for _, x := range all[1:] {
		next, ok := types.Common(typ, x.Type)
		if !ok {
			t.fail(x.Node, compareHint(all[0], x), "cannot compare %s with %s: %s", typ, x.Type, e.Bounds().Text(t.text))
		}
		typ = next
	}
	for i := range all {
		all[i] = t.coerce(all[i], typ)
	}
	var sql string
	if plainCompare(typ) || typ.Is(types.Double, types.Real) && !slices.ContainsFunc(all[1:], func(x Expr) bool { return !x.Exact }) {
		sql = "(" + all[0].SQL + " IN (" + sqls(all[1:]) + "))"
	} else {
		sql = duck.Once(all[0].SQL, func(x string) string {
			terms := make([]string, len(all)-1)
			for i, other := range all[1:] {
				terms[i] = compareSQL("=", Expr{SQL: x, Type: typ}, other)
			}
			return "(" + strings.Join(terms, " OR ") + ")"
		})
	}
	return truth(sql, e.Not)
}

// like translates x LIKE pattern ESCAPE escape.
func (t *translator) like(s *Scope, e *syntax.Like) Expr {
	args := []Expr{t.expr(s, e.X), t.expr(s, e.Pattern)}
	if e.Escape != nil {
		args = append(args, t.expr(s, e.Escape))
	}
	for i, x := range args {
		if !x.Type.Is(types.Varchar, types.Char, types.Unknown) {
			t.fail(x.Node, "CAST(… AS varchar) makes text of it", "LIKE takes text, not %s", x.Type)
		}
		if x.Type.Kind == types.Unknown {
			args[i] = t.coerce(x, varchar)
		}
	}
	sql := "(" + args[0].SQL + " LIKE " + args[1].SQL + ")"
	if len(args) > 2 {
		sql = "presto_like(" + sqls(args) + ")"
		if args[1].Constant && args[2].Constant {
			t.check(e, scalar.CheckLike(args[1].Text, args[2].Text))
			sql = "(" + args[0].SQL + " LIKE " + args[1].SQL + " ESCAPE " + args[2].SQL + ")"
		}
	}
	x := truth(sql, e.Not)
	x.SQL = mark(e, x.SQL)
	return x
}
