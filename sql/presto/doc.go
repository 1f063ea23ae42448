// Package presto translates queries in Presto's SQL, as Trino 435 answers them,
// into DuckDB's. Every expression has a type; what cannot be translated exactly
// is refused with a place and a hint.
//
// A query goes through these files: Translate parses it (package syntax);
// statement_*.go and from_*.go make relations, scopes and SELECT; expr.go hands
// each expression to the function for its kind; names.go finds columns in a
// Scope; call.go finds the form of a function and fills in its template.
//
// # A new function
//
// A function is a line in a list of package functions: name, kind, sentence,
// and forms of signature and template. The list is added to functions.lists. A
// line that takes any list and gives its first element:
//
//	{"first", Scalar, "The first element.", []Form{{Signature: "(array(T)) -> T", SQL: "$1[1]"}}}
//
// Arguments have been coerced to the types of the signature when the template is
// filled, and are computed once however often the template names them. A
// template can name DuckDB's functions, and those of package scalar.
// error('text') in a template is an error of the query, which TRY makes null.
package presto
