package functions

import (
	"slices"
	"strings"
)

// jsonFunctions are about JSON.
var jsonFunctions = []Function{
	direct("json_parse", "JSON of a text.", "(varchar) -> json"),
	{Name: "json_format", Doc: "Text of JSON.", Forms: []Form{{Signature: "(json) -> varchar", SQL: "CAST($1 AS VARCHAR)"}}},
	{Name: "json_extract", Doc: `JSON at a path such as $.a[0]["b c"].`,
		Forms: onJSON("(json, varchar) -> json", "presto_json_extract($1, $2)")},
	{Name: "json_extract_scalar", Doc: "Text of the scalar at a path such as $.a[0]; null for objects and arrays.",
		Forms: onJSON("(json, varchar) -> varchar", "presto_json_extract_scalar($1, $2)")},
	{Name: "json_array_length", Doc: "Number of elements of a JSON array.",
		Forms: onJSON("(json) -> bigint", "presto_json_array_length($1)")},
	{Name: "json_array_get", Doc: "Element of a JSON array, from 0, or from the end if negative. Strings come without quotes.",
		Forms: onJSON("(json, bigint) -> json", "presto_json_array_get($1, $2)")},
	{Name: "json_array_contains", Doc: "Whether a JSON array has a value.", Forms: slices.Concat(
		onJSON("(json, bigint) -> boolean", "presto_json_array_contains_bigint($1, $2)"),
		onJSON("(json, double) -> boolean", "presto_json_array_contains_double($1, $2)"),
		onJSON("(json, boolean) -> boolean", "presto_json_array_contains_boolean($1, $2)"),
		onJSON("(json, varchar) -> boolean", "presto_json_array_contains_varchar($1, $2)"),
	)},
	{Name: "json_size", Doc: "Number of members of the object, or of elements of the array, at a path.",
		Forms: onJSON("(json, varchar) -> bigint", "presto_json_size($1, $2)")},
	{Name: "is_json_scalar", Doc: "Whether JSON is neither an array nor an object.",
		Forms: onJSON("(json) -> boolean", "presto_is_json_scalar($1)")},
}

// onJSON returns the forms of a function whose first argument is JSON: as a value of type json, and as text, which the SQL takes.
func onJSON(signature, sql string) []Form {
	return []Form{
		{Signature: signature, SQL: strings.Replace(sql, "$1", "CAST($1 AS VARCHAR)", 1)},
		{Signature: strings.Replace(signature, "json", "varchar", 1), SQL: sql},
	}
}
