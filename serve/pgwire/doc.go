// Package pgwire serves PostgreSQL's wire protocol to psql, Grafana and other clients. Queries are
// written in the dialects of the query tool and run in the query service. Queries on pg_catalog and
// information_schema run in a worker that has only the names and types of the tables that the person
// was granted.
//
// The password is an API token in clear text, so the server accepts it only over TLS or from the same
// machine. SCRAM is impossible, because the server stores only a hash of the token.
package pgwire
