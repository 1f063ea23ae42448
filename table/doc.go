// Package table holds the transforms of the seven tables: pure functions from
// pings, or from main_summary rows, to rows. They see no context, clock,
// logger or store, and the same input always gives the same rows.
package table
