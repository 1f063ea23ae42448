// Package format reads pings and submissions from files of the formats that
// telemetry is kept in: NDJSON of pings, of submissions and of Pub/Sub
// messages, and streams of framed Heka messages; each of them plain, gzipped
// or compressed with zstd. A file's content tells its format, never its name.
//
// Reading takes memory for one record, however large the file. A damaged
// record is reported and passed over.
package format
