package queryservice

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
)

// long is a query that runs until something ends it.
const long = "SELECT count(*) FROM range(100000000) AS a(i), range(100000000) AS b(j) WHERE a.i * b.j % 7 = 3"

// begun asks a query and waits until it is in a state.
func begun(t *testing.T, d *Service, sql string, s State) Query {
	q, err := d.Submit(t.Context(), bob, Request{SQL: sql, Dialect: query.DuckDB})
	require.NoError(t, err)
	reach(t, d, q.ID, s)
	return q
}

func reach(t *testing.T, d *Service, id string, s State) {
	sitetest.WaitFor(t, string(s), func() bool {
		q, err := d.Get(t.Context(), bob, id)
		require.NoError(t, err)
		return q.State == s && (s != Running || q.Columns != nil) && (s != Queued || q.Position > 0)
	})
}

// TestCancel: a query ends that runs, and one that waits, and what has ended stays as it is.
func TestCancel(t *testing.T) {
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Queue = queue.Options{Slots: 1, Waiting: 1} })
	running := begun(t, d, long, Running)
	waiting := begun(t, d, "SELECT 1", Queued)
	_, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT 2"})
	require.ErrorIs(t, err, ErrFull)
	require.ErrorIs(t, d.Cancel(t.Context(), ann, running.ID), ErrNotFound, "it is somebody else's")
	require.NoError(t, d.Cancel(t.Context(), bob, waiting.ID))
	reach(t, d, waiting.ID, Cancelled)
	_, err = d.Result(t.Context(), bob, running.ID)
	require.ErrorIs(t, err, ErrNoResult)
	require.NoError(t, d.Cancel(t.Context(), bob, running.ID))
	reach(t, d, running.ID, Cancelled)
	q := submitted(t, d, bob, "SELECT 1 AS n")
	require.Equal(t, Done, q.State, q.Error)
	require.NoError(t, d.Cancel(t.Context(), bob, q.ID))
	require.Equal(t, [][]any{{int64(1)}}, rowsOf(t, d, bob, q.ID, 0, 1))
	parts, err := filepath.Glob(filepath.Join(d.Place.Dir, "results", "*.part"))
	require.NoError(t, err)
	require.Empty(t, parts)
}

// TestTurns: the limit of a person at once holds, for one with a limit of their own, too.
func TestTurns(t *testing.T) {
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Queue = queue.Options{Slots: 3, PerPerson: 2, Waiting: 10} })
	few := *bob
	few.Limits.Concurrent = 1
	for range 2 {
		_, err := d.Submit(t.Context(), &few, Request{SQL: long, Dialect: query.DuckDB})
		require.NoError(t, err)
	}
	sitetest.WaitFor(t, "the second waits", func() bool {
		list, _, err := d.List(t.Context(), bob, Filter{Limit: 10})
		require.NoError(t, err)
		return list[0].State == Queued && list[1].State == Running
	})
	q := submitted(t, d, ann, "SELECT 1") // others have their turn
	require.Equal(t, Done, q.State)
}

// TestRestart: history and results survive, and what ran has failed.
func TestRestart(t *testing.T) {
	s := sitetest.Local(t)
	d := opened(t, s)
	done := submitted(t, d, bob, "SELECT 42 AS n")
	ran := begun(t, d, long, Running)
	_, err := d.db.ExecContext(t.Context(), "UPDATE queries SET sql = sql") // it is on disk
	require.NoError(t, err)
	copied := t.TempDir()
	sitetest.CopyTree(t, d.Place.Dir, copied) // as a killed process leaves it
	require.NoError(t, d.Close())
	if !d.Place.Shared() {
		q, err := opened(t, s, func(c *Config) { c.Place.Dir = copied }).Get(t.Context(), bob, ran.ID)
		require.NoError(t, err)
		require.Equal(t, Failed, q.State)
		require.Equal(t, "Interrupted", q.Error.Kind)
	}
	again := opened(t, s, func(c *Config) { c.Place = d.Place })
	require.Equal(t, [][]any{{int64(42)}}, rowsOf(t, again, bob, done.ID, 0, 10))
	q, err := again.Get(t.Context(), bob, ran.ID)
	require.NoError(t, err)
	require.Equal(t, Failed, q.State)
	require.Contains(t, q.Error.Message, "stopped")
}

// TestKilled: a query whose process is killed has failed, and nothing else happens.
func TestKilled(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q := begun(t, d, long, Running)
	for _, pid := range workers(t) {
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	}
	reach(t, d, q.ID, Failed)
	q, err := d.Get(t.Context(), bob, q.ID)
	require.NoError(t, err)
	require.Equal(t, "Process died", q.Error.Kind)
	require.Equal(t, Done, submitted(t, d, bob, "SELECT 1").State)
}

// workers returns the processes of queries that this one has started.
func workers(t *testing.T) (pids []int) {
	own, err := os.Executable()
	require.NoError(t, err)
	entries, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, e := range entries {
		text, err := os.ReadFile(e)
		require.NoError(t, err)
		for _, child := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(child)
			require.NoError(t, err)
			if program, err := os.Readlink("/proc/" + child + "/exe"); err == nil && program == own { // and no database server
				pids = append(pids, pid)
			}
		}
	}
	require.NotEmpty(t, pids)
	return pids
}

// TestKey: a question with the key of another is that one.
func TestKey(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	one, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT 1", Key: "k"})
	require.NoError(t, err)
	two, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT 1", Key: "k"})
	require.NoError(t, err)
	require.Equal(t, one.ID, two.ID)
	other, err := d.Submit(t.Context(), ann, Request{SQL: "SELECT 1", Key: "k"})
	require.NoError(t, err)
	require.NotEqual(t, one.ID, other.ID)
}

// TestKeyAtOnce: of requests with one key at the same time one query comes, which all of them can wait for.
func TestKeyAtOnce(t *testing.T) {
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Queue.Waiting = 100 })
	for pair := range 20 {
		var ids [2]string
		var both sync.WaitGroup
		for i := range ids {
			both.Go(func() {
				q, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT 1", Key: strconv.Itoa(pair)})
				assert.NoError(t, err)
				if ids[i] = q.ID; err == nil {
					q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
					assert.NoError(t, err)
					assert.Equal(t, Done, q.State)
				}
			})
		}
		both.Wait()
		require.Equal(t, ids[0], ids[1])
	}
	list, _, err := d.List(t.Context(), bob, Filter{Limit: 100})
	require.NoError(t, err)
	require.Len(t, list, 20)
	running, waiting := d.queue.Load()
	require.Zero(t, running+waiting)
}

// TestFair: while one person's long queries run, the question of another begins at once.
func TestFair(t *testing.T) {
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Queue = queue.Options{Slots: 2, PerPerson: 2, Waiting: 10} })
	begun(t, d, long, Running)
	begun(t, d, long, Queued)
	q := submitted(t, d, ann, "SELECT 1")
	require.Equal(t, Done, q.State, q.Error)
}

// TestWaiting: of many questions at the same time no more are accepted than may wait.
func TestWaiting(t *testing.T) {
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Queue = queue.Options{Slots: 1, Waiting: 20} })
	begun(t, d, long, Running)
	var accepted, full atomic.Int32
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			switch _, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT 1"}); {
			case err == nil:
				accepted.Add(1)
			case errors.Is(err, ErrFull):
				full.Add(1)
			}
		})
	}
	all.Wait()
	require.Equal(t, []int32{10, 50}, []int32{accepted.Load(), full.Load()})
	_, err := d.Submit(t.Context(), ann, Request{SQL: "SELECT 1"})
	require.NoError(t, err, "there is place for another person")
}

// TestWait: it returns when the query has ended, and when who waits goes.
func TestWait(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q := begun(t, d, long, Running)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	q, err := d.Wait(ctx, bob, q.ID, time.Hour)
	require.NoError(t, err)
	require.Equal(t, Running, q.State)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Millisecond)
	require.NoError(t, err)
	require.Equal(t, Running, q.State)
}

// TestParameters: relative days follow the data.
func TestParameters(t *testing.T) {
	d := opened(t, published(t, "20180301", "20180302"))
	q, err := d.Submit(t.Context(), bob,
		Request{SQL: "SELECT {{day}} AS d, count(*) AS n FROM crash_summary WHERE submission_date = {{day.dashed}}",
			Parameters: map[string]any{"day": "newest"}})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"day": "20180302"}, q.Parameters)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, [][]any{{"20180302", int64(10)}}, rowsOf(t, d, bob, q.ID, 0, 10), q.Error)
}
