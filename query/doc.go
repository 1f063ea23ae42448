// Package query runs SQL over the lake with DuckDB. It is the only package
// that imports DuckDB, and with it cgo.
//
// Every published table is a view over exactly the parquet files that the
// caller lists. A view is made when a query first names it, with the
// columns and types that the caller states. A column that a file of an older
// partition lacks is null there, and no file is opened to find that out.
// Partition columns are strings cut out of the file's path, so a condition on
// them keeps the other partitions' files closed.
//
// Queries may be in the SQL of Presto 0.1xx, the engine for which the tables
// were made. Functions that a macro can express are macros (pack.sql and
// macros.go). The rest is rewritten token by token before DuckDB parses it (the
// dialect files), so that an error still names the place in the user's text.
// DuckDB's own syntax works wherever Presto does not give it another meaning.
//
// Clients that asked to be forgotten are hidden until their rows are removed:
// the views leave out the rows whose client is among Options.Hidden.
//
// Queries are trusted: they can read and write all that the process can.
package query
