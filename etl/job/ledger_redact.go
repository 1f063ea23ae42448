package job

import (
	"context"
	"database/sql"
	"fmt"
)

// Redact changes the texts of errors and lines, which may contain values of rows, and erases the old texts
// from the file.
func (l *Ledger) Redact(ctx context.Context, change func(string) string) error {
	conn, err := l.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("redact the ledger: %w", err)
	}
	defer func() { _ = conn.Close() }()
	changed := false
	for _, c := range []textColumn{{"units", "error"}, {"attempts", "error"}, {"runs", "error"}, {"lines", "text"}, {"lines", "attrs"}} {
		n, err := c.redact(ctx, conn, change)
		if err != nil {
			return fmt.Errorf("redact the ledger: %s: %w", c.table, err)
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

// textColumn is a column whose texts may contain values of rows.
type textColumn struct{ table, name string }

// redact changes the texts of one column and returns their number.
func (c textColumn) redact(ctx context.Context, conn *sql.Conn, change func(string) string) (n int, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT id, `+c.name+` FROM `+c.table+` WHERE `+c.name+` <> ''`)
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
		// Overwrite deleted content with zeros.
		if _, err := conn.ExecContext(ctx, `PRAGMA secure_delete = ON`); err != nil {
			return 0, err
		}
		if _, err := conn.ExecContext(ctx, `UPDATE `+c.table+` SET `+c.name+` = ? WHERE id = ?`, text, id); err != nil {
			return 0, err
		}
	}
	return len(texts), nil
}
