package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// BoundMemory sets the size that the garbage collector keeps the process below,
// if it can: a base and more for each of the workers, of which 0 stands for one
// on each core. GOMEMLIMIT wins. Without a bound the garbage of large pings
// would take as much again as what they need.
func BoundMemory(base, worker int64, workers int) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	debug.SetMemoryLimit(base + int64(workers)*worker)
}
