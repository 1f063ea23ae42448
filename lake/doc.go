// Package lake stores tables as Hive-partitioned parquet files in a
// store.Bucket: FileWriter and FileReader are one file, Table is all
// partitions of a table, Generation is the making of a partition's next
// version, which is published whole or not at all.
package lake
