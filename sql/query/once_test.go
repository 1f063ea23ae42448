package query

import (
	"context"
	"errors"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/stretchr/testify/require"
)

// TestOnce: statements that are planned once have the results, errors and ends of others.
func TestOnce(t *testing.T) {
	db, err := Open(t.Context(), nil, Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	conn, err := db.connect(t.Context())
	require.NoError(t, err)
	n, err := count(t.Context(), conn, "CREATE TEMP TABLE x AS FROM range(12345)")
	require.NoError(t, err)
	require.EqualValues(t, 12345, n)
	text, err := planText(t.Context(), conn, "EXPLAIN (FORMAT json) FROM x")
	require.NoError(t, err)
	require.Contains(t, text, "12345")
	_, err = count(t.Context(), conn, "SELECT 1 FROM x")
	require.ErrorContains(t, err, "rows")

	var failed *duckdb.Error
	require.ErrorAs(t, makes(t.Context(), conn, "CREATE VIEW v AS SELECT y FROM x"), &failed)
	r, ok := reportOf(failed)
	require.True(t, ok)
	require.Equal(t, "Binder", r.Type)

	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	require.Error(t, makes(ctx, conn, "CREATE TEMP TABLE z AS SELECT count(*) FROM range(100000000000) a, range(10) b"))
	require.True(t, errors.Is(ctx.Err(), context.Canceled))
	require.ErrorIs(t, makes(ctx, conn, "SELECT 1"), context.Canceled)
	require.NoError(t, makes(t.Context(), conn, "SELECT 1"), "the connection is still good")
	require.NoError(t, conn.Close())
	require.ErrorContains(t, makes(t.Context(), conn, "SELECT 1"), "closed")
}
