// Package ping holds the raw ping: the metadata that ingestion adds, typed
// names, the JSON validator and the JSON scanner. The scanner is the hot
// kernel of the product: one pass over a ping's bytes pulls out the wanted
// paths and skips the rest without building a tree.
package ping
