// Package machine reads how much of the machine this process may use.
package machine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// groups is where control groups are.
const groups = "/sys/fs/cgroup"

// Memory returns the bytes of memory that this process may use, 0 if unknown: all of the machine or, if less, the limit of its
// control group.
func Memory() (bytes int64, group bool) { return least(total(), groups, own()) }

func least(all int64, top, dir string) (bytes int64, group bool) {
	if most, ok := limit(top, dir, "memory.max"); ok && (all == 0 || most < all) {
		return most, true
	}
	return all, false
}

// Processes returns how many processes and threads the control group of this process may have, if it has a limit.
func Processes() (most int64, ok bool) { return limit(groups, own(), "pids.max") }

// own returns the folder of the process's control group; "" without version 2.
func own() string {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			return filepath.Join(groups, path)
		}
	}
	return ""
}

// limit returns the smallest limit of a control group and the groups above it, up to top.
func limit(top, dir, name string) (most int64, ok bool) {
	for ; dir != ""; dir = filepath.Dir(dir) {
		if rel, err := filepath.Rel(top, dir); err != nil || !filepath.IsLocal(rel) {
			break
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // "max" is no limit
		if err == nil && (!ok || n < most) {
			most, ok = n, true
		}
	}
	return most, ok
}
