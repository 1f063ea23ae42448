// Package worker runs one query in a process of its own, the worker: the same program, started again
// in a sandbox. The query cannot affect its caller. Memory, time and result are limited, only files of
// granted tables are readable, and a worker that dies fails only its own query.
//
// Caller and worker exchange frames over pipes. The worker receives the request, sends what the query
// will read (Plan), waits for permission, and then sends columns, progress, the encoded result and a
// summary. The caller trusts no frame: frames have a maximum size, and a file is named by its index in
// the list that the caller sent.
//
// A program that starts workers calls Main first; its tests call it in TestMain.
package worker
