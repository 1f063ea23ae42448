package worker

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pingmill/pingmill/sql/query"
)

// attackLimits holds small limits, so that long attacks end soon.
var attackLimits = Limits{Threads: 1, Memory: 128 << 20, CPU: 2 * time.Second, Time: 3 * time.Second, Rows: 1000, Bytes: 1 << 20,
	Spill: 1 << 20}

// bombTime limits the time that bombs run. Those that need longer to do harm are in TestLimits.
const bombTime = 250 * time.Millisecond

// each calls do for all statements, some at once.
func each(t *testing.T, all []statement, do func(t *testing.T, s statement)) {
	t.Helper()
	work := make(chan statement)
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			for s := range work {
				do(t, s)
			}
		})
	}
	for _, s := range all {
		work <- s
	}
	close(work)
	done.Wait()
}

// TestAttacks: through the whole, each attack is refused.
func TestAttacks(t *testing.T) {
	g := newTarget(t)
	each(t, statements(attacks), func(t *testing.T, s statement) {
		out, _, err := g.run(t, g.request(s.sql), true)
		if harmless := s.section == "is a query like any other"; (err == nil) != harmless {
			t.Errorf("%s: %s: %v, %.300s", s.section, s.sql, err, out)
		}
	})
	g.unharmed(t)
}

// TestAttacksInPresto: Presto's parser refuses what it does not know, which is nearly all; what it takes shows nothing.
func TestAttacksInPresto(t *testing.T) {
	g := newTarget(t)
	each(t, statements(attacks), func(t *testing.T, s statement) {
		q := g.request(s.sql)
		q.Dialect = query.Presto
		out, _, err := g.run(t, q, true)
		if err == nil && s.section != "is a query like any other" {
			t.Errorf("%s: %s: it gives %.300s", s.section, s.sql, out)
		}
	})
	g.unharmed(t)
}

// TestAttacksWithoutGate: what gets past the gate meets the process: it shows no secret and writes nothing outside.
func TestAttacksWithoutGate(t *testing.T) {
	g := newTarget(t)
	each(t, statements(attacks), func(t *testing.T, s statement) {
		if s.section == "reads a granted file without its view" {
			return // the gate alone knows which rows and columns of a file are granted
		}
		q := g.request(s.sql)
		q.ungated = true
		g.run(t, q, false)
	})
	g.unharmed(t)
}

// TestBombs: what takes all memory, time or depth ends within its limits, with or without the gate, and the caller lives.
func TestBombs(t *testing.T) {
	g := newTarget(t)
	var all []statement
	for _, s := range statements(bombs) {
		all = append(all, s, statement{"ungated: " + s.section, s.sql})
	}
	each(t, all, func(t *testing.T, s statement) {
		q := g.request(s.written())
		q.ungated = strings.HasPrefix(s.section, "ungated")
		if q.Limits.Time = bombTime; s.section == "ungated: memory" {
			q.Limits.Time = 4 * bombTime // to fill it
		}
		_, sum, err := g.run(t, q, true)
		if most := q.Limits.Memory + 2*ownMemory; sum.Memory > most {
			t.Errorf("%s: %.100s: %d MiB", s.section, s.sql, sum.Memory>>20)
		}
		if errors.Is(err, errWorkerExited) {
			t.Logf("%s: %.60s: %.300s", s.section, s.sql, err)
		}
	})
	g.unharmed(t)
}
