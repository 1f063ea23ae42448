// Package glean implements the transforms of Glean tables: rows of pings, of events, and of clients. Like package
// table, it uses no context, clock or store, and equal input always produces equal rows.
package glean
