// Package serve groups the listeners for users: web serves the query tool and its HTTP API, pgwire PostgreSQL's
// protocol, flight Arrow Flight SQL, and trino Trino's protocol. bi holds code common to the last three, which programs
// starts. listening holds limits for all listeners, which the edge uses, too.
//
// Package service starts the listeners. The prompt uses the query tool through serve/web/client.
package serve
