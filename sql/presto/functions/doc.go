// Package functions has the functions of Presto's SQL as data: for each its
// signatures, what it does, and how DuckDB writes it.
package functions
