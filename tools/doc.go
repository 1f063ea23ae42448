// Package tools groups programs and helpers for development: synthetic pings,
// benchmarks, fault injection, clients for tests, the rules of the source tree, and the
// demonstration.
//
// Commands, tests and terminal/report, which prints what generate did, import its packages.
package tools
