// Package inflate decompresses gzip and raw deflate data (RFC 1952, RFC 1951) that is in memory as a whole.
// Telemetry pings are such data: some 20 KB each that become 80 KB of JSON. It is several times as fast as
// decoders that read byte by byte, and a Decoder in use does not allocate.
//
// The speed has three sources. The decoder loads input eight bytes at a time into a 64-bit buffer and writes
// output past its end into slack space, so the inner loop checks its bounds once per symbol (fast.go). One
// lookup decodes up to two literals and the match that follows them (step.go). The few symbols near the ends of
// input and output go through a loop that checks everything (careful.go).
//
// Two bodies at a time are 1.5 times as fast: Pair decodes them alternately (avo, pair.go), in assembly on
// amd64; elsewhere it decodes one after the other.
//
// The decoder can stop at any symbol if input or room is missing, and continue later. Reader uses this: it
// reads a stream of any number of gzip members of any size in constant memory, byte for byte like
// compress/gzip.Reader.
//
// The package accepts exactly the data that compress/flate and compress/gzip accept, with one addition: Gunzip
// tolerates zero bytes after the last member, as gzip(1) does.
package inflate
