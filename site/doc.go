// Package site is one installation: its buckets, its tables and their probe
// definitions, its ledger, its locks and leases. It says where everything is and
// who may work on it. The work itself is done by the packages above.
package site
