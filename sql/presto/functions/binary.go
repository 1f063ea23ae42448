package functions

// binaryFunctions are about bytes.
var binaryFunctions = []Function{
	direct("to_hex", "Bytes as hexadecimal digits.", "(varbinary) -> varchar"),
	{Name: "from_hex", Doc: "Bytes of hexadecimal digits.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_hex($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_hex(presto_from_utf8($1, '?'))"},
	}},
	direct("to_utf8", "Text as bytes of UTF-8.", "(varchar) -> varbinary"),
	{Name: "from_utf8", Doc: "Text of bytes of UTF-8; what is wrong becomes U+FFFD or another character.", Forms: []Form{
		{Signature: "(varbinary) -> varchar", SQL: "presto_from_utf8($1, chr(65533))"},
		{Signature: "(varbinary, varchar) -> varchar", SQL: "presto_from_utf8($1, $2)"},
		{Signature: "(varbinary, bigint) -> varchar", SQL: "presto_from_utf8($1, presto_chr($2))"},
	}},
	direct("md5", "MD5 hash of bytes.", "(varbinary) -> varbinary"),
	direct("sha1", "SHA-1 hash of bytes.", "(varbinary) -> varbinary"),
	direct("sha256", "SHA-256 hash of bytes.", "(varbinary) -> varbinary"),
	direct("sha512", "SHA-512 hash of bytes.", "(varbinary) -> varbinary"),
	direct("xxhash64", "xxHash64 of bytes.", "(varbinary) -> varbinary"),
	direct("murmur3", "128-bit Murmur3 hash of bytes.", "(varbinary) -> varbinary"),
	direct("hmac_md5", "HMAC with MD5 of bytes and a key.", "(varbinary, varbinary) -> varbinary"),
	direct("hmac_sha1", "HMAC with SHA-1 of bytes and a key.", "(varbinary, varbinary) -> varbinary"),
	direct("hmac_sha256", "HMAC with SHA-256 of bytes and a key.", "(varbinary, varbinary) -> varbinary"),
	direct("hmac_sha512", "HMAC with SHA-512 of bytes and a key.", "(varbinary, varbinary) -> varbinary"),
	{Name: "concat", Doc: "Texts, bytes or arrays after each other.", Forms: []Form{
		{Signature: "(varbinary...) -> varbinary", Write: concat},
	}},
	direct("crc32", "CRC-32 of bytes.", "(varbinary) -> bigint"),
	direct("to_base64", "Bytes as text in Base64.", "(varbinary) -> varchar"),
	{Name: "from_base64", Doc: "Bytes of text in Base64.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_base64($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_base64(presto_from_utf8($1, chr(65533)))"},
	}},
	direct("to_base64url", "Bytes as text in Base64 for URLs.", "(varbinary) -> varchar"),
	{Name: "from_base64url", Doc: "Bytes of text in Base64 for URLs.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_base64url($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_base64url(presto_from_utf8($1, chr(65533)))"},
	}},
	direct("to_base32", "Bytes as text in Base32.", "(varbinary) -> varchar"),
	{Name: "from_base32", Doc: "Bytes of text in Base32.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_base32($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_base32(presto_from_utf8($1, chr(65533)))"},
	}},
	direct("to_base", "Number in a base from 2 to 36.", "(bigint, bigint) -> varchar"),
	direct("from_base", "Number of digits in a base from 2 to 36.", "(varchar, bigint) -> bigint"),
	direct("to_big_endian_32", "Number as 4 bytes, the highest first.", "(integer) -> varbinary"),
	direct("from_big_endian_32", "Number of 4 bytes, the highest first.", "(varbinary) -> integer"),
	direct("to_big_endian_64", "Number as 8 bytes, the highest first.", "(bigint) -> varbinary"),
	direct("from_big_endian_64", "Number of 8 bytes, the highest first.", "(varbinary) -> bigint"),
	direct("to_ieee754_32", "Number as 4 bytes of IEEE 754.", "(real) -> varbinary"),
	direct("from_ieee754_32", "Number of 4 bytes of IEEE 754.", "(varbinary) -> real"),
	direct("to_ieee754_64", "Number as 8 bytes of IEEE 754.", "(double) -> varbinary"),
	direct("from_ieee754_64", "Number of 8 bytes of IEEE 754.", "(varbinary) -> double"),
	{Name: "reverse", Doc: "Text or bytes backwards.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_reverse($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_reverse_binary($1)"},
	}},
}
