// Package site represents one installation: its buckets, its tables and their probe definitions, its ledger,
// its locks and leases. It defines the place of everything and which process may work on it. The packages above
// do the work.
package site
