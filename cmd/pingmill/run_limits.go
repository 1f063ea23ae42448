package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/dustin/go-humanize"
)

// What a run needs: the process with its tables and plans, and each worker with
// its row group and open archive files. Measured: 112 MB with one worker, 139 MB
// with two, 176 MB with four.
const (
	memoryBase   = 96_000_000
	memoryWorker = 32_000_000
)

// limitMemory makes the garbage collector keep below a size and gives the number
// of workers that fit, at most those asked for; 0 asks for one on each core.
func limitMemory(size string, workers int) (int, error) {
	limit, err := humanize.ParseBytes(size)
	if err != nil {
		return 0, fmt.Errorf("--memory %s: %w", size, err)
	}
	if limit < memoryBase+memoryWorker || limit > 1<<50 {
		return 0, fmt.Errorf("--memory %s: a run needs %s, and %s for each worker after the first", size,
			humanize.Bytes(memoryBase+memoryWorker), humanize.Bytes(memoryWorker))
	}
	debug.SetMemoryLimit(int64(limit))
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return min(workers, int((limit-memoryBase)/memoryWorker)), nil
}
