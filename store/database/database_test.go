package database_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/database"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

func TestMain(m *testing.M) { os.Exit(databasetest.Both(m)) }

const first, second = "CREATE TABLE a (n INTEGER)", "ALTER TABLE a ADD COLUMN m INTEGER"

// TestMigrations: a file gets the migrations that it lacks, once each, and a newer one is refused.
func TestMigrations(t *testing.T) {
	place := databasetest.Place(t)
	place.Dir = filepath.Join(place.Dir, "a folder 50%?")
	db, err := database.Open(t.Context(), place, "x", first)
	require.NoError(t, err)
	_, err = db.Exec("INSERT INTO a VALUES (1)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for range 2 {
		db, err = database.Open(t.Context(), place, "x", first, second)
		require.NoError(t, err)
		var n int
		require.NoError(t, db.QueryRow("SELECT count(*) FROM a WHERE m IS NULL").Scan(&n))
		require.Equal(t, 1, n)
		require.NoError(t, db.Close())
	}
	_, err = database.Open(t.Context(), place, "x", first)
	require.ErrorIs(t, err, database.ErrNewer)
	if place.Shared() {
		return
	}
	info, err := os.Stat(filepath.Join(place.Dir, "x.db"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}

// TestFailedMigration: nothing of it stays.
func TestFailedMigration(t *testing.T) {
	place := databasetest.Place(t)
	_, err := database.Open(t.Context(), place, "x", first, second+"; SELECT nonsense FROM nowhere")
	require.ErrorContains(t, err, "migration 2")
	db, err := database.Open(t.Context(), place, "x", first, second)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// TestDamaged: what is no database is an error.
func TestDamaged(t *testing.T) {
	place := database.In(t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(place.Dir, "x.db"),
		[]byte("this is something else, and long enough to be looked at as a header of SQLite, which has 100 bytes or more"), 0o600))
	_, err := database.Open(t.Context(), place, "x", first)
	require.ErrorContains(t, err, "not a database")
}

// TestChange: a change commits whole or not at all, and its error names the change.
func TestChange(t *testing.T) {
	db, err := database.Open(t.Context(), databasetest.Place(t), "x", first)
	require.NoError(t, err)
	insert := func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO a VALUES (1)")
		return err
	}
	require.NoError(t, database.Change(t.Context(), db, "numbers", insert))
	bad := errors.New("bad")
	require.ErrorIs(t, database.Change(t.Context(), db, "numbers", func(tx *sql.Tx) error { return errors.Join(insert(tx), bad) }), bad)
	var n int
	require.NoError(t, db.QueryRow("SELECT count(*) FROM a").Scan(&n))
	require.Equal(t, 1, n)
	require.NoError(t, db.Close())
	require.ErrorContains(t, database.Change(t.Context(), db, "numbers", insert), "numbers: ")
}
