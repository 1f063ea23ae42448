package etl

import (
	"fmt"
	"runtime"

	"github.com/dustin/go-humanize"
)

// Memory of a run in bytes: the process with its tables and plans, and each worker with its row group and
// open archive files. Measured: 112 MB with one worker, 139 MB with two, 176 MB with four.
const (
	memoryBase   = 96_000_000
	memoryWorker = 32_000_000
)

// WorkersWithin returns how many workers fit into limit bytes of memory, at most workers; workers 0 means one
// for each core.
func WorkersWithin(limit uint64, workers int) (int, error) {
	if limit < memoryBase+memoryWorker || limit > 1<<50 {
		return 0, fmt.Errorf("a run needs %s, and %s for each worker after the first",
			humanize.Bytes(memoryBase+memoryWorker), humanize.Bytes(memoryWorker))
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return min(workers, int((limit-memoryBase)/memoryWorker)), nil
}
