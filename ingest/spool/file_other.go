//go:build !linux

package spool

import (
	"errors"
	"os"
)

// openSegment makes a new file, written through the page cache.
func openSegment(path string, direct bool) (*os.File, error) {
	if direct {
		return nil, errors.ErrUnsupported
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

func preallocate(*os.File, int64) {}

// syncData makes written bytes durable.
func syncData(f *os.File) error { return f.Sync() }

// openAgain opens the file of a removed segment.
func openAgain(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR, 0) }
