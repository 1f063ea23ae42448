// Package export writes results, which are Arrow batches, as parquet files.
package export
