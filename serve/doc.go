// Package serve groups the listeners for users: web serves the query tool and its HTTP API, pgwire PostgreSQL's
// protocol, and flight Arrow Flight SQL. bi holds code common to pgwire and flight. listening holds limits for all
// listeners, which the edge uses, too.
//
// Package service starts the listeners. The prompt uses the query tool through serve/web/client.
package serve
