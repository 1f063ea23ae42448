// Package flight answers notebooks and BI tools over Arrow Flight SQL: who asks is known by the same tokens as over HTTP, what they
// ask runs at the same desk, and metadata has the tables and columns that they were granted.
//
// It keeps no state between calls: a ticket, and the handle of a prepared statement, is the question itself, which is judged and
// run when its result is fetched, with the rights of who fetches it. A query whose reader goes away is cancelled.
package flight
