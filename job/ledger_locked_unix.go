//go:build unix

package job

import (
	"errors"
	"io/fs"
	"syscall"
)

// reservedByte is what a writer of a SQLite database locks, see lockingstyle in its os_unix.c.
const reservedByte = 0x40000000 + 1

// locked says whether another process writes a database, and which, without a lock of its own.
func locked(path string) (pid int, is bool, err error) {
	// The file stays open: closing it would give up the locks that this process itself has on it.
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Start: reservedByte, Len: 1}
	if err := syscall.FcntlFlock(uintptr(fd), syscall.F_GETLK, &l); err != nil {
		return 0, false, &fs.PathError{Op: "look for locks of", Path: path, Err: err}
	}
	return int(l.Pid), l.Type != syscall.F_UNLCK, nil
}
