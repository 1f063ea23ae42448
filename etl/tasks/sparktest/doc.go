// Package sparktest tests packaging/spark with a standalone Spark cluster on this machine, a bucket, and
// processes that are killed. make spark runs the tests.
package sparktest
