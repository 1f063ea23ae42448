package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// grouping reports whether a Group syncs its objects together: other systems are not tested, and some cannot rename open files.
const grouping = true

// startWriting lets the system write a file to its disk while others are written.
func startWriting(f *os.File) {
	_ = unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) // Sync gives the error
}
