package spool

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openSegment makes a new file; direct means past the page cache, which not
// every file system can.
func openSegment(path string, direct bool) (*os.File, error) {
	flags := os.O_RDWR | os.O_CREATE | os.O_EXCL
	if direct {
		flags |= unix.O_DIRECT
	}
	return os.OpenFile(path, flags, 0o600)
}

// openAgain opens the file of a removed segment, past the page cache; what that
// holds of it is not needed.
func openAgain(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_DIRECT, 0)
	if err == nil {
		_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) // only a hint
	}
	return f, err
}

// preallocate reserves space, so that a commit changes no metadata but the
// state of its extents. Where it fails the file grows as it is written.
func preallocate(f *os.File, size int64) {
	if uninterrupted(func() error { return unix.Fallocate(int(f.Fd()), 0, 0, size) }) != nil {
		_ = f.Truncate(0) // what a failed call may have taken
	}
}

// syncData makes written bytes durable.
func syncData(f *os.File) error {
	return uninterrupted(func() error { return unix.Fdatasync(int(f.Fd())) })
}

// uninterrupted repeats a call that a signal ended.
func uninterrupted(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
