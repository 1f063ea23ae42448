package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// BoundMemory sets the garbage collector's memory limit: base plus worker bytes for each worker; 0 workers means one
// for each core. GOMEMLIMIT takes precedence. Without a limit, the garbage of large pings would double the memory.
func BoundMemory(base, worker int64, workers int) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	debug.SetMemoryLimit(base + int64(workers)*worker)
}
