// Package ask runs a query of a person in a process of its own, a worker: the same program, started again. What the query makes
// of DuckDB, and of the worker, is nothing to the caller: memory, time and result have limits, files other than those of the
// tables granted are out of reach, and a worker that dies is an error of its query.
//
// The two speak by frames over pipes. The worker gets the request, says what the query will read (Plan), waits for the caller
// to allow it, and sends columns, progress, the bytes of the result in its format, and a summary. The caller trusts nothing that
// comes: frames have a bound, files are named by their places in the list that the worker was given.
//
// A program that asks calls Main first of all, its tests from TestMain.
package worker
