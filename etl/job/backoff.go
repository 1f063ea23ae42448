package job

import "time"

// Backoff defines the pauses before retries of a failed unit: First, then twice as long each time, up to Max.
type Backoff struct{ First, Max time.Duration }

// DefaultBackoff retries after a minute, and finally every hour.
var DefaultBackoff = Backoff{First: time.Minute, Max: time.Hour}

// pause returns the pause after the n-th consecutive failure.
func (b Backoff) pause(n int) time.Duration {
	d := b.First
	for range n - 1 {
		if d >= b.Max/2 {
			return b.Max
		}
		d *= 2
	}
	return min(d, b.Max)
}

// Retries records which units have failed and when each may be retried. It is not safe for concurrent use.
type Retries struct {
	backoff Backoff
	failed  map[Unit]retry
}

type retry struct {
	times int
	due   time.Time
}

// NewRetries returns a Retries without failures.
func NewRetries(b Backoff) *Retries { return &Retries{backoff: b, failed: map[Unit]retry{}} }

// Failed records a failure. It returns the number of consecutive failures, and the time of the next retry.
func (r *Retries) Failed(u Unit, now time.Time) (times int, due time.Time) {
	f := r.failed[u]
	f.times++
	f.due = now.Add(r.backoff.pause(f.times))
	r.failed[u] = f
	return f.times, f.due
}

// Done removes the failures of a unit.
func (r *Retries) Done(u Unit) { delete(r.failed, u) }

// Due reports whether a unit may be tried.
func (r *Retries) Due(u Unit, now time.Time) bool { return !now.Before(r.failed[u].due) }
