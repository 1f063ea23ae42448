// Package syntax is the grammar of Presto's SQL as Trino has it: the tree of a
// query, its lexer and parser, and the error with a place that all packages
// below presto report.
//
// Every node has its bytes in the text of the query. Statements that write or
// change settings are refused by name.
package syntax
