// Package spool keeps submissions on disk from the moment they are
// acknowledged until they are in the archive: append-only segments with a
// checksum for each record, written by group commit.
package spool
