// Package format has the parts of Iceberg's table format, version 2, that a table of pingmill needs: schemas with ids
// that stay, table metadata with the updates that catalogs take, manifests and lists of manifests.
//
// It keeps what it does not know: metadata that other engines have changed goes back with all their members.
package format
