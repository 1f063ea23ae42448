package functions

// textFunctions are about text.
var textFunctions = []Function{
	{Name: "length", Doc: "Number of characters of a text, or of bytes of a varbinary.", Forms: []Form{
		{Signature: "(varchar) -> bigint", SQL: "length($1)"},
		{Signature: "(char) -> bigint", Write: lengthChar},
		{Signature: "(varbinary) -> bigint", SQL: "octet_length($1)"},
	}},
	{Name: "lower", Doc: "Text in lower case.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "lower($1)"},
		{Signature: "(char) -> varchar", Write: caseOfChar},
	}},
	{Name: "upper", Doc: "Text in upper case.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: upper},
		{Signature: "(char) -> varchar", Write: caseOfChar},
	}},
	{Name: "substr", Doc: "Part of a text, from a character on (from 1; negative: from the end), of a length.", Forms: []Form{
		{Signature: "(varchar, bigint) -> varchar", Write: substr},
		{Signature: "(varchar, bigint, bigint) -> varchar", Write: substr},
		{Signature: "(varbinary, bigint) -> varbinary", SQL: "presto_substr_binary($1, $2, 9223372036854775807)"},
		{Signature: "(varbinary, bigint, bigint) -> varbinary", SQL: "presto_substr_binary($1, $2, $3)"},
	}},
	{Name: "substring", Doc: "Part of a text, from a character on (from 1; negative: from the end), of a length.", Forms: []Form{
		{Signature: "(varchar, bigint) -> varchar", Write: substr},
		{Signature: "(varchar, bigint, bigint) -> varchar", Write: substr},
	}},
	{Name: "replace", Doc: "Text with all instances of a text replaced, or removed.", Forms: []Form{
		{Signature: "(varchar, varchar) -> varchar", SQL: "presto_replace($1, $2, '')"},
		{Signature: "(varchar, varchar, varchar) -> varchar", Write: replace},
	}},
	{Name: "strpos", Doc: "Position of an instance of a text, 0 if there is none; a negative number counts from the end.", Forms: []Form{
		{Signature: "(varchar, varchar) -> bigint", Write: strpos},
		{Signature: "(varchar, varchar, bigint) -> bigint", SQL: "presto_strpos($1, $2, $3)"},
	}},
	{Name: "starts_with", Doc: "Whether a text begins with another.", Forms: []Form{
		{Signature: "(varchar, varchar) -> boolean", SQL: "starts_with($1, $2)"},
	}},
	{Name: "trim", Doc: "Text without white space, or without a set of characters, at both ends.", Forms: []Form{
		{Signature: "(varchar) -> varchar", Write: trim},
		{Signature: "(char) -> varchar", Write: trim},
		{Signature: "(varchar, varchar) -> varchar", Write: trim},
	}},
	{Name: "ltrim", Doc: "Text without white space, or without a set of characters, at its beginning.", Forms: []Form{
		{Signature: "(varchar) -> varchar", Write: trim},
		{Signature: "(char) -> varchar", Write: trim},
		{Signature: "(varchar, varchar) -> varchar", Write: trim},
	}},
	{Name: "rtrim", Doc: "Text without white space, or without a set of characters, at its end.", Forms: []Form{
		{Signature: "(varchar) -> varchar", Write: trim},
		{Signature: "(char) -> varchar", Write: trim},
		{Signature: "(varchar, varchar) -> varchar", Write: trim},
	}},
	{Name: "lpad", Doc: "Text filled up on the left, or cut, to a length.", Forms: []Form{
		{Signature: "(varchar, bigint, varchar) -> varchar", SQL: "presto_lpad($1, $2, $3)"},
		{Signature: "(varbinary, bigint, varbinary) -> varbinary", SQL: "presto_lpad_binary($1, $2, $3)"},
	}},
	{Name: "rpad", Doc: "Text filled up on the right, or cut, to a length.", Forms: []Form{
		{Signature: "(varchar, bigint, varchar) -> varchar", SQL: "presto_rpad($1, $2, $3)"},
		{Signature: "(varbinary, bigint, varbinary) -> varbinary", SQL: "presto_rpad_binary($1, $2, $3)"},
	}},
	{Name: "concat", Doc: "Texts, bytes or arrays after each other.", Forms: []Form{{Signature: "(varchar...) -> varchar", Write: concat}}},
	{Name: "concat_ws", Doc: "Texts with a separator between them; nulls are left out.", Forms: []Form{
		{Signature: "(varchar, array(varchar)) -> varchar", SQL: "presto_concat_ws($1, $2)"},
		{Signature: "(varchar, varchar...) -> varchar", Write: join, Nulls: true},
	}},
	{Name: "split", Doc: "Parts of a text between delimiters, at most a number of them.", Forms: []Form{
		{Signature: "(varchar, varchar) -> array(varchar)", SQL: "presto_split($1, $2)"},
		{Signature: "(varchar, varchar, bigint) -> array(varchar)", SQL: "presto_split3($1, $2, $3)"},
	}},
	direct("split_part", "Part of a text between delimiters, counted from 1; null if there are fewer.",
		"(varchar, varchar, bigint) -> varchar"),
	{Name: "split_to_map", Doc: "Map of a text such as a=1;b=2; a key may be there once.", Forms: []Form{
		{Signature: "(varchar, varchar, varchar) -> map(varchar, varchar)", Write: splitToMap},
	}},
	{Name: "split_to_multimap", Doc: "Map of a text such as a=1;b=2;a=3 to arrays of values.", Forms: []Form{
		{Signature: "(varchar, varchar, varchar) -> map(varchar, array(varchar))", Write: splitToMultimap},
	}},
	direct("translate", "Text whose characters of one set are replaced by those of another at the same place, or removed.",
		"(varchar, varchar, varchar) -> varchar"),
	{Name: "normalize", Doc: "Text in a normal form of Unicode: NFC (the default), NFD, NFKC or NFKD.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_normalize($1, 'NFC')"},
		{Signature: "(varchar, varchar) -> varchar", SQL: "presto_normalize($1, $2)"},
	}},
	direct("soundex", "Code of how a name sounds in English.", "(varchar) -> varchar"),
	direct("levenshtein_distance", "How many characters to insert, remove or replace to get another text.", "(varchar, varchar) -> bigint"),
	direct("hamming_distance", "How many characters differ between two texts of the same length.", "(varchar, varchar) -> bigint"),
	direct("chr", "Character of a code point.", "(bigint) -> varchar"),
	direct("codepoint", "Code point of a character.", "(varchar) -> integer"),
	direct("luhn_check", "Whether the last digit of a number is right by Luhn's formula.", "(varchar) -> boolean"),
	{Name: "format", Doc: "Text by a format such as '%05d of %s', as in Java.", Forms: textFormatForms()},
	{Name: "format_number", Doc: "Number with few digits and a letter for its unit, such as 1.23M.", Forms: []Form{
		{Signature: "(bigint) -> varchar", SQL: "presto_format_number($1)"},
		{Signature: "(double) -> varchar", SQL: "presto_format_number_double($1)"},
	}},
	direct("human_readable_seconds", "Seconds as text such as 1 hour, 2 minutes.", "(double) -> varchar"),
	{
		Name: "parse_data_size", Aliases: []string{"parse_presto_data_size"}, Doc: "Bytes of a size such as 2.5MB, in powers of 1024.",
		Forms: []Form{{Signature: "(varchar) -> decimal(38,0)", SQL: "CAST(presto_parse_data_size($1) AS DECIMAL(38,0))"}},
	},
	direct("parse_duration", "Interval of a text such as 3.5d or 42ms.", "(varchar) -> interval day to second"),
}
