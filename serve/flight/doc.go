// Package flight serves Arrow Flight SQL to notebooks and BI tools. Clients authenticate with the
// tokens of the HTTP API. Queries run in the query service; metadata lists the tables and columns
// that the person was granted.
//
// The server keeps no state between calls. A ticket, and the handle of a prepared statement, contains
// the statement itself. The server checks and runs it when the client fetches the result, with the
// rights that the person has then. It cancels a query if its reader disconnects.
package flight
