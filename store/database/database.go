// Package database opens the SQLite files of accounts, saved queries and the like: who they are, what they asked, what
// they saved. The ledger has its own rules, see package job.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// ErrNewer means a newer version of the program has written the file.
var ErrNewer = errors.New("it was written by a newer version of pingmill: use that one")

// Open opens a file that only its owner can read, and creates it and its folder if they are missing. migrations
// are the statements that lead from an empty file to the present tables. Open runs those that the file does not
// have yet, each in its own transaction. A released migration must not change.
func Open(ctx context.Context, path string, migrations ...string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite would let others read it
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	if err := migrate(ctx, db, migrations); err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, errors.Join(err, db.Close()))
	}
	return db, nil
}

// dsn waits for other writers, and takes the lock for writing when a transaction begins, as one that gets it later cannot wait.
func dsn(path string) string {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"}, "_txlock": {"immediate"}}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func migrate(ctx context.Context, db *sql.DB, migrations []string) error {
	for {
		done, err := step(ctx, db, migrations)
		if done || err != nil {
			return err
		}
	}
}

// step runs the next migration, unless there is none.
func step(ctx context.Context, db *sql.DB, migrations []string) (done bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() {
		if err != nil || done {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return false, err
	}
	if version > len(migrations) {
		return false, ErrNewer
	}
	if version == len(migrations) {
		return true, nil
	}
	if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
		return false, fmt.Errorf("migration %d: %w", version+1, err)
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
		return false, err
	}
	return false, tx.Commit()
}

// Change runs a writing transaction. Errors of the transaction itself begin with what.
func Change(ctx context.Context, db *sql.DB, what string, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Milliseconds converts a time to the milliseconds since 1970 that a column holds; the zero time becomes 0.
func Milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time converts the milliseconds of a column to a time in UTC; 0 becomes the zero time.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
