// Package trino serves Trino's HTTP protocol, which Trino's clients and the BI tools that have a driver for it speak.
//
// A client posts a statement and follows the nextUri of each response until there is none. Statements run in the query
// service under the rights of the token's person. Those about the catalog (information_schema, system, SHOW) run over
// tables that are made of what was granted; USE, SET SESSION, PREPARE and the like are answered here.
package trino
