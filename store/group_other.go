//go:build !linux

package store

import "os"

// grouping is off: see Linux.
const grouping = false

// startWriting does nothing: Sync writes the file.
func startWriting(*os.File) {}
