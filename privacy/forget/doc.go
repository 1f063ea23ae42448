// Package forget keeps the requests of clients to be forgotten: which clients asked,
// whose rows still have to be removed, whose are removed, and a record of each
// removal.
//
// A request has the clients' ids as they are, in a bucket that only the service
// may read, until the rows are removed: queries need the ids to leave the rows
// out. Afterwards only a hash of each id stays. It identifies the client if its
// pings come again.
package forget
