// Package forget keeps the requests of clients to be forgotten: who asked, whose
// rows are still to be removed, whose are gone, and what was done about it.
//
// A request has the clients' ids as they are, in a bucket that only the service
// may read, until the rows are removed: queries need the ids to leave the rows
// out. Afterwards a hash of each id is all that stays, by which the client is
// recognised should its pings come again.
package forget
