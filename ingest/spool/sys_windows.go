package spool

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// FreeSpace returns the number of bytes that may still be written in a folder.
func FreeSpace(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(free), nil
}

func diskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// syncDir does nothing: this system cannot sync folders.
func syncDir(string) error { return nil }

// openRegular opens a file to be read.
func openRegular(path string) (*os.File, error) { return os.Open(path) }
