package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// limit sets the resource limits.
func limit(r Rules) error {
	limits := []struct {
		what       int
		soft, hard uint64
	}{{unix.RLIMIT_CORE, 0, 0}}
	add := func(what int, soft, hard uint64) {
		limits = append(limits, struct {
			what       int
			soft, hard uint64
		}{what, soft, hard})
	}
	if r.Memory > 0 {
		used, err := data()
		if err != nil {
			return err
		}
		add(unix.RLIMIT_DATA, used+uint64(r.Memory), used+uint64(r.Memory))
	}
	if r.CPU > 0 {
		seconds := max(1, uint64(r.CPU.Seconds()+0.999))
		add(unix.RLIMIT_CPU, seconds, seconds+1)
	}
	if r.File > 0 {
		add(unix.RLIMIT_FSIZE, uint64(r.File), uint64(r.File))
	}
	if r.Open > 0 {
		add(unix.RLIMIT_NOFILE, uint64(r.Open), uint64(r.Open))
	}
	for _, l := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(l.what, &now); err != nil {
			return err
		}
		hard := min(l.hard, now.Max)
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: min(l.soft, hard), Max: hard}); err != nil {
			return err
		}
	}
	return nil
}

// data returns the number of bytes that count towards the memory limit now.
func data() (uint64, error) {
	text, err := fs.ReadFile(os.DirFS("/proc/self"), "status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes uint64
		if n, _ := fmt.Sscanf(line, "VmData: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10, nil
		}
	}
	return 0, fmt.Errorf("/proc/self/status says nothing of VmData")
}
