// Package sqlfile reads users' checks: SQL files whose queries return the rows
// that break a rule, none when it is kept.
//
// A file is named NAME.TABLE.error.sql or NAME.TABLE.warning.sql, or NAME.sql
// with comment lines at its beginning that say the rest:
//
//	-- table: clients_daily
//	-- severity: error
//	-- doc: every client has a country
//
// {day} in the query stands for the day as 20180301, {date} for it as
// 2018-03-01. The tables are those of package query; of the table and the day
// that are about to be published it sees the staged files, and of everything
// else what is published.
package sqlfile
