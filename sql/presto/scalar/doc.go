// Package scalar has the functions of Presto's SQL that DuckDB's SQL cannot
// express exactly, in plain Go: each answers as Trino 435 does. Package query
// makes them known to DuckDB.
package scalar
