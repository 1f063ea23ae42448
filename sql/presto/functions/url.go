package functions

// urlFunctions are about URLs.
var urlFunctions = []Function{
	{Name: "url_extract_protocol", Doc: "The protocol of a URL; null if it is no URL.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_url_extract_protocol($1)"},
	}},
	{Name: "url_extract_host", Doc: "The host of a URL; null if it is no URL.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_url_extract_host($1)"},
	}},
	{Name: "url_extract_port", Doc: "The port of a URL; null if it is no URL or has none.", Forms: []Form{
		{Signature: "(varchar) -> bigint", SQL: "presto_url_extract_port($1)"},
	}},
	{Name: "url_extract_path", Doc: "The path of a URL; null if it is no URL.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_url_extract_path($1)"},
	}},
	{Name: "url_extract_query", Doc: "The query of a URL; null if it is no URL.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_url_extract_query($1)"},
	}},
	{Name: "url_extract_fragment", Doc: "The fragment of a URL; null if it is no URL.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_url_extract_fragment($1)"},
	}},
	{Name: "url_extract_parameter", Doc: "Value of the first parameter of a name in the query of a URL.", Forms: []Form{
		{Signature: "(varchar, varchar) -> varchar", SQL: "presto_url_extract_parameter($1, $2)"},
	}},
	{Name: "url_encode", Doc: "Text with escapes, for use in a URL.", Forms: []Form{{Signature: "(varchar) -> varchar", SQL: "presto_url_encode($1)"}}},
	{Name: "url_decode", Doc: "Text without the escapes of a URL.", Forms: []Form{{Signature: "(varchar) -> varchar", SQL: "presto_url_decode($1)"}}},
}
