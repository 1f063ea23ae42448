// Package table holds the transforms of the tables: pure functions from pings,
// or from rows of main_summary, to rows. They see no context, clock, logger or
// store. The same input always gives the same rows.
//
// Most columns need no code: the rules of package schema say how they are
// computed. The functions of the others are here, by table and column.
package table
