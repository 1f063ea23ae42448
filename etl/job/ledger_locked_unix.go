//go:build unix

package job

import (
	"io/fs"
	"sync"
	"syscall"
)

// reservedByte is the offset that a writer of a SQLite database locks; see lockingstyle in its os_unix.c.
const reservedByte = 0x40000000 + 1

// lockWatch looks whether another process writes a database, without a lock of its own. Its file stays open: closing
// it would give up the locks that this process itself has on the file.
type lockWatch struct {
	mu   sync.Mutex
	open bool
	fd   int
}

// locked reports whether another process writes the database in a file that may be missing, and which.
func (w *lockWatch) locked(path string) (pid int, is bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		if w.fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0); err == syscall.ENOENT {
			return 0, false, nil
		}
		if err != nil {
			return 0, false, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		w.open = true
	}
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Start: reservedByte, Len: 1}
	if err := syscall.FcntlFlock(uintptr(w.fd), syscall.F_GETLK, &l); err != nil {
		return 0, false, &fs.PathError{Op: "look for locks of", Path: path, Err: err}
	}
	return int(l.Pid), l.Type != syscall.F_UNLCK, nil
}
