//go:build unix

package edge

import "syscall"

// fileLimit returns the largest number of files that the process may have open.
func fileLimit() (int64, bool) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, false
	}
	return int64(min(uint64(l.Cur), 1<<40)), true
}
