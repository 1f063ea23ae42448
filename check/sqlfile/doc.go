// Package sqlfile reads users' checks: SQL files whose queries return the rows
// that break a rule, none when it is kept.
//
// A file is named NAME.TABLE.error.sql or NAME.TABLE.warning.sql, or NAME.sql
// with comment lines at its beginning that say the rest:
//
//	-- table: clients_daily
//	-- severity: error
//	-- doc: every client has a country
//	-- dialect: duckdb
//
// Without the last the query is in Presto's dialect. It runs in a process of its own, as those of package worker, with
// all tables granted. {day} in the query is replaced by the day as 20180301, {date} by the day as 2018-03-01. The
// tables come from package query. For the table and the day that are about to be published the query sees the staged
// files, for all others the published ones.
package sqlfile
