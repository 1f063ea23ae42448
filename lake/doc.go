// Package lake stores tables as Hive-partitioned parquet files in a store.Bucket. FileWriter and FileReader
// write and read one file. Table represents all partitions of a table. Generation is the next version of a
// partition; Publish switches readers to it atomically.
package lake
