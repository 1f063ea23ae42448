package presto

import (
	"fmt"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// unary translates -x and +x. A minus before a constant makes a constant.
func (t *translator) unary(s *Scope, e *syntax.Unary) Expr {
	if n, ok := e.X.(*syntax.IntLit); ok && e.Op == '-' && n.Value == 1<<31 { // the least integer
		return constant("CAST('-2147483648' AS INTEGER)", "-2147483648", types.New(types.Integer))
	}
	x := t.expr(s, e.X)
	switch {
	case x.Type.Kind == types.Unknown:
		x.Type = types.New(types.Integer)
		x.SQL = "CAST(NULL AS INTEGER)"
	case !x.Type.Numeric() && !(e.Op == '-' && x.Type.Is(types.IntervalDay, types.IntervalYear)):
		t.fail(e, "", "%c does not take %s", e.Op, x.Type)
	}
	if e.Op == '+' {
		return x
	}
	if x.Constant && x.Text != "" {
		x.Text = "-" + x.Text
		if len(x.Text) > 1 && x.Text[1] == '-' {
			x.Text = x.Text[2:]
		}
	}
	x.SQL = "(-" + x.SQL + ")"
	return x
}

// binary translates + - * / % and ||.
func (t *translator) binary(s *Scope, e *syntax.Binary) Expr {
	left, right := t.expr(s, e.Left), t.expr(s, e.Right)
	if e.Op == "||" {
		return t.concat(e, left, right)
	}
	if x, ok := t.timeArithmetic(e, left, right); ok {
		return x
	}
	if left.Type.Kind == types.Unknown && right.Type.Kind == types.Unknown {
		left = t.coerce(left, types.New(types.Integer))
	}
	typ, ok := types.Common(left.Type, right.Type)
	if !ok || !typ.Numeric() {
		t.fail(e, mismatchHint(left.Type, right.Type), "cannot calculate %s %s %s", left.Type, e.Op, right.Type)
	}
	if typ.Kind == types.Decimal {
		return t.decimal(e, left, right)
	}
	left, right = t.coerce(left, typ), t.coerce(right, typ)
	return Expr{SQL: mark(e, arithmetic(e.Op, left, right)), Type: typ}
}

// arithmetic translates operations on integers and doubles. DuckDB's integers overflow with an error, as Presto's; a
// division by zero is null in DuckDB.
func arithmetic(op string, left, right Expr) string {
	whole := left.Type.Whole() || left.Type.Is(types.IntervalDay, types.IntervalYear)
	if whole && op == "/" {
		op = "//"
	}
	plain := func(a, b string) string { return "(" + a + " " + op + " " + b + ")" }
	switch {
	case right.Constant && nonZero(right.Text) || op != "/" && op != "//" && op != "%" || !whole && op == "%":
		return plain(left.SQL, right.SQL)
	case !whole: // of a double it is infinite, or no number
		return duck.Fill("CASE WHEN $2 = 0 THEN $1 * CAST('infinity' AS "+left.Type.DuckDB()+") ELSE "+plain("$1", "$2")+" END",
			[]string{left.SQL, right.SQL}, 2)
	}
	return duck.Fill("CASE WHEN $2 = 0"+present(left)+" THEN error('Division by zero') ELSE "+plain("$1", "$2")+" END",
		[]string{left.SQL, right.SQL}, 2)
}

// present returns the condition that the numerator is not null: then there is no error.
func present(numerator Expr) string {
	if numerator.Constant {
		return ""
	}
	return " AND $1 IS NOT NULL"
}

// nonZero reports whether the text of a number has a digit other than 0.
func nonZero(text string) bool {
	for _, c := range text {
		if c >= '1' && c <= '9' {
			return true
		}
	}
	return false
}

// decimal calculates with decimals, by Trino's rules for precision and scale.
func (t *translator) decimal(e *syntax.Binary, left, right Expr) Expr {
	a, b := left.Type.AsDecimal(), right.Type.AsDecimal()
	if left.Type.Kind == types.Unknown {
		a = b
	}
	if right.Type.Kind == types.Unknown {
		b = a
	}
	left, right = t.coerce(left, a), t.coerce(right, b)
	typ := types.DecimalResult(e.Op, a, b)
	if typ.Scale > types.MaxPrecision {
		t.fail(e, "CAST one of them to a decimal of fewer digits, or to double", "the result of %s %s %s has more than 38 digits", a, e.Op, b)
	}
	var sql string
	switch e.Op {
	case "/":
		by := ""
		if right.Constant {
			by = right.Text
		}
		t.rounded = appendRounded(t.rounded, t.text, e, typ)
		sql = cast.Quotient(left.SQL, right.SQL, by, a, b, typ)
	case "%":
		sql = duck.Fill("CASE WHEN $2 = 0 AND $1 IS NOT NULL THEN error('Division by zero') ELSE CAST($1 % $2 AS "+typ.DuckDB()+") END",
			[]string{left.SQL, right.SQL}, 2)
	default:
		if typ.Precision > 18 && a.Precision <= 18 && b.Precision <= 18 { // DuckDB stays with 64 bits otherwise
			left.SQL = duck.Cast(left.SQL, types.DecimalOf(19, a.Scale).DuckDB())
		}
		sql = duck.Cast(left.SQL+" "+e.Op+" "+right.SQL, typ.DuckDB())
	}
	return Expr{SQL: mark(e, sql), Type: typ}
}

// concat translates || of texts, arrays, or an array and an element.
func (t *translator) concat(e *syntax.Binary, left, right Expr) Expr {
	a, b := left.Type, right.Type
	_, alike := types.Common(a, b) // two arrays, not an array and an element of one
	switch {
	case a.Is(types.Array) && b.Is(types.Unknown), b.Is(types.Array) && a.Is(types.Unknown):
		t.fail(e, "CAST(NULL AS …) says which is meant", "NULL may be an array or an element here")
	case a.Is(types.Array) && b.Is(types.Array) && alike:
		both, typ := t.common("both sides of ||", []Expr{left, right})
		return Expr{SQL: mark(e, "("+both[0].SQL+" || "+both[1].SQL+")"), Type: typ} // null if one is, unlike list_concat
	case a.Is(types.Array):
		typ, ok := types.Common(a.Elem(), b)
		if !ok {
			t.fail(e, "", "cannot append %s to %s", b, a)
		}
		return concatElement(e, "list_append($1, $2)", t.coerce(left, types.ArrayOf(typ)), t.coerce(right, typ), types.ArrayOf(typ))
	case b.Is(types.Array):
		typ, ok := types.Common(b.Elem(), a)
		if !ok {
			t.fail(e, "", "cannot prepend %s to %s", a, b)
		}
		return concatElement(e, "list_prepend($1, $2)", t.coerce(left, typ), t.coerce(right, types.ArrayOf(typ)), types.ArrayOf(typ))
	case a.Is(types.Varbinary) && b.Is(types.Varbinary, types.Unknown), b.Is(types.Varbinary) && a.Is(types.Unknown):
		both, typ := t.common("both sides of ||", []Expr{left, right})
		return Expr{SQL: "(" + both[0].SQL + " || " + both[1].SQL + ")", Type: typ}
	case !a.Is(types.Varchar, types.Char, types.Unknown) || !b.Is(types.Varchar, types.Char, types.Unknown):
		t.fail(e, "CAST(… AS varchar) makes text of it", "cannot concatenate %s and %s", a, b)
	}
	typ := types.New(types.Varchar)
	if a.Precision > 0 && b.Precision > 0 {
		typ = types.VarcharOf(a.Precision + b.Precision)
	}
	x := Expr{SQL: "(" + text(left) + " || " + text(right) + ")", Type: typ}
	if left.Constant && right.Constant {
		x.Constant, x.Text = true, left.Text+right.Text
	}
	return x
}

// text returns an operand of || that DuckDB knows to be text.
func text(x Expr) string {
	if x.Type.Kind == types.Unknown {
		return "CAST(NULL AS VARCHAR)"
	}
	return x.SQL
}

// concatElement is null if the array or the element is.
func concatElement(e *syntax.Binary, template string, left, right Expr, typ types.Type) Expr {
	sql := "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN " + template + " END"
	return Expr{SQL: mark(e, duck.Fill(sql, []string{left.SQL, right.SQL}, 2)), Type: typ}
}

// subscript translates array[n] and map[key]: what is not there is an error.
func (t *translator) subscript(s *Scope, e *syntax.Subscript) Expr {
	base, index := t.expr(s, e.Base), t.expr(s, e.Index)
	switch base.Type.Kind {
	case types.Array:
		if !types.Coerces(index.Type, types.New(types.Bigint)) {
			t.fail(e.Index, "", "the subscript of an array is a number, not %s", index.Type)
		}
		index = t.coerce(index, types.New(types.Bigint))
		return Expr{SQL: mark(e, duck.Fill(arraySubscript, []string{base.SQL, index.SQL}, 2)), Type: base.Type.Elem()}
	case types.Map:
		key, value := base.Type.Elem(), base.Type.Value()
		if !types.Coerces(index.Type, key) {
			t.fail(e.Index, mismatchHint(index.Type, key), "the keys of the map are %s, not %s", key, index.Type)
		}
		index = t.coerce(index, key)
		missing := "error('Key not present in map')"
		if key.Is(types.Varchar) || key.Whole() {
			missing = "error(concat('Key not present in map: ', $2))"
		}
		sql := "CASE WHEN $1 IS NULL OR $2 IS NULL OR map_contains($1, $2) THEN $1[$2] ELSE " + missing + " END"
		return Expr{SQL: mark(e, duck.Fill(sql, []string{base.SQL, index.SQL}, 2)), Type: value}
	case types.Row:
		if index.Constant && index.Type.Whole() {
			for i := range base.Type.Elems {
				if index.Text == fmt.Sprint(i+1) {
					return Expr{SQL: cast.Field(base.SQL, base.Type, i), Type: base.Type.Elems[i]}
				}
			}
		}
		t.fail(e.Index, "", "the subscript of a row is one of the numbers 1 to %d", len(base.Type.Elems))
	}
	t.fail(e, "", "%s takes no subscript", base.Type)
	return Expr{}
}

const arraySubscript = `CASE WHEN $1 IS NULL THEN NULL WHEN $2 > len($1) THEN error(concat('Array subscript must be less than or ` +
	`equal to array length: ', $2, ' > ', len($1)))` +
	` WHEN $2 = 0 THEN error('SQL array indices start at 1') WHEN $2 < 0 THEN error(concat('Array subscript is negative: ', $2)) ELSE ` +
	`$1[$2] END`

// construct translates ARRAY[…] and ROW(…).
func (t *translator) construct(s *Scope, e syntax.Expr) Expr {
	if a, ok := e.(*syntax.Array); ok {
		if len(a.Elems) == 0 {
			return Expr{SQL: "CAST([] AS INTEGER[])", Type: types.ArrayOf(types.New(types.Unknown))}
		}
		elems, typ := t.common("the elements of an array", t.exprs(s, a.Elems))
		typ = types.ArrayOf(typ)
		if typ.Elem().Kind == types.Unknown {
			return Expr{SQL: duck.Cast("["+sqls(elems)+"]", "INTEGER[]"), Type: typ}
		}
		return Expr{SQL: "[" + sqls(elems) + "]", Type: typ}
	}
	row := e.(*syntax.Row)
	elems := t.exprs(s, row.Elems)
	list := make([]types.Type, len(elems))
	fields := ""
	typ := types.RowOf(nil, list)
	for i, x := range elems {
		if i > 0 {
			fields += ", "
		}
		list[i] = x.Type
		if x.Type.Kind == types.Unknown {
			x.SQL = "CAST(NULL AS INTEGER)"
		}
		fields += duck.Name(typ.Field(i)) + ": " + x.SQL
	}
	return Expr{SQL: "{" + fields + "}", Type: typ}
}
