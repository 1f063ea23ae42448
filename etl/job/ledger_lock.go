package job

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// ErrInUse is returned by [Run] while another run, in this or another process, writes the same ledger.
var ErrInUse = errors.New("the ledger is in use by another run")

// lock takes the right to write: an empty database LEDGER.lock beside the ledger's file, attached on a
// connection of its own that holds a write transaction open and never commits it. That is a lock of the
// operating system, held by SQLite in the way of each platform. It ends with the process, however that ends,
// so there is no stale lock to recognise and no process id to mistake. Readers of the ledger never touch it.
func (l *Ledger) lock(ctx context.Context) (release func(), err error) {
	conn, err := l.db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock the ledger: %w", err)
	}
	// The connection is thrown away afterwards: closing it rolls back, detaches and unlocks in one.
	release = func() {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		_ = conn.Close()
	}
	if err = l.attachLock(context.WithoutCancel(ctx), conn); err == nil {
		return release, nil
	}
	release()
	if isBusy(err) {
		return nil, fmt.Errorf("%w: %s", ErrInUse, l.holder(context.WithoutCancel(ctx)))
	}
	return nil, fmt.Errorf("lock the ledger: %w", err)
}

// lockPatience is the lock timeout in milliseconds. A holder holds the lock for long, except Writing, which
// only tests whether it is free.
const lockPatience = `PRAGMA busy_timeout = 100`

func (l *Ledger) attachLock(ctx context.Context, conn *sql.Conn) error {
	var file string
	if err := conn.QueryRowContext(ctx, `SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&file); err != nil {
		return err
	}
	if file == "" {
		return errors.New("it is in memory, not in a file")
	}
	if err := mendLock(file + ".lock"); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `ATTACH ? AS run_lock`, file+".lock"); err != nil {
		return err
	}
	for _, statement := range []string{
		lockPatience,
		`PRAGMA run_lock.journal_mode = MEMORY`, // nothing is ever written: leave no journal file
		`BEGIN`,
		`CREATE TABLE run_lock.held (held)`,
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// mendLock empties the lock's file if it is damaged; an intact one is always empty. A process that holds the
// lock does not lose it.
func mendLock(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Size() == 0 {
		return nil // attaching makes a file that cannot be seen, or refuses it
	}
	return os.Truncate(name, 0)
}

// isBusy reports whether an error is SQLITE_BUSY.
func isBusy(err error) bool {
	const sqliteBusy = 5
	return codeOf(err) == sqliteBusy
}

// codeOf returns SQLite's primary result code of a driver error, without importing the driver; 0 for other errors.
func codeOf(err error) int {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return 0
	}
	return coded.Code() & 0xff
}

// holder describes the holder of the lock: a recorded run, or a process that removes data or has not recorded
// its run yet.
func (l *Ledger) holder(ctx context.Context) string {
	pid := l.lockedBy(ctx)
	var run, started int64
	var host string
	err := l.db.QueryRowContext(ctx, `SELECT id, host, started FROM runs WHERE outcome = 'running' AND pid = ? ORDER BY id DESC LIMIT 1`, pid).
		Scan(&run, &host, &started)
	if err != nil {
		return fmt.Sprintf("process %d: wait for it or stop it", pid)
	}
	return fmt.Sprintf("process %d on %s, run %d since %s%s: wait for it or stop it", pid, host, run,
		ledgerTime(started).Format(time.RFC3339), l.making(ctx, run))
}

// lockedBy returns the id of the process that holds the lock, possibly this one. If the system does not know
// it, it returns the process of the last run.
func (l *Ledger) lockedBy(ctx context.Context) (pid int) {
	var file string
	if err := l.db.QueryRowContext(ctx, `SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&file); err == nil {
		if pid, is, err := l.watch.locked(file + ".lock"); err == nil && is {
			return pid
		}
	}
	pid = os.Getpid()
	_ = l.db.QueryRowContext(ctx, `SELECT pid FROM runs WHERE outcome = 'running' ORDER BY id DESC LIMIT 1`).Scan(&pid)
	return pid
}

// making describes the progress of a run; "" before it has planned anything.
func (l *Ledger) making(ctx context.Context, run int64) string {
	var first, last, tables string
	err := l.db.QueryRowContext(ctx, `
		SELECT min(day), max(day), group_concat(DISTINCT table_name) FROM units WHERE run = ? AND outcome = 'planned'`, run).
		Scan(&first, &last, &tables)
	if err != nil { // nulls
		return ""
	}
	if first != last {
		first += "-" + last
	}
	return ", making " + strings.ReplaceAll(tables, ",", ", ") + " of " + first
}
