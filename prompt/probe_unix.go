//go:build unix

package prompt

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// cursorReply is where a terminal says that the cursor is.
var cursorReply = regexp.MustCompile(`\x1b\[\d+;\d+R`)

// probeTime is how long a terminal has to say where its cursor is.
const probeTime = time.Second

// tellsCursor says whether a terminal tells where its cursor is, and gives what was
// typed meanwhile. One that does not would keep the line editor waiting for ever.
func tellsCursor(in *os.File, out io.Writer) (tells bool, typed []byte) {
	fd := int(in.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return false, nil
	}
	defer func() { _ = term.Restore(fd, state) }() // it was that before
	fmt.Fprint(out, "\x1b[6n")
	for {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(ready, int(probeTime.Milliseconds()))
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return false, typed
		}
		buf := make([]byte, 256)
		if n, err = in.Read(buf); err != nil {
			return false, typed
		}
		typed = append(typed, buf[:n]...)
		if at := cursorReply.FindIndex(typed); at != nil {
			return true, append(typed[:at[0]:at[0]], typed[at[1]:]...)
		}
	}
}
