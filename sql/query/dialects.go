package query

import "github.com/pingmill/pingmill/sql/lexer"

// Dialect is the language of a query.
type Dialect = lexer.Dialect

const (
	Presto = lexer.Presto
	DuckDB = lexer.DuckDB
)

// ParseDialect returns the dialect with a name; "" is Presto.
func ParseDialect(name string) (Dialect, error) { return lexer.ParseDialect(name) }
