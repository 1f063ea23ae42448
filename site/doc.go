// Package site is one installation: its buckets, its tables and their probe
// definitions, its ledger, its locks and leases. It says where everything is, and
// which process may work on it. The packages above do the work.
package site
