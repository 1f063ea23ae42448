// Package sparktest has the tests of packaging/spark: a standalone cluster of Spark on this machine, a bucket, and processes that
// are killed. make spark runs them.
package sparktest
