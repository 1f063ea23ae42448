// Package etl makes partitions: from pings of the archive, or rows of other
// tables, through the transforms into the lake. It plans partitions, divides them
// into tasks over ranges of samples, checks the results, publishes them, and
// reports the states of partitions. It implements the steps that package job runs.
package etl
