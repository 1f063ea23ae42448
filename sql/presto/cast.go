package presto

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// cast translates CAST and TRY_CAST.
func (t *translator) cast(s *Scope, e *syntax.Cast) Expr {
	to := t.namedType(e.Type)
	if e.Try {
		return t.tryCast(s, e, to)
	}
	x := t.expr(s, e.X)
	if x, ok := t.castKey(e, x, to, false); ok {
		return x
	}
	out := t.castTo(e, x, to)
	out.Exact = !x.Type.Is(types.Real, types.Double, types.Varchar)
	if x.Constant && (to.Whole() && x.Type.Whole() || to.Is(types.Varchar) && x.Type.Is(types.Varchar) && to.Precision == types.Unbounded) {
		out.Constant, out.Text = true, x.Text
	}
	return out
}

// castKey converts a partition key by functions through which DuckDB looks for files that a condition keeps closed. It does not
// look through casts.
func (t *translator) castKey(at syntax.Node, x Expr, to types.Type, try bool) (Expr, bool) {
	prefix := "presto_key_"
	if try {
		prefix = "presto_key_try_"
	}
	call := func(name string) string { return mark(at, prefix+name+"("+x.SQL+")") }
	switch {
	case !x.Key:
		return x, false
	case x.Type.Kind == types.Varchar && to.Is(types.Integer, types.Bigint):
		return Expr{SQL: call(to.String()), Type: to}, true
	case x.Type.Kind == types.Varchar && to.Kind == types.Date:
		x.SQL = "epoch_ms(" + call("date") + ")"
	case x.Type.Kind != types.Timestamp || to.Kind != types.Date:
		return x, false
	}
	return Expr{SQL: mark(at, duck.Cast(x.SQL, "DATE")), Type: to, Midnight: x.SQL}, true
}

// castTo converts a value as CAST does.
func (t *translator) castTo(at syntax.Node, x Expr, to types.Type) Expr {
	sql, err := cast.SQL(x.SQL, x.Type, to)
	if err != nil {
		t.fail(at, castHint(x.Type, to), "%s", err)
	}
	return Expr{SQL: mark(at, sql), Type: to}
}

// tryCast converts a value; what cannot be converted is null.
func (t *translator) tryCast(s *Scope, e *syntax.Cast, to types.Type) Expr {
	x := t.expr(s, e.X)
	if x, ok := t.castKey(e, x, to, true); ok {
		return x
	}
	sql, ok, err := cast.Try(x.SQL, x.Type, to)
	if err != nil {
		t.fail(e, castHint(x.Type, to), "%s", err)
	}
	if ok {
		return Expr{SQL: mark(e, sql), Type: to}
	}
	plain := *e
	plain.Try = false
	return t.try(s, &syntax.Call{Span: e.Span, Name: nameOf("try", e.Span), Args: []syntax.Expr{&plain}})
}

func castHint(from, to types.Type) string {
	if from.Whole() && to.Is(types.Timestamp, types.TimestampTZ, types.Date) {
		return "from_unixtime(seconds) makes a time of a number; DATE '1970-01-01' + INTERVAL '1' DAY * days makes a date"
	}
	return ""
}

// namedType returns the type that the query names.
func (t *translator) namedType(e *syntax.Type) types.Type {
	typ, err := types.Parse(typeText(e))
	t.check(e, err)
	if strings.Contains(typeText(e), "varchar(0)") {
		t.refuse(e, "", "varchar(0) is not supported")
	}
	switch {
	case typ.Kind == types.Decimal && typ.Precision == 0:
		typ.Precision = types.MaxPrecision
	case typ.Kind == types.Decimal && (typ.Precision > types.MaxPrecision || typ.Scale > typ.Precision):
		t.fail(e, "", "a decimal has at most 38 digits, and not more behind the point")
	case typ.Kind == types.Char && typ.Precision == 0:
		typ.Precision = 1
	case typ.Has(types.Time, types.Timestamp, types.TimestampTZ) && deepest(typ) > 6:
		t.refuse(e, "write timestamp(6)", "times have at most microseconds here")
	}
	return typ
}

// deepest returns the greatest precision of the times in a type.
func deepest(t types.Type) int {
	n := 0
	if t.Is(types.Time, types.Timestamp, types.TimestampTZ) {
		n = t.Precision
	}
	for _, e := range t.Elems {
		n = max(n, deepest(e))
	}
	return n
}

// typeText writes a type of the syntax as typeof prints it.
func typeText(e *syntax.Type) string {
	name := e.Name
	var params []string
	for _, p := range e.Params {
		text := strconv.FormatInt(p.Number, 10)
		if p.Type != nil {
			text = typeText(p.Type)
		}
		if p.Field != nil {
			text = duck.Name(p.Field.Name) + " " + text
		}
		params = append(params, text)
	}
	if len(params) == 0 {
		return name
	}
	name, zone, zoned := strings.Cut(name, " with ")
	name += "(" + strings.Join(params, ", ") + ")"
	if zoned {
		name += " with " + zone
	}
	return name
}
