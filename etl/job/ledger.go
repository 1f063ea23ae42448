package job

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Ledger records runs, units and task attempts in a SQLite database. Any number of processes may read, also while a
// run writes; only one run at a time may write (see [ErrInUse]). Times in the database are UTC nanoseconds.
type Ledger struct {
	db *sql.DB // nil: nothing is known, see [NoLedger]
	// file is the path of a ledger opened by [ReadLedger]; "" otherwise.
	file  string
	watch lockWatch
	// write is held while writing, so that the goroutines of a run queue here and not in SQLite's busy wait.
	write sync.Mutex
	// statements holds the prepared writes of runs by their text: parsing one takes as long as its execution.
	statements map[string]*sql.Stmt // guarded by write
}

// exec executes one write of a run.
func (l *Ledger) exec(statement string, args ...any) (sql.Result, error) {
	l.write.Lock()
	defer l.write.Unlock()
	prepared := l.statements[statement]
	if prepared == nil {
		var err error
		if prepared, err = l.db.PrepareContext(context.Background(), statement); err != nil {
			return nil, err
		}
		if l.statements == nil {
			l.statements = map[string]*sql.Stmt{}
		}
		l.statements[statement] = prepared
	}
	return prepared.ExecContext(context.Background(), args...)
}

// workColumns are the columns of units and attempts for inputs, outputs and times.
const workColumns = `	rows_in    INTEGER NOT NULL DEFAULT 0,
	rows_out   INTEGER NOT NULL DEFAULT 0,
	rejected   INTEGER NOT NULL DEFAULT 0,
	bytes      INTEGER NOT NULL DEFAULT 0,
	output     TEXT NOT NULL DEFAULT '',
	started    INTEGER NOT NULL,
	ended      INTEGER NOT NULL DEFAULT 0,
`

// migrations upgrade a ledger from one schema version to the next; the first creates it.
var migrations = []string{`
CREATE TABLE runs (
	id          INTEGER PRIMARY KEY,
	started     INTEGER NOT NULL,
	ended       INTEGER NOT NULL DEFAULT 0,
	outcome     TEXT NOT NULL,              -- running, done, failed, cancelled, lost
	error       TEXT NOT NULL DEFAULT '',
	fingerprint TEXT NOT NULL,              -- of the units and the code version
	force       INTEGER NOT NULL,
	since       INTEGER NOT NULL,           -- what this run or a later one made is not redone; 0: whatever run made it
	pid         INTEGER NOT NULL,
	host        TEXT NOT NULL,
	code        TEXT NOT NULL
);
CREATE INDEX runs_by_fingerprint ON runs (fingerprint, id);

CREATE TABLE units (
	id         INTEGER PRIMARY KEY,
	run        INTEGER NOT NULL REFERENCES runs (id),
	table_name TEXT NOT NULL,
	day        TEXT NOT NULL,
	samples    TEXT NOT NULL,               -- of the planned tasks, like 0-49,50-99
	generation TEXT NOT NULL,               -- empty when planning failed
	inputs     TEXT NOT NULL,               -- JSON [{"name","generation"}]
` + workColumns + `	outcome    TEXT NOT NULL,               -- planned, committed, failed, cancelled, lost
	error      TEXT NOT NULL DEFAULT '',
	code       TEXT NOT NULL
);
CREATE INDEX units_by_day ON units (table_name, day, id);
CREATE INDEX units_open ON units (id) WHERE outcome = 'planned';

CREATE TABLE attempts (
	id         INTEGER PRIMARY KEY,
	run        INTEGER NOT NULL REFERENCES runs (id),
	unit       INTEGER NOT NULL REFERENCES units (id),
	table_name TEXT NOT NULL,
	day        TEXT NOT NULL,
	lo         INTEGER NOT NULL,
	hi         INTEGER NOT NULL,
	generation TEXT NOT NULL,
	inputs     TEXT NOT NULL,
` + workColumns + `	outcome    TEXT NOT NULL,               -- running, done, failed, cancelled, lost
	error      TEXT NOT NULL DEFAULT '',
	code       TEXT NOT NULL
);
CREATE INDEX attempts_by_day ON attempts (table_name, day, generation);
CREATE INDEX attempts_open ON attempts (id) WHERE outcome = 'running';
`, `
ALTER TABLE attempts ADD COLUMN bytes_in INTEGER NOT NULL DEFAULT 0; -- of the input, as the plan gave it
`, `
CREATE INDEX units_by_run ON units (run);
CREATE INDEX attempts_by_run ON attempts (run);
CREATE INDEX attempts_by_unit ON attempts (unit);
`, `
CREATE TABLE lines (
	id         INTEGER PRIMARY KEY,
	run        INTEGER NOT NULL REFERENCES runs (id),
	time       INTEGER NOT NULL,
	level      TEXT NOT NULL,
	table_name TEXT NOT NULL,               -- and day: of the unit that it is about, empty: of the run
	day        TEXT NOT NULL,
	text       TEXT NOT NULL,
	attrs      TEXT NOT NULL                -- JSON {"name": "value"}
);
CREATE INDEX lines_by_run ON lines (run, id);
`}

// DSN returns the data source name for the SQLite driver modernc.org/sqlite: write-ahead log, so that readers and the
// writer do not wait for each other; a lock timeout of ten seconds; synced at checkpoints only. A power failure may
// therefore lose the last attempts, which Steps.Done then finds or the run repeats, but never damages the ledger.
func DSN(path string) string {
	pragmas := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"}}
	file := url.URL{Path: filepath.ToSlash(filepath.Clean(path))}
	return "file:" + file.EscapedPath() + "?" + pragmas.Encode()
}

// ErrDamaged means that this program cannot use a ledger's file: it is damaged or of a newer version. Nothing
// depends on its content, so a new one can replace it.
var ErrDamaged = errors.New("the ledger cannot be used")

// OpenLedger makes the ledger's tables in db, or brings older ones up to date. The database must be a file and
// allow at least two connections; it stays the caller's to close. Where the file is the reason that it fails,
// the error matches [ErrDamaged].
//
// It looks through the file for a moment, and so finds damage in all but a large one; see [OpenSuspect].
func OpenLedger(ctx context.Context, db *sql.DB) (*Ledger, error) {
	return openLedger(ctx, db, lookTime)
}

// OpenSuspect is OpenLedger for a file that may be damaged, after an error that matches [IsDamage]. It checks
// the whole file, however long that takes.
func OpenSuspect(ctx context.Context, db *sql.DB) (*Ledger, error) {
	return openLedger(ctx, db, time.Hour)
}

// lookTime is enough for some 200 MB.
const lookTime = 2 * time.Second

// IsDamage reports whether an error of a ledger's methods, or of a run, was caused by a damaged file.
func IsDamage(err error) bool { return errors.Is(damage(err), ErrDamaged) }

func openLedger(ctx context.Context, db *sql.DB, look time.Duration) (*Ledger, error) {
	if db.Stats().MaxOpenConnections == 1 {
		return nil, errors.New("open ledger: needs at least 2 database connections, 1 is allowed")
	}
	conn, err := connect(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", damage(err))
	}
	defer func() { _ = conn.Close() }()
	err = lookThrough(ctx, conn, look)
	version := 0
	if err == nil {
		version, err = inspect(ctx, conn)
	}
	if err == nil && version < len(migrations) {
		version, err = migrate(ctx, conn)
	}
	if err == nil {
		err = tooNew(version)
	}
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", damage(err))
	}
	return &Ledger{db: db}, nil
}

// lookThrough checks the integrity of the database, for no longer than the given time.
func lookThrough(ctx context.Context, conn *sql.Conn, long time.Duration) error {
	look, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	var message string
	err := conn.QueryRowContext(look, `PRAGMA quick_check(1)`).Scan(&message)
	switch {
	case err != nil && look.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	case message != "ok":
		return fmt.Errorf("%w: %s", ErrDamaged, strings.Join(strings.Fields(message), " "))
	}
	return nil
}

// inspect returns the version of the ledger and checks that its tables exist.
func inspect(ctx context.Context, conn *sql.Conn) (version int, err error) {
	version, err = ledgerVersion(ctx, conn)
	if err != nil || version == 0 {
		return version, err
	}
	_, err = conn.ExecContext(ctx, `SELECT 1 FROM runs, units, attempts LIMIT 0`) // they are there
	return version, err
}

func tooNew(version int) error {
	if version > len(migrations) {
		return fmt.Errorf("%w: it has version %d, newer than this program's %d", ErrDamaged, version, len(migrations))
	}
	return nil
}

// damage makes SQLite's errors about a damaged file match ErrDamaged.
func damage(err error) error {
	const sqliteCorrupt, sqliteNotADB, sqliteError = 11, 26, 1
	switch code := codeOf(err); {
	case errors.Is(err, ErrDamaged):
	case code == sqliteCorrupt, code == sqliteNotADB,
		code == sqliteError: // tables that are not as they should be
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// connect tries again when the database is busy. When several processes switch a new database to write-ahead
// logging, or one opens it while the last other one closes it, SQLite can say so at once and not wait.
func connect(ctx context.Context, db *sql.DB) (*sql.Conn, error) {
	const tries, pause = 10, 10 * time.Millisecond
	for try := 1; ; try++ {
		conn, err := db.Conn(ctx)
		if err == nil || !isBusy(err) || try == tries {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// ledgerVersion returns the version of the ledger, 0 for a database without one.
func ledgerVersion(ctx context.Context, conn *sql.Conn) (version int, err error) {
	var tables int
	err = conn.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'ledger_version'`).Scan(&tables)
	if err != nil || tables == 0 {
		return 0, err
	}
	err = conn.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM ledger_version`).Scan(&version)
	return version, err
}

// migrate applies what is missing in one transaction. It is immediate, and reads the version again inside, since
// another process may be doing the same.
func migrate(ctx context.Context, conn *sql.Conn) (version int, err error) {
	if _, err = conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		}
	}()
	if version, err = ledgerVersion(ctx, conn); err != nil {
		return 0, err
	}
	if _, err = conn.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS ledger_version (version INTEGER PRIMARY KEY)`); err != nil {
		return 0, err
	}
	for ; version < len(migrations); version++ {
		if _, err = conn.ExecContext(ctx, migrations[version]); err != nil {
			return 0, fmt.Errorf("make version %d of its tables: %w", version+1, err)
		}
		if _, err = conn.ExecContext(ctx, `INSERT INTO ledger_version VALUES (?)`, version+1); err != nil {
			return 0, err
		}
	}
	_, err = conn.ExecContext(ctx, `COMMIT`)
	return version, err
}
