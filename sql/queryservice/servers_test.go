package queryservice

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/database"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// two returns two servers that share a history in PostgreSQL.
func two(t *testing.T) (one, other *Service) {
	s := sitetest.Local(t)
	one = opened(t, s)
	if !one.Place.Shared() {
		t.Skip("one server has a history in SQLite")
	}
	return one, opened(t, s, func(c *Config) { c.Place = database.Place{Dir: t.TempDir(), URL: one.Place.URL} })
}

// TestElsewhere: a query that another server runs is seen, waited for and cancelled as if it ran here, and a request with its key is
// that one. Only a shared folder of results has its result.
func TestElsewhere(t *testing.T) {
	one, other := two(t)
	q := begun(t, one, long, Running)
	seen, err := other.Wait(t.Context(), bob, q.ID, time.Millisecond)
	require.NoError(t, err)
	require.False(t, seen.State.Ended())
	require.ErrorIs(t, other.Cancel(t.Context(), ann, q.ID), ErrNotFound)
	require.NoError(t, other.Cancel(t.Context(), bob, q.ID))
	seen, err = other.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Cancelled, seen.State)

	q, err = one.Submit(t.Context(), bob, Request{SQL: "SELECT 42 AS n", Key: "k"})
	require.NoError(t, err)
	again, err := other.Submit(t.Context(), bob, Request{SQL: "SELECT 42 AS n", Key: "k"})
	require.NoError(t, err)
	require.Equal(t, q.ID, again.ID)
	q, err = other.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Done, q.State)
	_, err = other.Result(t.Context(), bob, q.ID)
	require.ErrorIs(t, err, ErrElsewhere)
	require.ErrorIs(t, err, ErrResultRemoved)
	list, _, err := other.List(t.Context(), bob, Filter{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list, 2)

	require.NoError(t, os.RemoveAll(other.results.dir))
	require.NoError(t, os.Symlink(one.results.dir, other.results.dir))
	require.Equal(t, [][]any{{int64(42)}}, rowsOf(t, other, bob, q.ID, 0, 10))
	unfinished, err := one.results.create("x")
	require.NoError(t, err)
	require.NoError(t, other.results.open(), "it removes no file that another server writes")
	require.FileExists(t, unfinished.Name())
	one.results.drop(unfinished)
}

// TestLostServer: queries of a server that was killed fail, and those of servers that run go on.
func TestLostServer(t *testing.T) {
	one, other := two(t)
	lost, running := begun(t, one, long, Running), begun(t, one, long, Queued)
	_, err := one.db.Exec("UPDATE queries SET server = ? WHERE id = ?", "killed", lost.ID)
	require.NoError(t, err)
	_, err = one.db.Exec("INSERT INTO servers VALUES (?, 1000)", "killed")
	require.NoError(t, err)
	require.NoError(t, interruptLost(t.Context(), other))
	q, err := other.Get(t.Context(), bob, lost.ID)
	require.NoError(t, err)
	require.Equal(t, Failed, q.State)
	require.Equal(t, "Interrupted", q.Error.Kind)
	q, err = other.Get(t.Context(), bob, running.ID)
	require.NoError(t, err)
	require.False(t, q.State.Ended())
}

// TestEndWhileAway: the end of a query is stored when the database is back.
func TestEndWhileAway(t *testing.T) {
	server := databasetest.Need(t)
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Place.URL = server.Database(t) })
	q := begun(t, d, long, Running)
	server.Kill()
	d.mu.Lock()
	l := d.active[q.ID]
	d.mu.Unlock()
	l.cancel(errCancelled)
	sitetest.WaitFor(t, "it ends", func() bool { return l.get().State == Cancelled })
	require.NoError(t, server.Run())
	sitetest.WaitFor(t, "its end is stored", func() bool {
		var state State
		err := d.db.QueryRow("SELECT state FROM queries WHERE id = ?", q.ID).Scan(&state)
		return err == nil && state == Cancelled
	})
}
