package functions

// jsonFunctions are about JSON.
var jsonFunctions = []Function{
	direct("json_parse", "JSON of a text.", "(varchar) -> json"),
	{Name: "json_format", Doc: "Text of JSON.", Forms: []Form{{Signature: "(json) -> varchar", SQL: "CAST($1 AS VARCHAR)"}}},
	{Name: "json_extract", Doc: `JSON at a path such as $.a[0]["b c"].`, Forms: []Form{
		{Signature: "(json, varchar) -> json", SQL: "presto_json_extract(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, varchar) -> json", SQL: "presto_json_extract($1, $2)"},
	}},
	{Name: "json_extract_scalar", Doc: "Text of the scalar at a path such as $.a[0]; null for objects and arrays.", Forms: []Form{
		{Signature: "(json, varchar) -> varchar", SQL: "presto_json_extract_scalar(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, varchar) -> varchar", SQL: "presto_json_extract_scalar($1, $2)"},
	}},
	{Name: "json_array_length", Doc: "Number of elements of a JSON array.", Forms: []Form{
		{Signature: "(json) -> bigint", SQL: "presto_json_array_length(CAST($1 AS VARCHAR))"},
		{Signature: "(varchar) -> bigint", SQL: "presto_json_array_length($1)"},
	}},
	{Name: "json_array_get", Doc: "Element of a JSON array, from 0, or from the end if negative. Strings come without quotes.", Forms: []Form{
		{Signature: "(json, bigint) -> json", SQL: "presto_json_array_get(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, bigint) -> json", SQL: "presto_json_array_get($1, $2)"},
	}},
	{Name: "json_array_contains", Doc: "Whether a JSON array has a value.", Forms: []Form{
		{Signature: "(json, bigint) -> boolean", SQL: "presto_json_array_contains_bigint(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, bigint) -> boolean", SQL: "presto_json_array_contains_bigint($1, $2)"},
		{Signature: "(json, double) -> boolean", SQL: "presto_json_array_contains_double(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, double) -> boolean", SQL: "presto_json_array_contains_double($1, $2)"},
		{Signature: "(json, boolean) -> boolean", SQL: "presto_json_array_contains_boolean(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, boolean) -> boolean", SQL: "presto_json_array_contains_boolean($1, $2)"},
		{Signature: "(json, varchar) -> boolean", SQL: "presto_json_array_contains_varchar(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, varchar) -> boolean", SQL: "presto_json_array_contains_varchar($1, $2)"},
	}},
	{Name: "json_size", Doc: "Number of members of the object, or of elements of the array, at a path.", Forms: []Form{
		{Signature: "(json, varchar) -> bigint", SQL: "presto_json_size(CAST($1 AS VARCHAR), $2)"},
		{Signature: "(varchar, varchar) -> bigint", SQL: "presto_json_size($1, $2)"},
	}},
	{Name: "is_json_scalar", Doc: "Whether JSON is neither an array nor an object.", Forms: []Form{
		{Signature: "(json) -> boolean", SQL: "presto_is_json_scalar(CAST($1 AS VARCHAR))"},
		{Signature: "(varchar) -> boolean", SQL: "presto_is_json_scalar($1)"},
	}},
}
