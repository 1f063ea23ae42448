// Package rowfile holds the archive's rows in memory, where they wait for their file, and reads and writes them
// in parquet files. A file has the ingestion metadata as columns and the ping's JSON, or the body of a rejected
// submission, as one binary column. Its rows are sorted by (sample, timestamp, document id), and its row groups
// end at changes of the sample.
package rowfile
