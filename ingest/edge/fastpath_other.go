//go:build !unix

package edge

import "syscall"

// readNow reads nothing: on this system the fast path handles only submissions that arrive together with their
// head.
func readNow(syscall.RawConn, []byte) (n int, ok bool) { return 0, false }
