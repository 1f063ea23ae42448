package functions

import "strings"

// arrayFunctions lists the functions of arrays without lambdas.
var arrayFunctions = []Function{
	{Name: "cardinality", Doc: "The number of elements of an array or map, or of the values in a HyperLogLog.", Forms: []Form{
		{Signature: "(array(T)) -> bigint", SQL: "len($1)"},
		{Signature: "(map(K, V)) -> bigint", SQL: "CAST(cardinality($1) AS BIGINT)"},
		{Signature: "(HyperLogLog) -> bigint", SQL: "len($1)"},
	}},
	{Name: "element_at", Doc: "The element of an array at a position from 1, or from the end if it is negative, or the value of a key of " +
		"a map: null if there is none.", Forms: []Form{
		{Signature: "(array(T), bigint) -> T", SQL: "CASE WHEN $2 = 0 THEN error('SQL array indices start at 1') ELSE list_extract($1, $2) END"},
		{Signature: "(map(K, V), K) -> V",
			Write: floats("K", "CASE WHEN NOT isnan($2) THEN map_extract_value($1, $2) END", "map_extract_value($1, $2)")},
	}},
	{Name: "contains", Doc: "Whether an array has the value; null if it is not found and an element is null.", Forms: []Form{
		{Signature: "(array(E), E) -> boolean", Nulls: true, Write: floats("E",
			"CASE WHEN $2 IS NULL THEN NULL WHEN list_contains($1, $2) AND NOT isnan($2) THEN true WHEN list_count($1) = len($1) THEN false END",
			"CASE WHEN $2 IS NULL THEN NULL WHEN list_contains($1, $2) THEN true WHEN list_count($1) = len($1) THEN false END")},
	}},
	{Name: "array_position", Doc: "The position of the first element equal to the value, from 1; 0 if there is none.", Forms: []Form{
		{Signature: "(array(E), E) -> bigint", Write: floats("E",
			"CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN isnan($2) THEN 0 ELSE CAST(coalesce(list_position($1, $2), 0) AS BIGINT) END",
			"CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE CAST(coalesce(list_position($1, $2), 0) AS BIGINT) END")},
	}},
	{Name: "array_remove", Doc: "The array without the elements that are equal to the value.", Forms: []Form{
		{Signature: "(array(E), E) -> array(E)", Write: floats("E",
			"CASE WHEN $2 IS NOT NULL THEN list_filter($1, lambda #x: #x IS DISTINCT FROM $2 OR isnan(#x)) END",
			"CASE WHEN $2 IS NOT NULL THEN list_filter($1, lambda #x: #x IS DISTINCT FROM $2) END")},
	}},
	{Name: "array_distinct", Doc: "The array with the first of equal elements only.", Forms: []Form{
		{Signature: "(array(E)) -> array(E)", Write: with(distinct("$1"))},
	}},
	{Name: "array_union", Doc: "The elements that are in one of two arrays, without duplicates.", Forms: []Form{
		{Signature: "(array(E), array(E)) -> array(E)", Write: with(
			"CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN list_transform([list_concat($1, $2)], lambda #u: " + distinct("#u") + ")[1] END")},
	}},
	{Name: "array_intersect", Doc: "The elements that are in both arrays, without duplicates.", Forms: []Form{
		{Signature: "(array(E), array(E)) -> array(E)",
			Write: with("CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN list_transform([CASE WHEN len($1) < len($2)" +
				" THEN list_filter($2, lambda #x: list_position($1, #x) IS NOT NULL) ELSE list_filter($1, lambda #x: list_position($2, #x) IS NOT " +
				"NULL) END], lambda #u: " + distinct("#u") + ")[1] END")},
	}},
	{Name: "array_except", Doc: "The elements of the first array that are not in the second, without duplicates.", Forms: []Form{
		{Signature: "(array(E), array(E)) -> array(E)", Write: with("CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN len($2) = 0 THEN $1 ELSE" +
			" list_transform([list_filter($1, lambda #x: list_position($2, #x) IS NULL)], lambda #u: " + distinct("#u") + ")[1] END")},
	}},
	{Name: "arrays_overlap", Doc: "Whether two arrays have an element in common; null if none is found and an element is null.", Forms: []Form{
		{Signature: "(array(E), array(E)) -> boolean", SQL: "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN list_has_any($1, $2) THEN true" +
			" WHEN len($1) > 0 AND len($2) > 0 AND (list_count($1) < len($1) OR list_count($2) < len($2)) THEN NULL ELSE false END"},
	}},
	{Name: "array_max", Doc: "The greatest element; null if the array is empty or has a null.", Forms: []Form{
		{Signature: "(array(E)) -> E", Write: floats("E",
			"CASE WHEN list_count($1) = len($1) THEN coalesce(list_max(list_filter($1, lambda #x: NOT isnan(#x))), list_max($1)) END",
			"CASE WHEN list_count($1) = len($1) THEN list_max($1) END")},
	}},
	{Name: "array_min", Doc: "The least element; null if the array is empty or has a null.", Forms: []Form{
		{Signature: "(array(E)) -> E", SQL: "CASE WHEN list_count($1) = len($1) THEN list_min($1) END"},
	}},
	{Name: "concat", Doc: "Arrays, or texts, one after the other.", Forms: []Form{
		{Signature: "(array(T), array(T)...) -> array(T)", Write: concatArrays},
		{Signature: "(array(T), T) -> array(T)", SQL: "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN list_append($1, $2) END"},
		{Signature: "(T, array(T)) -> array(T)", SQL: "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN list_prepend($1, $2) END"},
	}},
	{Name: "flatten", Doc: "The elements of the arrays in an array, in one array.", Forms: []Form{
		{Signature: "(array(array(T))) -> array(T)", SQL: "flatten($1)"},
		{Signature: "(array(unknown)) -> array(unknown)", SQL: "$1[1:0]"},
	}},
	{Name: "reverse", Doc: "The array or text from its end to its beginning.", Forms: []Form{
		{Signature: "(array(T)) -> array(T)", SQL: "list_reverse($1)"},
	}},
	{Name: "slice", Doc: "Elements of an array from a position on, negative ones from the end, at most as many as the last argument says.",
		Forms: []Form{
			{Signature: "(array(T), bigint, bigint) -> array(T)", SQL: "CASE WHEN $2 = 0 THEN error('SQL array indices start at 1') WHEN $3 < " +
				"0 THEN error('length must be greater than or equal to 0')" +
				" WHEN $1 IS NULL OR $2 IS NULL OR $3 IS NULL THEN NULL WHEN $3 = 0 OR $2 < -len($1) OR $2 > len($1) THEN $1[1:0]" +
				" WHEN $2 > 0 THEN list_slice($1, $2, $2 - 1 + least($3, len($1))) ELSE list_slice($1, len($1) + $2 + 1, len($1) + $2 + least($3, " +
				"len($1))) END"},
		}},
	{Name: "trim_array", Doc: "The array without its last n elements.", Forms: []Form{
		{Signature: "(array(T), bigint) -> array(T)", SQL: "CASE WHEN $2 < 0 THEN error('size must not be negative: ' || $2)" +
			" WHEN $2 > len($1) THEN error('size must not exceed array cardinality ' || len($1) || ': ' || $2) WHEN $2 IS NOT NULL THEN " +
			"list_slice($1, 1, len($1) - $2) END"},
	}},
	{Name: "repeat", Doc: "An array that has a value n times.", Forms: []Form{
		{Signature: "(T, bigint) -> array(T)", Nulls: true,
			Write: with("CASE WHEN $2 < 0 THEN error('count argument of repeat function must be greater than or equal to 0')" +
				" WHEN $2 > 10000 THEN error('count argument of repeat function must be less than or equal to 10000') ELSE " +
				"list_transform(range(CAST($2 AS BIGINT)), lambda #i: $1) END")},
	}},
	{Name: "shuffle", Doc: "The array in a random order.", Forms: []Form{
		{Signature: "(array(T)) -> array(T)",
			Write: with("list_transform(list_sort(list_transform($1, lambda #x, #i: {'r': random(), 'i': #i, 'x': #x})), lambda #e: #e.x)")},
	}},
	{Name: "array_histogram", Doc: "A map from the elements of an array, without null, to how often each is there.", Forms: []Form{
		{Signature: "(array(E)) -> map(E, bigint)",
			Write: with("CASE WHEN list_count($1) = 0 THEN CAST(MAP {} AS <>) ELSE CAST(list_histogram($1) AS <>) END")},
	}},
	{Name: "contains_sequence", Doc: "Whether an array has another one's elements one after the other.", Forms: []Form{
		{Signature: "(array(E), array(E)) -> boolean",
			Write: with("CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN len($2) = 0 THEN true ELSE" +
				" len(list_filter(range(len($1) - len($2) + 1), lambda #i: list_slice($1, #i + 1, #i + len($2)) = $2)) > 0 END")},
	}},
	{Name: "ngrams", Doc: "The runs of n elements of an array, each as an array.", Forms: []Form{
		{Signature: "(array(T), bigint) -> array(array(T))",
			Write: with("CASE WHEN $2 <= 0 THEN error('N must be positive') WHEN $1 IS NULL OR $2 IS NULL THEN NULL" +
				" WHEN len($1) <= $2 THEN [$1] ELSE list_transform(range(CAST(len($1) - $2 + 1 AS BIGINT)), lambda #i: list_slice($1, #i + 1, #i " +
				"+ $2)) END")},
	}},
	{Name: "combinations", Doc: "The combinations of n elements of an array, n at most 5.", Forms: []Form{
		{Signature: "(array(T), bigint) -> array(array(T))", Write: combinations},
	}},
	{Name: "zip", Doc: "An array of rows of the elements of two to five arrays, with nulls where one is shorter.", Forms: []Form{
		{Signature: "(array(T), array(U)) -> array(row(T, U))", Write: zip},
		{Signature: "(array(T), array(U), array(V)) -> array(row(T, U, V))", Write: zip},
		{Signature: "(array(T), array(U), array(V), array(W)) -> array(row(T, U, V, W))", Write: zip},
		{Signature: "(array(T), array(U), array(V), array(W), array(X)) -> array(row(T, U, V, W, X))", Write: zip},
	}},
}

// distinct returns a template for the first of the equal elements of a list, nulls being equal. Comparing each with all
// is the fastest up to some thousands of elements, or of different ones; more are sorted.
func distinct(list string) string {
	const few = "CASE WHEN LIST IS NULL THEN NULL WHEN len(LIST) <= 2000 THEN list_filter(LIST, lambda #x, #i: list_position(LIST, #x) = " +
		"#i) ELSE list_transform([list_distinct(LIST)], lambda #d: CASE WHEN len(#d) <= 2000 THEN " +
		"list_transform(list_sort(list_filter(list_append(list_transform(#d, lambda #x: list_position(LIST, #x)), list_position(LIST, " +
		"NULL)), lambda #i: #i IS NOT NULL)), lambda #i: LIST[#i]) ELSE "
	const many = "list_transform([list_sort(list_transform(LIST, lambda #x, #i: {'k': #x, 'i': #i}))], lambda #s: " +
		"list_transform(list_sort(list_transform(" +
		"list_filter(list_zip(#s, list_prepend(NULL, #s)), lambda #e: #e[1] IS NOT NULL AND (#e[2] IS NULL OR #e[1].k IS DISTINCT FROM " +
		"#e[2].k)), lambda #e: #e[1].i)), lambda #i: LIST[#i]))[1] END)[1] END"
	return strings.ReplaceAll(few+many, "LIST", list)
}

// floats chooses between templates: the first if the variable is a type with NaN, which equals nothing in Presto.
func floats(variable, nan, other string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		if c.Vars[variable].Is(floating...) {
			return with(nan)(c)
		}
		return with(other)(c)
	}
}
