package queryservice

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
)

// TestFirst: the first rows of a result are read by its person while the others are written, and by nobody else.
func TestFirst(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT i AS n, 'row ' || i AS text FROM range(3000000) AS r(i)", Dialect: query.DuckDB,
		Whole: true})
	require.NoError(t, err)
	q, err = WaitFirst(t.Context(), d, bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, []any{Running, int64(50), int64(0)}, []any{q.State, q.Progress.Ready, q.Rows})
	_, err = d.Result(t.Context(), bob, q.ID)
	require.ErrorIs(t, err, ErrNoResult)
	_, err = First(t.Context(), d, &access.Person{ID: "other"}, q.ID)
	require.ErrorIs(t, err, ErrNoResult)
	r, err := First(t.Context(), d, bob, q.ID)
	require.NoError(t, err)
	var rows [][]any
	require.NoError(t, r.Each(0, 1000, func(row []any) error {
		rows = append(rows, append([]any{}, row...))
		return nil
	}))
	require.NoError(t, r.Close())
	require.Len(t, rows, 50)
	require.Equal(t, []any{int64(49), "row 49"}, rows[49])

	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, []any{Done, int64(3_000_000)}, []any{q.State, q.Rows})
	require.Nil(t, q.Progress)
	_, err = First(t.Context(), d, bob, q.ID)
	require.ErrorIs(t, err, ErrNoResult)
	require.Equal(t, [][]any{{int64(60), "row 60"}}, rowsOf(t, d, bob, q.ID, 60, 1))
}

// TestFailsMidway: a query that fails after its first rows has no result, and no file.
func TestFailsMidway(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q, err := d.Submit(t.Context(), bob, Request{Dialect: query.DuckDB,
		SQL: "SELECT CAST(CASE WHEN i = 2900000 THEN 'x' ELSE '1' END AS BIGINT) AS n FROM range(3000000) AS r(i)", Whole: true})
	require.NoError(t, err)
	q, err = WaitFirst(t.Context(), d, bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, []any{Running, int64(50)}, []any{q.State, q.Progress.Ready})
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Failed, q.State)
	require.Contains(t, q.Error.Message, "'x'")
	_, err = d.Result(t.Context(), bob, q.ID)
	require.ErrorIs(t, err, ErrNoResult)
	_, err = First(t.Context(), d, bob, q.ID)
	require.ErrorIs(t, err, ErrNoResult)
	left, err := filepath.Glob(filepath.Join(d.results.dir, q.ID+"*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestDamagedFirst: first rows that are no Arrow stream count as none.
func TestDamagedFirst(t *testing.T) {
	l := &activeQuery{ready: make(chan struct{})}
	for _, stream := range []string{"", "no stream", "\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		l.begin([]byte(stream))
		require.Nil(t, l.firstIndex)
	}
}
