// Package queryservice queues the queries of people, runs each within the limits and grants of its
// person, stores results and history, and decides who else may see them.
//
// A result is a file: the Arrow IPC stream that the worker wrote, followed by an index and checksums.
// The package trusts neither worker nor file. If it cannot read a result, the error says to run the
// query again.
package queryservice
