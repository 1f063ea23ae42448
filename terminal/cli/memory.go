package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// BoundMemory sets the size that the garbage collector keeps the process below,
// if it can: a base and more for each of the workers; 0 workers mean one
// on each core. GOMEMLIMIT wins. Without a bound the garbage of large pings
// would double their memory.
func BoundMemory(base, worker int64, workers int) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	debug.SetMemoryLimit(base + int64(workers)*worker)
}
