// Package inflate decompresses gzip and raw deflate data (RFC 1952, RFC 1951) that is in memory as a whole, as
// telemetry pings are: some 20 KB each that become 80 KB of JSON. It does so several times as fast as decoders
// that read byte by byte, without allocating once a Decoder is warm.
//
// Three ideas give the speed. Input is taken eight bytes at a time into a 64-bit buffer, and output written past
// its end into slack space, so the inner loop checks its bounds once per symbol (fast.go). One lookup decodes up
// to two literals and the match that follows them (step.go). The few symbols near the ends of input and output
// go through a loop that checks everything (careful.go).
//
// Two bodies at a time are half as fast again: Pair advances them by turns (avo, pair.go), in assembly for amd64 and
// one after the other elsewhere.
//
// The same decoder can stop at any symbol for want of input or room and go on later. Reader is built on that: it
// reads a stream of any number of gzip members of any size in constant memory, byte for byte like
// compress/gzip.Reader.
//
// Data is accepted exactly when compress/flate and compress/gzip accept it, with one addition: Gunzip tolerates
// zero bytes after the last member, as gzip(1) does.
package inflate
