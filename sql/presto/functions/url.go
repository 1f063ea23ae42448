package functions

// urlFunctions are about URLs.
var urlFunctions = []Function{
	direct("url_extract_protocol", "The protocol of a URL; null if it is no URL.", "(varchar) -> varchar"),
	direct("url_extract_host", "The host of a URL; null if it is no URL.", "(varchar) -> varchar"),
	direct("url_extract_port", "The port of a URL; null if it is no URL or has none.", "(varchar) -> bigint"),
	direct("url_extract_path", "The path of a URL; null if it is no URL.", "(varchar) -> varchar"),
	direct("url_extract_query", "The query of a URL; null if it is no URL.", "(varchar) -> varchar"),
	direct("url_extract_fragment", "The fragment of a URL; null if it is no URL.", "(varchar) -> varchar"),
	direct("url_extract_parameter", "Value of the first parameter of a name in the query of a URL.", "(varchar, varchar) -> varchar"),
	direct("url_encode", "Text with escapes, for use in a URL.", "(varchar) -> varchar"),
	direct("url_decode", "Text without the escapes of a URL.", "(varchar) -> varchar"),
}
