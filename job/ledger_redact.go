package job

import (
	"context"
	"database/sql"
	"fmt"
)

// Redact changes the texts of errors, which may name rows, and leaves nothing of
// the old ones in the file.
func (l *Ledger) Redact(ctx context.Context, change func(string) string) error {
	conn, err := l.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("redact the ledger: %w", err)
	}
	defer func() { _ = conn.Close() }()
	changed := false
	for _, table := range []string{"units", "attempts", "runs"} {
		n, err := redact(ctx, conn, table, change)
		if err != nil {
			return fmt.Errorf("redact the ledger: %s: %w", table, err)
		}
		changed = changed || n > 0
	}
	if !changed {
		return nil
	}
	if _, err := conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		return fmt.Errorf("redact the ledger: %w", err)
	}
	return nil
}

// redact changes the errors of one table and says how many.
func redact(ctx context.Context, conn *sql.Conn, table string, change func(string) string) (n int, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT id, error FROM `+table+` WHERE error <> ''`)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	texts := map[int64]string{}
	for rows.Next() {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return 0, err
		}
		if now := change(text); now != text {
			texts[id] = now
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for id, text := range texts {
		// Zeros take the place of what goes.
		if _, err := conn.ExecContext(ctx, `PRAGMA secure_delete = ON`); err != nil {
			return 0, err
		}
		if _, err := conn.ExecContext(ctx, `UPDATE `+table+` SET error = ? WHERE id = ?`, text, id); err != nil {
			return 0, err
		}
	}
	return len(texts), nil
}
