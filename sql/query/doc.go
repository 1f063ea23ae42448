// Package query runs SQL over the lake with DuckDB. It is the only package
// that imports DuckDB, and with it cgo.
//
// Every published table is a view over exactly the parquet files that the
// caller lists. A view is created when a query first names it, with the
// columns and types that the caller specifies. A column that a file of an older
// partition lacks is null there; no file is opened to find that out.
// Partition columns are strings from the file's path, so a condition on
// them avoids opening other partitions' files.
//
// Queries are in the SQL of Presto, the engine for which the tables were made, or in DuckDB's. Package presto
// translates the former. Its output maps each byte to a byte of the query, so that an error has its place in the user's
// text.
//
// Clients that asked to be forgotten are hidden until their rows are removed:
// the views leave out the rows whose client is among Options.Hidden.
//
// Queries are trusted: they can read and write all that the process can.
package query
