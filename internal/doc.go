// Package internal groups helpers that know nothing of pings: panics turns panics into
// errors, pipe reads and writes files that may block. Any package may import them.
package internal
