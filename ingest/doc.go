// Package ingest decodes submissions: it turns the body that a client sent, with
// its path, headers and address, into a ping and its metadata, a duplicate or an
// error.
//
// The order of work is path, geo lookup, duplicate check, unpacking, JSON,
// JSON Schema, metadata. The address of the client is for the geo lookup alone
// and is in no outcome.
//
// Time comes with the submission; the package reads no clock. All that it shares
// between decoders is memory to be used again.
package ingest
