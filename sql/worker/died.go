package worker

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/dustin/go-humanize"
)

// Died reports whether an error of Run means that the query's process ended for an unknown reason.
func Died(err error) bool { return errors.Is(err, errWorkerExited) }

// died returns the error of a call whose worker exited: a *LimitError if memory or processor time ran out, else
// errWorkerExited with the exit status. It logs what the worker wrote to standard error.
func (c *call) died(w *worker, log *slog.Logger) error {
	state, stderr := w.wait(), w.stderr.String()
	if log != nil {
		log.Warn("the process of a query died", "person", c.q.Person, "state", state.String(), "said", stderr)
	}
	switch {
	case outOfMemorySaid(stderr):
		return outOfMemory(c.memory)
	case c.q.Limits.CPU > 0 && state.UserTime()+state.SystemTime() >= c.q.Limits.CPU:
		return outOfCPU(c.q.Limits)
	}
	return fmt.Errorf("%w: %s", errWorkerExited, state)
}

func outOfMemory(limit int64) error {
	if limit <= 0 {
		return &LimitError{"out of memory"}
	}
	return &LimitError{"out of memory: the limit is " + humanize.IBytes(uint64(limit))}
}
