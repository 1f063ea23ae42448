package job

import "time"

// Backoff says when a failed unit is tried again: after First, then after twice
// as long each time, up to Max.
type Backoff struct{ First, Max time.Duration }

// DefaultBackoff tries again after a minute, and at last every hour.
var DefaultBackoff = Backoff{First: time.Minute, Max: time.Hour}

// pause is the pause after the n-th failure in a row.
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

// Retries remembers which units have failed, and since when they are due again.
// It is not safe for concurrent use.
type Retries struct {
	backoff Backoff
	failed  map[Unit]retry
}

type retry struct {
	times int
	due   time.Time
}

// NewRetries knows of no failure.
func NewRetries(b Backoff) *Retries { return &Retries{backoff: b, failed: map[Unit]retry{}} }

// Failed records a failure. It returns how many there were in a row, and when
// the unit is due again.
func (r *Retries) Failed(u Unit, now time.Time) (times int, due time.Time) {
	f := r.failed[u]
	f.times++
	f.due = now.Add(r.backoff.pause(f.times))
	r.failed[u] = f
	return f.times, f.due
}

// Done forgets the failures of a unit.
func (r *Retries) Done(u Unit) { delete(r.failed, u) }

// Due says whether a unit may be tried.
func (r *Retries) Due(u Unit, now time.Time) bool { return !now.Before(r.failed[u].due) }
