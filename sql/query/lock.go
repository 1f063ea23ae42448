package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/dustin/go-humanize"
)

// lock disables what DuckDB itself can forbid to queries, permanently. It does not prevent writing to readable places,
// nor statements that need no file: package gate and the operating system prevent those.
const lock = `SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true`

// Lock restricts DuckDB to the files of the views, or to folders if any are given, and to the working directory temp
// for data that does not fit in memory. It also locks all settings. It must be called before the first query. DuckDB
// resolves each listed path, about 10 ms for a year of files; so folders are better if the operating system restricts
// the process to the files. spill limits temporary data in bytes; 0 is DuckDB's limit, nine tenths of the free space.
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
	// DuckDB reports progress only on connections configured for it, and after the lock none can be configured.
	if db.ready, err = db.connect(ctx); err != nil {
		return fmt.Errorf("lock query database: %w", err)
	}
	if err := run(ctx, db.ready, "SET enable_progress_bar = true; SET enable_progress_bar_print = false"); err != nil {
		return fmt.Errorf("lock query database: %w", err)
	}
	db.tempDir = "." // so that plans name no other path of the installation
	limit := ""
	if spill > 0 {
		limit = fmt.Sprintf("SET GLOBAL max_temp_directory_size = '%dB'; ", spill)
	}
	sql := fmt.Sprintf("SET GLOBAL temp_directory = %[1]s; %[5]sSET GLOBAL allowed_directories = [%[2]s]; SET GLOBAL allowed_paths = "+
		"[%[3]s]; %[4]s",
		quoteText(temp), strings.Join(dirs, ", "), strings.Join(files, ", "), lock, limit)
	if err := run(ctx, conn, sql); err != nil {
		return fmt.Errorf("lock query database: %w", err)
	}
	return nil
}

// connectFirst returns the reserved connection for the first query of a locked process, or a new connection.
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

// Limit changes the limits that Options have: the threads unless they are 0, and the bytes of memory.
func (db *DB) Limit(ctx context.Context, threads int, memory int64) error {
	conn, err := db.connect(ctx)
	if err != nil {
		return fmt.Errorf("limit query database: %w", err)
	}
	defer conn.Close()
	sql := fmt.Sprintf("SET GLOBAL memory_limit = '%dB'", memory)
	if threads > 0 {
		sql += fmt.Sprintf("; SET GLOBAL threads = %d", threads)
	}
	if err := run(ctx, conn, sql); err != nil {
		return fmt.Errorf("limit query database: %w", err)
	}
	return nil
}

// MemoryLimit returns DuckDB's memory limit in bytes. DuckDB does not count all memory that it allocates.
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
