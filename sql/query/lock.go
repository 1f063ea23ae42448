package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/dustin/go-humanize"
)

// lock is what DuckDB itself can keep queries from, for good. It does not keep them from writing where they may read, nor
// from statements that need no file: package gate and the operating system do.
const lock = `SET GLOBAL allow_community_extensions = false; SET GLOBAL allow_persistent_secrets = false;
SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true`

// Lock leaves DuckDB the files of the views, or the folders if there are any, and the working directory, temp, for data that
// does not fit in memory, and no setting to change. It comes before the first query. DuckDB resolves each path of its list, which
// takes some 10 ms for a year; so folders are better where the operating system keeps it to the files. spill is how many bytes of
// such data there may be; 0 is DuckDB's own limit, nine tenths of what is free.
func (db *DB) Lock(ctx context.Context, temp string, spill int64, folders ...string) error {
	var files []string
	for _, v := range db.views {
		for _, f := range v.Files {
			if len(folders) == 0 {
				files = append(files, quoteText(f))
			}
		}
	}
	dirs := []string{quoteText(temp)}
	for _, f := range folders {
		dirs = append(dirs, quoteText(f))
	}
	conn, err := db.connect(ctx)
	if err != nil {
		return fmt.Errorf("lock query database: %w", err)
	}
	defer conn.Close()
	// DuckDB says how far a query is on connections that are told to, and later none can be.
	if db.ready, err = db.connect(ctx); err != nil {
		return fmt.Errorf("lock query database: %w", err)
	}
	if err := run(ctx, db.ready, "SET enable_progress_bar = true; SET enable_progress_bar_print = false"); err != nil {
		return fmt.Errorf("lock query database: %w", err)
	}
	db.tempDir = "." // no plan names more of the installation
	limit := ""
	if spill > 0 {
		limit = fmt.Sprintf("SET GLOBAL max_temp_directory_size = '%dB'; ", spill)
	}
	sql := fmt.Sprintf("SET GLOBAL temp_directory = %[1]s; %[5]sSET GLOBAL allowed_directories = [%[2]s]; SET GLOBAL allowed_paths = [%[3]s]; %[4]s",
		quoteText(temp), strings.Join(dirs, ", "), strings.Join(files, ", "), lock, limit)
	if err := run(ctx, conn, sql); err != nil {
		return fmt.Errorf("lock query database: %w", err)
	}
	return nil
}

// connectFirst is the connection for the first query, that of a process which is locked.
func (db *DB) connectFirst(ctx context.Context) (*duckdb.Conn, error) {
	db.mu.Lock()
	conn := db.ready
	db.ready = nil
	db.mu.Unlock()
	if conn != nil {
		return conn, nil
	}
	return db.connect(ctx)
}

// MemoryLimit is how many bytes DuckDB means to take at most. It does not count all that it takes.
func (db *DB) MemoryLimit(ctx context.Context) (int64, error) {
	conn, err := db.connect(ctx)
	if err != nil {
		return 0, fmt.Errorf("find the limit of memory: %w", err)
	}
	defer conn.Close()
	rows, err := texts(ctx, conn, "SELECT current_setting('memory_limit')")
	if err != nil {
		return 0, fmt.Errorf("find the limit of memory: %w", err)
	}
	n, err := humanize.ParseBytes(rows[0][0]) // such as 15.9 GiB
	if err != nil {
		return 0, fmt.Errorf("find the limit of memory: %w", err)
	}
	return int64(n), nil
}
