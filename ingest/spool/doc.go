// Package spool stores submissions on disk from their acknowledgement until they are in the archive: in
// append-only segments with a checksum for each record, written by group commit.
package spool
