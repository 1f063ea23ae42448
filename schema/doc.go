// Package schema holds the tables as data: what each is made from and who may
// read it, its grain, version, location and partition keys, its columns in order
// with type, doc, source and rule, and its checks. It also holds the probe
// definitions, which decide on some columns of main_summary. Parquet schemas,
// DDL, the catalog, the plan of a run and the transforms all follow from it.
package schema
