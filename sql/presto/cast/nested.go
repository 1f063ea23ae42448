package cast

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/types"
)

// IfNullInside returns SQL for two equal values $1 and $2: unknown if there is a null in them, else known.
func IfNullInside(typ types.Type, unknown, known string) string {
	check := hasNull("$1", typ, 0)
	if check == "false" {
		return known
	}
	return "CASE WHEN " + check + " THEN " + unknown + " ELSE " + known + " END"
}

// MaybeEqual returns SQL for two values $1 and $2 that differ: unknown if they differ only where one of them has a
// null.
func MaybeEqual(typ types.Type, unknown, different string) string {
	return "CASE WHEN " + agree("$1", "$2", typ, 0) + " THEN " + unknown + " ELSE " + different + " END"
}

// params are the names of parameters at each depth.
var params = []string{"n", "nn", "nnn", "nnnn", "nnnnn", "nnnnnn", "nnnnnnn"}

// hasNull writes whether a value that is not null has a null inside.
func hasNull(sql string, typ types.Type, depth int) string {
	if depth == len(params) {
		return "false"
	}
	null := func(x string, t types.Type) string {
		if inner := hasNull(x, t, depth+1); inner != "false" {
			return "(" + x + " IS NULL OR " + inner + ")"
		}
		return x + " IS NULL"
	}
	switch typ.Kind {
	case types.Row:
		var terms []string
		for i, e := range typ.Elems {
			terms = append(terms, null(Field(sql, typ, i), e))
		}
		return "(" + strings.Join(terms, " OR ") + ")"
	case types.Array:
		x := params[depth]
		return "coalesce(list_bool_or(list_transform(" + sql + ", lambda " + x + ": " + null(x, typ.Elem()) + ")), false)"
	case types.Map:
		return hasNull("map_values("+sql+")", types.ArrayOf(typ.Value()), depth)
	}
	return "false"
}

// agree writes whether two values that are not null are equal wherever neither has a null.
func agree(a, b string, typ types.Type, depth int) string {
	if depth == len(params) {
		return "(" + a + " = " + b + ")"
	}
	either := func(x, y string, t types.Type) string {
		return "(" + x + " IS NULL OR " + y + " IS NULL OR " + agree(x, y, t, depth+1) + ")"
	}
	switch typ.Kind {
	case types.Row:
		var terms []string
		for i, e := range typ.Elems {
			terms = append(terms, either(Field(a, typ, i), Field(b, typ, i), e))
		}
		return "(" + strings.Join(terms, " AND ") + ")"
	case types.Array:
		x := params[depth]
		return "(len(" + a + ") = len(" + b + ") AND coalesce(list_bool_and(list_transform(list_zip(" + a + ", " + b + "), lambda " + x + ": " +
			either(x+"[1]", x+"[2]", typ.Elem()) + ")), true))"
	case types.Map:
		return "(list_sort(map_keys(" + a + ")) = list_sort(map_keys(" + b + ")) AND " +
			agree("map_values("+a+")", "map_values("+b+")", types.ArrayOf(typ.Value()), depth) + ")"
	}
	return "(" + a + " = " + b + ")"
}

// Undecided writes whether the first difference of two arrays, $1 and $2, is a null in one of them.
func Undecided() string {
	first := "list_position(list_transform(list_zip($1, $2), lambda n: coalesce(n[1] <> n[2], true)), true)"
	return "(" + first + " <= least(len($1), len($2)) AND ($1[" + first + "] IS NULL OR $2[" + first + "] IS NULL))"
}
