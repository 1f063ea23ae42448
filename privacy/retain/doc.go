// Package retain removes data past its retention: days of the archive, partitions of tables, and old runs in
// the ledger.
package retain
