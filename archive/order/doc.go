// Package order defines the order in which several servers commit loads to one archive.
//
// The order is a list in the bucket. Each commit adds one entry by compare-and-swap, once all its files are
// staged and before any of it is visible. Only the last entry may be unfinished: the next server waits for its
// end, or finishes what a dead server has left. So the server whose turn it is knows all earlier commits, a
// delayed server cannot commit between two others, and no clock matters.
//
//	commits/v1/NNNNNNNN.json	up to 256 entries, oldest first
package order
