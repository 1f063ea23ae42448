// Package lake stores tables as Hive-partitioned parquet files in a
// store.Bucket. FileWriter and FileReader are for one file, Table is all
// partitions of a table, Generation is the next version of a partition, which is
// published whole or not at all.
package lake
