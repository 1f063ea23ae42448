// Package format reads pings and submissions from files in the usual formats of
// telemetry: NDJSON of pings, of submissions and of Pub/Sub
// messages, and streams of framed Heka messages; each of them plain, gzipped
// or compressed with zstd. The format follows from a file's content, never from
// its name.
//
// Reading takes memory for one record, however large the file. A damaged
// record is reported and skipped.
package format
