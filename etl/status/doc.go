// Package status reads the state of an installation: of each partition, of the edges, the spool, the disk and the
// archive. It changes nothing and waits for no other process.
package status
