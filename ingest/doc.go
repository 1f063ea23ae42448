// Package ingest decodes submissions: it turns the body that a client sent, with its path, headers and address,
// into a ping and its metadata, a duplicate or an error.
//
// The steps are path, geo lookup, duplicate check, unpacking, JSON, JSON Schema, metadata, in this order. Only
// the geo lookup uses the client's address; no outcome contains it.
//
// The time is a field of the submission; the package reads no clock. Decoders share only pools of memory.
package ingest
