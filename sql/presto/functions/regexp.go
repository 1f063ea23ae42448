package functions

// patternFunctions are about regular expressions.
var patternFunctions = []Function{
	{Name: "regexp_like", Doc: "Whether a text has a match of a pattern.", Forms: []Form{
		{Signature: "(varchar, varchar) -> boolean", Write: regexpLike},
	}},
	{Name: "regexp_extract", Doc: "First match of a pattern, or a group of it; null if there is none.", Forms: []Form{
		{Signature: "(varchar, varchar) -> varchar", SQL: "presto_regexp_extract($1, $2, 0)"},
		{Signature: "(varchar, varchar, bigint) -> varchar", SQL: "presto_regexp_extract($1, $2, $3)"},
	}},
	{Name: "regexp_extract_all", Doc: "All matches of a pattern, or a group of each.", Forms: []Form{
		{Signature: "(varchar, varchar) -> array(varchar)", SQL: "presto_regexp_extract_all($1, $2, 0)"},
		{Signature: "(varchar, varchar, bigint) -> array(varchar)", SQL: "presto_regexp_extract_all($1, $2, $3)"},
	}},
	{Name: "regexp_replace", Doc: "Text with the matches of a pattern removed, replaced ($1 and ${name} are its groups) or given to a lambda.",
		Forms: []Form{
			{Signature: "(varchar, varchar) -> varchar", SQL: "presto_regexp_substitute($1, $2, '')"},
			{Signature: "(varchar, varchar, varchar) -> varchar", SQL: "presto_regexp_substitute($1, $2, $3)"},
			{Signature: "(varchar, varchar, function(array(varchar), varchar)) -> varchar", Write: with(replaceByLambda)},
		}},
	direct("regexp_split", "Parts of a text between matches of a pattern.", "(varchar, varchar) -> array(varchar)"),
	direct("regexp_count", "How often a pattern matches.", "(varchar, varchar) -> bigint"),
	{Name: "regexp_position", Doc: "Where a pattern matches first (from a character on, or for the n-th time); -1 if it does not.",
		Forms: []Form{
			{Signature: "(varchar, varchar) -> integer", SQL: "presto_regexp_position($1, $2, 1, 1)"},
			{Signature: "(varchar, varchar, integer) -> integer", SQL: "presto_regexp_position($1, $2, $3, 1)"},
			{Signature: "(varchar, varchar, integer, integer) -> integer", SQL: "presto_regexp_position($1, $2, $3, $4)"},
		}},
}
