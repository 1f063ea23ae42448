// Package database opens the databases of accounts, saved queries and the like: who they are, what they asked, what
// they saved. Each is a file of SQLite or a schema of PostgreSQL; statements are written for SQLite, and translated where
// PostgreSQL differs. The ledger has its own rules, see package job.
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

// ErrNewer means a newer version of the program has written the database.
var ErrNewer = errors.New("it was written by a newer version of pingmill: use that one")

// Place is where the databases of an installation are.
type Place struct {
	Dir string // has the files of SQLite
	URL string // of a database of PostgreSQL, which replaces the files; empty: there is none
}

// In returns the place of SQLite files in a folder.
func In(dir string) Place { return Place{Dir: dir} }

// Shared reports whether several servers can use the databases.
func (p Place) Shared() bool { return p.URL != "" }

// Open opens a database by its name, and creates it if it is missing. migrations are the statements that lead from an
// empty database to the present tables. Open runs those that the database does not have yet, each in its own
// transaction. A released migration must not change. For PostgreSQL a line is replaced by the text behind "-- postgres:",
// and types by those with the same values.
func Open(ctx context.Context, p Place, name string, migrations ...string) (db *sql.DB, err error) {
	where := filepath.Join(p.Dir, name+".db")
	if p.Shared() {
		where = "PostgreSQL, schema " + schemaOf(name)
		db, err = openPostgres(p.URL, schemaOf(name))
	} else {
		db, err = openFile(where)
	}
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", where, err)
	}
	if err := migrate(ctx, db, migrations); err != nil {
		return nil, fmt.Errorf("open database %s: %w", where, errors.Join(err, db.Close()))
	}
	return db, nil
}

// openFile opens a file of SQLite that only its owner can read, and creates it and its folder if they are missing.
func openFile(path string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite would let others read it
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return sql.Open("sqlite", dsn(path))
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
	version, err := versionOf(ctx, db, tx)
	if err != nil {
		return false, err
	}
	if version > len(migrations) {
		return false, ErrNewer
	}
	if version == len(migrations) {
		return true, nil
	}
	migration, record := migrations[version], fmt.Sprintf("PRAGMA user_version = %d", version+1)
	if IsPostgres(db) {
		migration, record = tables(migration), fmt.Sprintf("INSERT INTO migrations VALUES (%d)", version+1)
	}
	if _, err := tx.ExecContext(ctx, migration); err != nil {
		return false, fmt.Errorf("migration %d: %w", version+1, err)
	}
	if _, err := tx.ExecContext(ctx, record); err != nil {
		return false, err
	}
	return false, tx.Commit()
}

// versionOf returns the number of migrations that a database has.
func versionOf(ctx context.Context, db *sql.DB, tx *sql.Tx) (version int, err error) {
	read := "PRAGMA user_version"
	if IsPostgres(db) {
		read = "SELECT count(*) FROM migrations"
		if err := createSchema(ctx, db, tx); err != nil {
			return 0, err
		}
	}
	err = tx.QueryRowContext(ctx, read).Scan(&version)
	return version, err
}

// Change runs a writing transaction; another one of the database waits for its end. Errors of the transaction itself begin
// with what.
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
