//go:build unix

package edge

import "syscall"

// readNow reads the bytes that have arrived, without waiting. It returns false if there are none, or at the end
// of the connection.
func readNow(c syscall.RawConn, p []byte) (n int, ok bool) {
	err := c.Read(func(fd uintptr) bool {
		n, _ = syscall.Read(int(fd), p) // net/http finds out why it fails
		return true
	})
	if err != nil || n <= 0 {
		return 0, false
	}
	return n, true
}
