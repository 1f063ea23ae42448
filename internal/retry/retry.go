// Package retry repeats work that failed: with growing pauses, a bound on the attempts, and warnings. A loop that tries
// again uses it, so that no failure becomes a loop without pause.
package retry

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
)

// Policy defines the pauses between attempts: First, then twice as long each time, up to Max. Tries bounds the attempts; 0 is no bound.
type Policy struct {
	First, Max time.Duration
	Tries      int
}

// Swap is the policy of a compare-and-swap that lost against another writer: some 10 seconds.
var Swap = Policy{First: 10 * time.Millisecond, Max: 2 * time.Second, Tries: 14}

// Pause returns the pause after the n-th failure in a row, the first being 1.
func (p Policy) Pause(n int) time.Duration {
	d := p.First
	for range n - 1 {
		if d >= p.Max/2 {
			return p.Max
		}
		d *= 2
	}
	return min(d, p.Max)
}

// Loop counts the attempts of one piece of work. It is not safe for concurrent use.
type Loop struct {
	Policy
	What string       // for warnings and errors, such as "add commit to the order"
	Log  *slog.Logger // nil: no warnings; the error after the last attempt says it
	// Wait waits for a time or the end of the context; nil: by the clock of the machine.
	Wait func(context.Context, time.Duration) error

	failures int
}

// warnFrom is the number of failures in a row from which on each is logged: two writers that meet are no news.
const warnFrom = 4

// Again waits before the next attempt, with a random part of the pause so that two writers do not meet again. It returns an
// error with cause if no attempt is left, or the error of ctx if that ends.
func (l *Loop) Again(ctx context.Context, cause error) error {
	l.failures++
	if l.Tries > 0 && l.failures >= l.Tries {
		return fmt.Errorf("%s: %d attempts failed: %w", l.What, l.failures, cause)
	}
	pause := l.Pause(l.failures)
	pause = pause/2 + rand.N(pause/2+1)
	if l.Log != nil && (l.failures >= warnFrom || l.Tries == 0) {
		l.Log.Warn(l.What+" failed: it is tried again", "error", cause, "times", l.failures, "pause", pause.Round(time.Millisecond))
	}
	wait := l.Wait
	if wait == nil {
		wait = clock.Wait
	}
	return wait(ctx, pause)
}

// Done ends a series of failures: the next one is the first again.
func (l *Loop) Done() { l.failures = 0 }

// Failures returns the number of failures in a row.
func (l *Loop) Failures() int { return l.failures }
