package worker

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// usage tells what the process used, from files that are opened before the sandbox is closed. Where there are none it tells 0.
type usage struct{ io, status *os.File }

func openUsage() *usage {
	var u usage
	u.io, _ = os.Open("/proc/self/io")
	u.status, _ = os.Open("/proc/self/status")
	return &u
}

// read is how many bytes were read, of files for the most part.
func (u *usage) read() int64 { return line(u.io, "rchar: %d") }

// memory is the most that the process had in memory, in bytes.
func (u *usage) memory() int64 { return line(u.status, "VmHWM: %d kB") << 10 }

// line finds a line of a file that is of a form.
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
