// Package pgwire answers psql, Grafana, and whatever else speaks to PostgreSQL, over its wire protocol. Queries are in the dialects
// of the query tool, and run at its desk; questions about pg_catalog and information_schema, by which such tools find out what there
// is, are answered by DuckDB in a process that has nothing but the names and types of the tables that the person was granted.
//
// The password is an API token, in clear text, so it is asked for over TLS or from the same machine only: of a token only a hash is
// kept, from which SCRAM cannot be done.
package pgwire
