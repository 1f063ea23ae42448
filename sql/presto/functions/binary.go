package functions

// binaryFunctions are about bytes.
var binaryFunctions = []Function{
	{Name: "to_hex", Doc: "Bytes as hexadecimal digits.", Forms: []Form{{Signature: "(varbinary) -> varchar", SQL: "presto_to_hex($1)"}}},
	{Name: "from_hex", Doc: "Bytes of hexadecimal digits.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_hex($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_hex(presto_from_utf8($1, '?'))"},
	}},
	{Name: "to_utf8", Doc: "Text as bytes of UTF-8.", Forms: []Form{{Signature: "(varchar) -> varbinary", SQL: "presto_to_utf8($1)"}}},
	{Name: "from_utf8", Doc: "Text of bytes of UTF-8; what is wrong becomes U+FFFD or another character.", Forms: []Form{
		{Signature: "(varbinary) -> varchar", SQL: "presto_from_utf8($1, chr(65533))"},
		{Signature: "(varbinary, varchar) -> varchar", SQL: "presto_from_utf8($1, $2)"},
		{Signature: "(varbinary, bigint) -> varchar", SQL: "presto_from_utf8($1, presto_chr($2))"},
	}},
	{Name: "md5", Doc: "MD5 hash of bytes.", Forms: []Form{{Signature: "(varbinary) -> varbinary", SQL: "presto_md5($1)"}}},
	{Name: "sha1", Doc: "SHA-1 hash of bytes.", Forms: []Form{{Signature: "(varbinary) -> varbinary", SQL: "presto_sha1($1)"}}},
	{Name: "sha256", Doc: "SHA-256 hash of bytes.", Forms: []Form{{Signature: "(varbinary) -> varbinary", SQL: "presto_sha256($1)"}}},
	{Name: "sha512", Doc: "SHA-512 hash of bytes.", Forms: []Form{{Signature: "(varbinary) -> varbinary", SQL: "presto_sha512($1)"}}},
	{Name: "xxhash64", Doc: "xxHash64 of bytes.", Forms: []Form{{Signature: "(varbinary) -> varbinary", SQL: "presto_xxhash64($1)"}}},
	{Name: "murmur3", Doc: "128-bit Murmur3 hash of bytes.", Forms: []Form{{Signature: "(varbinary) -> varbinary", SQL: "presto_murmur3($1)"}}},
	{Name: "hmac_md5", Doc: "HMAC with MD5 of bytes and a key.", Forms: []Form{
		{Signature: "(varbinary, varbinary) -> varbinary", SQL: "presto_hmac_md5($1, $2)"},
	}},
	{Name: "hmac_sha1", Doc: "HMAC with SHA-1 of bytes and a key.", Forms: []Form{
		{Signature: "(varbinary, varbinary) -> varbinary", SQL: "presto_hmac_sha1($1, $2)"},
	}},
	{Name: "hmac_sha256", Doc: "HMAC with SHA-256 of bytes and a key.", Forms: []Form{
		{Signature: "(varbinary, varbinary) -> varbinary", SQL: "presto_hmac_sha256($1, $2)"},
	}},
	{Name: "hmac_sha512", Doc: "HMAC with SHA-512 of bytes and a key.", Forms: []Form{
		{Signature: "(varbinary, varbinary) -> varbinary", SQL: "presto_hmac_sha512($1, $2)"},
	}},
	{Name: "concat", Doc: "Texts, bytes or arrays after each other.", Forms: []Form{
		{Signature: "(varbinary...) -> varbinary", Write: concat},
	}},
	{Name: "crc32", Doc: "CRC-32 of bytes.", Forms: []Form{{Signature: "(varbinary) -> bigint", SQL: "presto_crc32($1)"}}},
	{Name: "to_base64", Doc: "Bytes as text in Base64.", Forms: []Form{{Signature: "(varbinary) -> varchar", SQL: "presto_to_base64($1)"}}},
	{Name: "from_base64", Doc: "Bytes of text in Base64.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_base64($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_base64(presto_from_utf8($1, chr(65533)))"},
	}},
	{Name: "to_base64url", Doc: "Bytes as text in Base64 for URLs.", Forms: []Form{
		{Signature: "(varbinary) -> varchar", SQL: "presto_to_base64url($1)"},
	}},
	{Name: "from_base64url", Doc: "Bytes of text in Base64 for URLs.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_base64url($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_base64url(presto_from_utf8($1, chr(65533)))"},
	}},
	{Name: "to_base32", Doc: "Bytes as text in Base32.", Forms: []Form{{Signature: "(varbinary) -> varchar", SQL: "presto_to_base32($1)"}}},
	{Name: "from_base32", Doc: "Bytes of text in Base32.", Forms: []Form{
		{Signature: "(varchar) -> varbinary", SQL: "presto_from_base32($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_from_base32(presto_from_utf8($1, chr(65533)))"},
	}},
	{Name: "to_base", Doc: "Number in a base from 2 to 36.", Forms: []Form{{Signature: "(bigint, bigint) -> varchar", SQL: "presto_to_base($1, $2)"}}},
	{Name: "from_base", Doc: "Number of digits in a base from 2 to 36.", Forms: []Form{
		{Signature: "(varchar, bigint) -> bigint", SQL: "presto_from_base($1, $2)"},
	}},
	{Name: "to_big_endian_32", Doc: "Number as 4 bytes, the highest first.", Forms: []Form{
		{Signature: "(integer) -> varbinary", SQL: "presto_to_big_endian_32($1)"},
	}},
	{Name: "from_big_endian_32", Doc: "Number of 4 bytes, the highest first.", Forms: []Form{
		{Signature: "(varbinary) -> integer", SQL: "presto_from_big_endian_32($1)"},
	}},
	{Name: "to_big_endian_64", Doc: "Number as 8 bytes, the highest first.", Forms: []Form{
		{Signature: "(bigint) -> varbinary", SQL: "presto_to_big_endian_64($1)"},
	}},
	{Name: "from_big_endian_64", Doc: "Number of 8 bytes, the highest first.", Forms: []Form{
		{Signature: "(varbinary) -> bigint", SQL: "presto_from_big_endian_64($1)"},
	}},
	{Name: "to_ieee754_32", Doc: "Number as 4 bytes of IEEE 754.", Forms: []Form{{Signature: "(real) -> varbinary", SQL: "presto_to_ieee754_32($1)"}}},
	{Name: "from_ieee754_32", Doc: "Number of 4 bytes of IEEE 754.", Forms: []Form{
		{Signature: "(varbinary) -> real", SQL: "presto_from_ieee754_32($1)"},
	}},
	{Name: "to_ieee754_64", Doc: "Number as 8 bytes of IEEE 754.", Forms: []Form{{Signature: "(double) -> varbinary", SQL: "presto_to_ieee754_64($1)"}}},
	{Name: "from_ieee754_64", Doc: "Number of 8 bytes of IEEE 754.", Forms: []Form{
		{Signature: "(varbinary) -> double", SQL: "presto_from_ieee754_64($1)"},
	}},
	{Name: "reverse", Doc: "Text or bytes backwards.", Forms: []Form{
		{Signature: "(varchar) -> varchar", SQL: "presto_reverse($1)"},
		{Signature: "(varbinary) -> varbinary", SQL: "presto_reverse_binary($1)"},
	}},
}
