package job

import (
	"context"
	"fmt"
	"time"
)

// Hold prevents runs from writing the ledger, and so from making partitions, until release is called. If a
// run is active, the error matches [ErrInUse].
func (l *Ledger) Hold(ctx context.Context) (release func(), err error) { return l.lock(ctx) }

// Expire deletes runs, units and attempts that ended before a time, and returns their number. The last attempt
// at each partition and its last commit stay, with their runs: they are its state. The caller holds the
// ledger, see [Ledger.Hold].
func (l *Ledger) Expire(ctx context.Context, before time.Time) (rows int64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("expire old runs in the ledger: %w", err)
		}
	}()
	l.write.Lock()
	defer l.write.Unlock()
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	at := before.UnixNano()
	if _, err := tx.ExecContext(ctx, `CREATE TEMP TABLE expiring AS SELECT id FROM units WHERE ended > 0 AND ended < ?
		AND id NOT IN (SELECT max(id) FROM units GROUP BY table_name, day)
		AND id NOT IN (SELECT max(id) FROM units WHERE outcome = 'committed' GROUP BY table_name, day)`, at); err != nil {
		return 0, err
	}
	for _, d := range []struct {
		statement string
		args      []any
	}{
		{`DELETE FROM attempts WHERE ended > 0 AND ended < ? OR unit IN (SELECT id FROM expiring)`, []any{at}},
		{`DELETE FROM lines WHERE run IN (SELECT id FROM runs WHERE ended > 0 AND ended < ?)`, []any{at}},
		{`DELETE FROM units WHERE id IN (SELECT id FROM expiring)`, nil},
		{`DELETE FROM runs WHERE ended > 0 AND ended < ?
			AND id NOT IN (SELECT run FROM units) AND id NOT IN (SELECT run FROM attempts)`, []any{at}},
	} {
		res, err := tx.ExecContext(ctx, d.statement, d.args...)
		if err != nil {
			return 0, err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return 0, err
		}
		rows += n
	}
	if _, err := tx.ExecContext(ctx, `DROP TABLE temp.expiring`); err != nil {
		return 0, err
	}
	return rows, tx.Commit()
}
