// Package etl makes partitions: it reads pings of the archive or rows of other tables, runs the transforms and writes
// to the lake. It plans partitions, divides them into tasks over ranges of samples, checks the results, publishes
// them, and reports the state of each partition. It implements the steps that package job runs.
package etl
