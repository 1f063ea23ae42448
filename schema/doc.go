// Package schema holds the seven tables as data: their columns in order with
// type, doc, source and rule, their grain, version, location and partition
// keys, and the probe definitions from which main_summary derives its
// configurable columns. Parquet schemas, DDL, the catalog and the transforms
// all derive from it.
package schema
