// Package edge implements the HTTP edge: it receives submissions, appends them to the spool and acknowledges
// them once they are on disk. It does not unpack bodies.
package edge
