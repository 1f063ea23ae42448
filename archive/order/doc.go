// Package order is the order in which several servers commit loads to one archive.
//
// It is a list in the bucket to which each commit adds one entry by compare-and-swap,
// once all its files are staged and before anything of it is visible. Only the last
// entry may be under way: the next server waits for its end, or finishes what a dead
// server has left. So whoever has the turn knows all that was committed before, a
// server that was held up cannot commit between two others, and nobody's clock matters.
//
//	commits/v1/NNNNNNNN.json	up to 256 entries, oldest first
package order
