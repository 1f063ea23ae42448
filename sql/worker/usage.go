package worker

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// usage reads this process's counters from /proc. The files are opened before the sandbox is closed. Without /proc all
// counters are 0.
type usage struct{ io, status *os.File }

func openUsage() *usage {
	var u usage
	u.io, _ = os.Open("/proc/self/io")
	u.status, _ = os.Open("/proc/self/status")
	return &u
}

// read returns the number of bytes that the process has read, mostly from files.
func (u *usage) read() int64 { return line(u.io, "rchar: %d") }

// memory returns the peak resident memory of the process in bytes.
func (u *usage) memory() int64 { return line(u.status, "VmHWM: %d kB") << 10 }

// line returns the number in the first line of f that matches the format form; 0 if there is none.
func line(f *os.File, form string) int64 {
	if f == nil {
		return 0
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<16))
	if err != nil {
		return 0
	}
	for l := range strings.Lines(string(text)) {
		var n int64
		if found, _ := fmt.Sscanf(l, form, &n); found == 1 {
			return n
		}
	}
	return 0
}
