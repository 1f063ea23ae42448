package functions

import (
	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// matches is a template of the results of a predicate in list #m.
const matches = "list_transform([list_transform($1, $2)], lambda #m: CASE WHEN list_contains(#m, "

// arrayLambdaFunctions lists the functions of arrays with lambdas, and array_sort and array_join.
var arrayLambdaFunctions = []Function{
	{Name: "transform", Doc: "An array of what the lambda gives for each element.", Forms: []Form{
		{Signature: "(array(T), function(T, U)) -> array(U)", SQL: "list_transform($1, $2)"},
	}},
	{Name: "filter", Doc: "The elements for which the lambda is true.", Forms: []Form{
		{Signature: "(array(T), function(T, boolean)) -> array(T)", SQL: "list_filter($1, $2)"},
	}},
	{Name: "reduce", Doc: "A state that begins with the second argument and becomes what the first lambda gives for it and each element; " +
		"the second lambda makes the result of it.", Forms: []Form{
		{Signature: "(array(T), S, function(S, T, S), function(S, R)) -> R", Nulls: true,
			Write: with("list_transform([list_reduce(list_transform($1, lambda #x: " +
				"{'s': CAST(NULL AS <S>), 'x': #x}), lambda #a, #e: {'s': CAST(&3(#a.s, #e.x) AS <S>), 'x': CAST(NULL AS <T>)}, {'s': CAST($2 AS " +
				"<S>), 'x': CAST(NULL AS <T>)})]," +
				" lambda #r: CASE WHEN #r IS NOT NULL THEN &4(#r.s) END)[1]")},
	}},
	{Name: "any_match", Doc: "Whether the lambda is true for an element.", Forms: []Form{
		{Signature: "(array(T), function(T, boolean)) -> boolean",
			Write: with(matches + "true) THEN true WHEN list_count(#m) = len(#m) THEN false END)[1]")},
	}},
	{Name: "all_match", Doc: "Whether the lambda is true for all elements.", Forms: []Form{
		{Signature: "(array(T), function(T, boolean)) -> boolean",
			Write: with(matches + "false) THEN false WHEN list_count(#m) = len(#m) THEN true END)[1]")},
	}},
	{Name: "none_match", Doc: "Whether the lambda is true for no element.", Forms: []Form{
		{Signature: "(array(T), function(T, boolean)) -> boolean",
			Write: with(matches + "true) THEN false WHEN list_count(#m) = len(#m) THEN true END)[1]")},
	}},
	{Name: "zip_with", Doc: "An array of what the lambda gives for the elements of two arrays at each position, null for those that a " +
		"shorter one has not.", Forms: []Form{
		{Signature: "(array(T), array(U), function(T, U, R)) -> array(R)", Write: with(
			"CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN list_transform(list_zip($1, $2), lambda #e: &3(#e[1], #e[2])) END")},
	}},
	{Name: "array_sort", Doc: "The array in ascending order with nulls last, or in the order of a lambda that gives -1, 0 or 1 for two " +
		"elements.", Forms: []Form{
		{Signature: "(array(E)) -> array(E)", SQL: "list_sort($1, 'ASC', 'NULLS LAST')"},
		{Signature: "(array(T), function(T, T, integer)) -> array(T)", Write: arraySort},
	}},
	{Name: "array_join", Doc: "The elements as text with a separator between them, without nulls or with the third argument for them.",
		Forms: []Form{
			{Signature: "(array(T), varchar) -> varchar", Write: arrayJoin},
			{Signature: "(array(T), varchar, varchar) -> varchar", Write: arrayJoin},
		}},
}

// arrayJoin makes text of the elements.
func arrayJoin(c *Call) (Result, error) {
	varchar := types.New(types.Varchar)
	elem := c.Args[0].Type.Elem()
	const x = "e_join"
	text, err := x, error(nil)
	if elem.Kind != types.Varchar {
		if text, err = cast.SQL(x, elem, varchar); err != nil {
			return Result{}, err
		}
	}
	list := "$1"
	if len(c.Args) == 3 {
		text = "coalesce(" + text + ", $3)"
	}
	if text != x {
		list = "list_transform($1, lambda " + x + ": " + text + ")"
	}
	sql := "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN coalesce(array_to_string(" + list + ", $2), '') END"
	if len(c.Args) == 3 {
		sql = "CASE WHEN $3 IS NOT NULL THEN " + sql + " END"
	}
	return with(sql)(c)
}
