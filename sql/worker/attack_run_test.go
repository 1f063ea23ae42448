package worker

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/gate"
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

// refusedShare is the reciprocal of the share of attacks refused in this process that go to a worker, too. A worker refuses by the same
// code, but takes 40 ms of processor time.
const refusedShare = 5

// runnable returns the attacks that judge allows, and a share of the others, another one in each run. It checks the errors of judge.
func (g *target) runnable(t *testing.T, judge func(sql string) error) (all []statement) {
	t.Helper()
	n, first := 0, rand.IntN(refusedShare)
	for _, s := range statements(attacks) {
		q := g.request(s.sql)
		if err := judge(q.SQL); err != nil {
			g.check(t, q, "", err, true)
			if n++; n%refusedShare != first {
				continue
			}
		}
		all = append(all, s)
	}
	if len(all) < len(statements(attacks))/refusedShare || n < len(statements(attacks))/2 {
		t.Errorf("%d are refused, %d go to workers", n, len(all))
	}
	return all
}

// judged opens the target's table in this process.
func (g *target) judged(t *testing.T) *query.DB {
	t.Helper()
	db, err := query.Open(t.Context(), []query.View{g.granted}, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// TestAttacks: the gate or the worker refuses each attack.
func TestAttacks(t *testing.T) {
	g := newTarget(t)
	db := g.judged(t)
	all := g.runnable(t, func(sql string) error {
		_, err := db.Gate(t.Context(), sql, gate.Grants{})
		return err
	})
	each(t, all, func(t *testing.T, s statement) {
		q, harmless := g.request(s.sql), s.section == "is a query like any other"
		if harmless {
			q.Limits.Time = time.Minute // on a busy machine
		}
		if out, _, err := g.run(t, q, true); (err == nil) != harmless {
			t.Errorf("%s: %s: %v, %.300s", s.section, s.sql, err, out)
		}
	})
	g.unharmed(t)
}

// TestAttacksInPresto: Presto's parser refuses what it does not know, which is nearly all; what it takes shows nothing.
func TestAttacksInPresto(t *testing.T) {
	g := newTarget(t)
	db := g.judged(t)
	all := g.runnable(t, func(sql string) error {
		rows, err := db.QueryIn(t.Context(), query.Presto, sql)
		if err != nil {
			return err
		}
		return rows.Close()
	})
	each(t, all, func(t *testing.T, s statement) {
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
