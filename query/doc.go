// Package query answers SQL over the lake with DuckDB. It is the only package
// that imports DuckDB, and with it cgo.
//
// Every published table is a view over exactly the parquet files that the
// caller lists. Views are made when a query first names them, with the
// columns and types the caller states: files of older partitions that lack a
// column read as null there and none is opened to find that out. Partition
// columns are strings cut out of the file's path, so a condition on them
// keeps the other partitions' files closed.
//
// Queries may be written for Presto 0.1xx, the engine the tables were made
// for. What a macro can express is a macro (pack.sql and macros.go); the rest
// is rewritten token by token before DuckDB parses it (the dialect files), so
// that an error still points at the place in the text the user wrote. DuckDB's
// own syntax goes on working wherever Presto does not give it another meaning.
//
// Clients who asked to be forgotten are hidden until their rows are removed:
// the views leave out the rows whose client is among Options.Hidden.
//
// Queries are trusted here: they can read and write whatever the process can.
package query
