// Package forget stores the requests of clients to be forgotten: the clients, whether their rows are still to
// be removed or already removed, and a record of each removal.
//
// Until the rows are removed, a request contains the clients' ids in plain form, in a bucket that only the
// service may read: queries need the ids to exclude the rows. Afterwards only a hash of each id remains,
// which identifies the client if it sends pings again.
package forget
