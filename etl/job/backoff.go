package job

import (
	"time"

	"github.com/pingmill/pingmill/internal/retry"
)

// DefaultBackoff retries after a minute, and finally every hour.
var DefaultBackoff = retry.Policy{First: time.Minute, Max: time.Hour}

// Retries records which units have failed and when each may be retried. It is not safe for concurrent use.
type Retries struct {
	backoff retry.Policy
	failed  map[Unit]failure
}

type failure struct {
	times int
	due   time.Time
}

// NewRetries returns a Retries without failures.
func NewRetries(b retry.Policy) *Retries { return &Retries{backoff: b, failed: map[Unit]failure{}} }

// Failed records a failure. It returns the number of consecutive failures, and the time of the next retry.
func (r *Retries) Failed(u Unit, now time.Time) (times int, due time.Time) {
	f := r.failed[u]
	f.times++
	f.due = now.Add(r.backoff.Pause(f.times))
	r.failed[u] = f
	return f.times, f.due
}

// Done removes the failures of a unit.
func (r *Retries) Done(u Unit) { delete(r.failed, u) }

// Due reports whether a unit may be tried.
func (r *Retries) Due(u Unit, now time.Time) bool { return !now.Before(r.failed[u].due) }
