package functions

// windowFunctions require OVER; aggregates accept it too.
var windowFunctions = []Function{
	{Name: "row_number", Kind: Window, Doc: "The number of the row in its partition, from 1.",
		Forms: []Form{{Signature: "() -> bigint", SQL: "@row_number()"}}},
	{Name: "rank", Kind: Window, Doc: "The rank of the row, with gaps after equal ones.",
		Forms: []Form{{Signature: "() -> bigint", SQL: "@rank()"}}},
	{Name: "dense_rank", Kind: Window, Doc: "The rank of the row, without gaps.",
		Forms: []Form{{Signature: "() -> bigint", SQL: "@dense_rank()"}}},
	{Name: "percent_rank", Kind: Window, Doc: "The rank less one by the number of rows less one.",
		Forms: []Form{{Signature: "() -> double", SQL: "@percent_rank()"}}},
	{Name: "cume_dist", Kind: Window, Doc: "The share of rows up to this one and those equal to it.",
		Forms: []Form{{Signature: "() -> double", SQL: "@cume_dist()"}}},
	{Name: "ntile", Kind: Window, Doc: "The number of the row's bucket, of n of about equal size.",
		Forms: []Form{{Signature: "(bigint) -> bigint", SQL: "@ntile($1)"}}},
	{Name: "first_value", Kind: Window, Doc: "The value of the first row of the window.",
		Forms: []Form{{Signature: "(T) -> T", SQL: "@first_value($1)"}}},
	{Name: "last_value", Kind: Window, Doc: "The value of the last row of the window.",
		Forms: []Form{{Signature: "(T) -> T", SQL: "@last_value($1)"}}},
	{Name: "nth_value", Kind: Window, Doc: "The value of the n-th row of the window, null if it has fewer.", Forms: []Form{
		{Signature: "(T, bigint) -> T", SQL: "@nth_value($1, CASE WHEN $2 < 1 THEN error('Offset must be at least 1') ELSE $2 END)"},
	}},
	{Name: "lag", Kind: Window, Doc: "The value of the row n before this one, one if n is not said; the third argument, or null, where " +
		"there is none.", Forms: neighbours("lag")},
	{Name: "lead", Kind: Window, Doc: "The value of the row n after this one, one if n is not said; the third argument, or null, where " +
		"there is none.", Forms: neighbours("lead")},
}

func neighbours(name string) []Form {
	const offset = "CASE WHEN $2 IS NULL THEN error('Offset must not be null') WHEN $2 < 0 THEN error('Offset must be at least 0') ELSE $2 END"
	return []Form{
		{Signature: "(T) -> T", SQL: "@" + name + "($1)"},
		{Signature: "(T, bigint) -> T", SQL: "@" + name + "($1, " + offset + ")"},
		{Signature: "(T, bigint, T) -> T", SQL: "@" + name + "($1, " + offset + ", $3)"},
	}
}
