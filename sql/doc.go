// Package sql groups everything between a statement and its result. presto translates
// Presto's dialect to DuckDB's. gate decides which statements may run. query runs a
// statement with DuckDB over the published files; worker runs one in a sandboxed process;
// queryservice queues the queries of people and stores their results. saved has saved
// queries and their schedules.
//
// serve, terminal and the commands import its packages. Only sql/query imports DuckDB.
package sql
