// Package format reads pings and submissions from files in the usual formats of telemetry: NDJSON of pings, of
// submissions and of Pub/Sub messages, and streams of framed Heka messages; each of them plain, gzipped or
// compressed with zstd. It recognises the format by the file's content, not by its name.
//
// Memory is bounded by one record, however large the file. The reader reports and skips damaged records.
package format
