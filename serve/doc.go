// Package serve groups the listeners that answer people: web serves the query tool and
// its HTTP API, pgwire PostgreSQL's protocol, flight Arrow Flight SQL. bi has what the last
// two share; listening has the limits of all listeners, which the edge uses, too.
//
// Package service starts them. The prompt asks a query tool through serve/web/client.
package serve
