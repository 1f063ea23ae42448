package database_test

import (
	"database/sql"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/database"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// TestTexts: texts that PostgreSQL cannot store are stored with other characters, and booleans are numbers.
func TestTexts(t *testing.T) {
	db, err := database.Open(t.Context(), databasetest.Place(t), "x", "CREATE TABLE t (a TEXT NOT NULL, yes INTEGER NOT NULL, b BLOB) STRICT;")
	require.NoError(t, err)
	defer db.Close()
	for _, text := range []string{"a\x00b", "\xff\xfe", "ÄÖ?'", ""} {
		_, err = db.Exec("INSERT INTO t VALUES (?, ?, ?)", text, true, []byte{0, 255})
		require.NoError(t, err)
	}
	var n int
	require.NoError(t, db.QueryRow("SELECT count(*) FROM t WHERE lower(a) = lower(?2) AND yes = ?1", true, "ÄÖ?'").Scan(&n))
	require.Equal(t, 1, n)
	require.NoError(t, db.QueryRow("SELECT count(*) FROM t WHERE lower(a) = lower(?)", "äö?'").Scan(&n))
	require.Zero(t, n, "only ASCII letters have two cases")
	require.NoError(t, db.QueryRow("SELECT count(*) FROM t WHERE instr(lower(a), lower(?)) > 0", "Ö?").Scan(&n))
	require.Equal(t, 1, n)
}

// TestTogether: of many servers that begin together, each finds the tables; their changes follow one after the other.
func TestTogether(t *testing.T) {
	place := databasetest.Place(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			db, err := database.Open(t.Context(), place, "x", first, second)
			if err == nil {
				for range 10 {
					err = errors.Join(err, database.Change(t.Context(), db, "count", func(tx *sql.Tx) error {
						var n int
						if err := tx.QueryRow("SELECT count(*) FROM a").Scan(&n); err != nil {
							return err
						}
						_, err := tx.Exec("INSERT INTO a (n) VALUES (?)", n)
						return err
					}))
				}
				err = errors.Join(err, db.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	db, err := database.Open(t.Context(), place, "x", first, second)
	require.NoError(t, err)
	defer db.Close()
	var n int
	require.NoError(t, db.QueryRow("SELECT count(DISTINCT n) FROM a").Scan(&n))
	require.Equal(t, 80, n)
}

// TestServerGone: a server that cannot be reached is an error without its password, and statements work again when it is back.
func TestServerGone(t *testing.T) {
	s := databasetest.Need(t)
	place := database.Place{URL: s.Database(t) + "&password=secret"}
	db, err := database.Open(t.Context(), place, "x", first)
	require.NoError(t, err)
	defer db.Close()
	s.Kill()
	_, err = db.Exec("INSERT INTO a VALUES (1)")
	require.Error(t, err)
	_, err = db.Exec("INSERT INTO a VALUES (1)")
	require.ErrorContains(t, err, "connect to PostgreSQL")
	require.NotContains(t, err.Error(), "secret")
	_, err = database.Open(t.Context(), place, "x", first)
	require.ErrorContains(t, err, "open database PostgreSQL, schema pingmill_x: connect to PostgreSQL")
	require.NotContains(t, err.Error(), "secret")
	require.NoError(t, s.Run())
	_, err = db.Exec("INSERT INTO a VALUES (1)")
	require.NoError(t, err)
	_, err = database.Open(t.Context(), database.Place{URL: "postgres://u:secret@h:port/x"}, "x", first)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}
