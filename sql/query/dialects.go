package query

import "fmt"

// Dialect is the language of a query.
type Dialect string

const (
	Presto Dialect = "presto"
	DuckDB Dialect = "duckdb" // as DuckDB reads it
)

// ParseDialect returns the dialect with a name; "" is Presto.
func ParseDialect(name string) (Dialect, error) {
	switch d := Dialect(name); d {
	case "", Presto:
		return Presto, nil
	case DuckDB:
		return d, nil
	}
	return "", fmt.Errorf("no dialect %q: want %s or %s", name, Presto, DuckDB)
}
