// Package internal groups helpers that know nothing of pings: clock waits, panics turns
// panics into errors, pipe reads and writes files that may block. Any package may import them.
package internal
