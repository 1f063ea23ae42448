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
// Queries are in the SQL of Presto, the engine for which the tables were made, or in DuckDB's. Package
// presto translates the former; what it wrote says for each byte from which of the query it is, so that an error
// names the place in the user's text.
//
// Clients that asked to be forgotten are hidden until their rows are removed:
// the views leave out the rows whose client is among Options.Hidden.
//
// Queries are trusted: they can read and write all that the process can.
package query
