// Package format implements the parts of Iceberg's table format, version 2, that pingmill's tables need: schemas with
// stable ids, table metadata with the updates that catalogs accept, manifests and manifest lists.
//
// It preserves unknown members: metadata that other engines have changed is written back complete.
package format
