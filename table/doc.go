// Package table implements the transforms of the tables: pure functions from pings, or from rows of
// main_summary, to rows. They use no context, clock, logger or store. Equal input always produces equal rows.
//
// Most columns need no code, because the rules of package schema define how to compute them. This package has
// the functions of the other columns, by table and column.
package table
