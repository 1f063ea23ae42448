package saved

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// TestTwoServers: of many servers on one database, one runs what is due; what a server took and did not end is run by another
// once its lease is over.
func TestTwoServers(t *testing.T) {
	b := newBench(t)
	b.schedule(nil)
	b.clock.at = b.clock.at.Add(24 * time.Hour)
	var all sync.WaitGroup
	for _, name := range []string{"one", "two", "three", "four"} {
		other := *b.Scheduler
		other.Holder = name
		store, err := Open(t.Context(), b.clock.place, b.clock.now, b.Store.tables, nil)
		require.NoError(t, err)
		defer store.Close()
		other.Store = store
		all.Go(func() {
			if err := other.Round(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.Len(t, b.questions, 1)
	b.clock.at = b.clock.at.Add(24 * time.Hour)
	d, err := b.Store.take(t.Context(), b.id, "killed")
	require.NoError(t, err)
	require.NoError(t, b.Round(t.Context()))
	require.Len(t, b.questions, 1)
	b.clock.at = b.clock.at.Add(lease)
	require.NoError(t, b.Round(t.Context()))
	require.Len(t, b.questions, 2)
	require.NoError(t, b.Store.finish(t.Context(), d, ScheduleRun{}, ""), "it comes back late")
	runs, err := b.Store.Runs(t.Context(), searcher, b.id)
	require.NoError(t, err)
	require.Len(t, runs, 2)

	ending, end := context.WithCancel(t.Context())
	b.clock.at = b.clock.at.Add(24 * time.Hour)
	b.Executor = executor(func() { end() })
	require.NoError(t, b.Round(ending))
	b.Executor = b
	require.NoError(t, b.Round(t.Context()), "a server that ends gives it back")
	require.Len(t, b.questions, 3)
}

type executor func()

func (a executor) RunQuery(ctx context.Context, _ *access.Person, _ Question) (Answer, error) {
	a()
	return Answer{}, ctx.Err()
}

// TestKeptRuns: the last hundred runs stay.
func TestKeptRuns(t *testing.T) {
	b := newBench(t)
	b.schedule(nil)
	first := b.day()
	for range maxRuns {
		b.day()
	}
	runs, err := b.Store.Runs(t.Context(), searcher, b.id)
	require.NoError(t, err)
	require.Len(t, runs, maxRuns)
	require.True(t, runs[maxRuns-1].Planned.After(first.Planned))
}
