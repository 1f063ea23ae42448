// Package schema defines the tables as data: source, readers, grain, version, location, partition keys, columns in
// order with type, doc, source and rule, and checks. It also has the probe definitions, which determine some columns
// of main_summary. Parquet schemas, DDL, the catalog, the plan of a run and the transforms are derived from it.
package schema
