package worker

import (
	"context"
	"time"
)

// memoryEach is the interval between two measurements of a worker's memory: at 3 GB/s it exceeds its limit by 60 MB.
const memoryEach = 20 * time.Millisecond

// watchMemory measures a worker until ctx ends and calls end with a *LimitError if it uses more than limit bytes. It is for
// queries with a reserve, for which the system's limit is higher than that.
func watchMemory(ctx context.Context, w *worker, limit int64, end context.CancelCauseFunc) {
	used, done := resident(w.process.Pid)
	defer done()
	tick := time.NewTicker(memoryEach)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if used() > limit+ownMemory {
				end(outOfMemory(limit))
				return
			}
		}
	}
}
