package job

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// NoLedger returns an empty, read-only ledger, for installations without a ledger file.
func NoLedger() *Ledger { return &Ledger{} }

// ReadDSN is as [DSN], for [ReadLedger]: nothing is made or written, no journal and no lock either. While
// nobody has the ledger open there is no write-ahead log, and the file does not change; a log that there is belongs to the file,
// also to one that a dead process left.
func ReadDSN(path string) string {
	values := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)", "query_only(1)"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		values.Set("immutable", "1")
	}
	file := url.URL{Path: filepath.ToSlash(filepath.Clean(path))}
	return "file:" + file.EscapedPath() + "?" + values.Encode()
}

// ReadLedger opens the ledger in a file for reading; db must use its [ReadDSN]. Older versions are readable
// too. If the file is the cause of the failure, the error matches [ErrDamaged].
func ReadLedger(ctx context.Context, db *sql.DB, path string) (*Ledger, error) {
	conn, err := connect(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", damage(err))
	}
	defer func() { _ = conn.Close() }()
	version, err := inspect(ctx, conn)
	if err == nil {
		err = tooNew(version)
	}
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", damage(err))
	}
	if version == 0 {
		return NoLedger(), nil
	}
	return &Ledger{db: db, file: path}, nil
}
