// Package edge is the HTTP edge: it takes submissions, puts them into the
// spool and acknowledges them once they are on disk. It does not open bodies.
package edge
