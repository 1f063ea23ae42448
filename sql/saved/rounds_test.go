package saved

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// endless is an Executor whose queries with a title never end, as with no limit of time; the others end at once.
type endless struct {
	mu    sync.Mutex
	ended map[string]int // by saved query
	never map[string]bool
}

func (e *endless) RunQuery(ctx context.Context, _ *access.Person, q Question) (Answer, error) {
	e.mu.Lock()
	never := e.never[q.Saved]
	e.mu.Unlock()
	if never {
		<-ctx.Done()
		return Answer{}, ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended[q.Saved]++
	return Answer{Query: "q"}, nil
}

func (e *endless) count(id string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended[id]
}

// TestEndless: schedules of a person whose queries never end hold up neither a second round of that person's others nor those of
// other people, and all end with the server.
func TestEndless(t *testing.T) {
	b := newBench(t)
	e := &endless{ended: map[string]int{}, never: map[string]bool{}}
	b.Executor, b.people[analyst.ID] = e, analyst
	now := new(atomic.Int64)
	b.Store.now = func() time.Time { return b.clock.at.Add(time.Duration(now.Load())) }
	create := func(p *access.Person, title string) string {
		q, err := b.Store.Create(t.Context(), p, Doc{Title: title, SQL: "SELECT 1"}, "")
		require.NoError(t, err)
		_, err = b.Store.SetSchedule(t.Context(), p, q.ID, Schedule{Every: "1h"}, b.Sender)
		require.NoError(t, err)
		return q.ID
	}
	slow := create(searcher, "slow")
	e.never[slow] = true
	own, other := create(searcher, "own"), create(analyst, "other")
	now.Add(int64(time.Hour))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = b.Run(ctx, time.Millisecond) })
	hours := func(n int, ids ...string) {
		require.Eventually(t, func() bool {
			for _, id := range ids {
				runs, err := b.Store.Runs(t.Context(), admin, id) // the next time is known when the run is stored
				if err != nil || e.count(id) < n || len(runs) < n {
					return false
				}
			}
			return true
		}, time.Minute, time.Millisecond)
	}
	hours(1, own, other)
	for i := range 200 { // more than run at once
		id := create(searcher, fmt.Sprint("flood ", i))
		e.mu.Lock()
		e.never[id] = true
		e.mu.Unlock()
	}
	for n := 2; n < 5; n++ {
		now.Add(int64(time.Hour))
		hours(n, other)
	}
	stop()
	running.Wait()
}

// TestChangedWhileRunning: a run whose schedule was changed ends when its lease is renewed.
func TestChangedWhileRunning(t *testing.T) {
	b := newBench(t)
	b.schedule(nil)
	b.clock.at = b.clock.at.Add(24 * time.Hour)
	d, err := b.Store.take(t.Context(), b.id, "one")
	require.NoError(t, err)
	held, err := b.Store.renew(t.Context(), d)
	require.NoError(t, err)
	require.True(t, held)
	b.schedule(&Condition{Kind: "error"})
	held, err = b.Store.renew(t.Context(), d)
	require.NoError(t, err)
	require.False(t, held)
}
