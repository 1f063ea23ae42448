package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

func init() {
	candidates["duckdb-files"] = duckdbFiles
	candidates["duckdb-query"] = duckdbQuery
}

// installation is one whose queries are measured, and DuckDB's files of the same rows.
type installation struct {
	dir       string // with both
	clients   int    // of the population
	days      int
	meanBytes int
}

func (i installation) data() string   { return filepath.Join(i.dir, "data") }
func (i installation) duckdb() string { return filepath.Join(i.dir, "duckdb") }
func (i installation) binary() string { return filepath.Join(i.dir, "pingmill") }

// queried are the tables that DuckDB gets, with their place in an installation.
var queried = []struct{ name, place string }{
	{"main_summary", "lake/main_summary/v4"}, {"clients_daily", "lake/clients_daily/v6"}, {"addons", "lake/addons/v2"},
}

// makeTables makes what is missing: the program, the installation as a person would, and DuckDB's files.
func (i installation) makeTables(ctx context.Context) error {
	if err := os.MkdirAll(i.dir, 0o755); err != nil {
		return fmt.Errorf("make folder for the installation: %w", err)
	}
	if err := command(ctx, "go", "build", "-o", i.binary(), "./cmd/pingmill").Run(); err != nil {
		return fmt.Errorf("build pingmill: %w", err)
	}
	if _, err := os.Stat(i.data()); errors.Is(err, os.ErrNotExist) {
		part := i.data() + ".part"
		if err := os.RemoveAll(part); err != nil {
			return fmt.Errorf("clear %s: %w", part, err)
		}
		last := time.Date(2018, 3, i.days, 0, 0, 0, 0, time.UTC).Format("20060102")
		script := fmt.Sprintf("%[1]q generate --clients %d --days %d --mean-bytes %d --form pings 2>/dev/null | %[1]q load --data %[5]q - && "+
			"%[1]q run all --data %[5]q --from 20180301 --to %[6]s 2>/dev/null", i.binary(), i.clients, i.days, i.meanBytes, part, last)
		if err := command(ctx, "sh", "-c", script).Run(); err != nil {
			return fmt.Errorf("make the installation: %w", err)
		}
		if err := os.Rename(part, i.data()); err != nil {
			return fmt.Errorf("name the installation: %w", err)
		}
	}
	if _, err := os.Stat(i.duckdb()); errors.Is(err, os.ErrNotExist) {
		if _, err := measure(ctx, "duckdb-files", i.data(), i.duckdb()+".part"); err != nil {
			return err
		}
		return os.Rename(i.duckdb()+".part", i.duckdb())
	}
	return nil
}

func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd
}

// duckdbFiles has DuckDB write the rows of each day of the tables into one file.
func duckdbFiles(ctx context.Context, input, output string) (files, _ int64, err error) {
	for _, t := range queried {
		days, err := filepath.Glob(filepath.Join(input, t.place, "*=*"))
		if err != nil {
			return files, 0, err
		}
		for _, day := range days {
			dir := filepath.Join(output, t.name, filepath.Base(day))
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return files, 0, err
			}
			rows := filepath.Join(day, "**/*.parquet")
			if compact, _ := filepath.Glob(filepath.Join(day, "_compact-all-*")); len(compact) == 1 { // the same rows, sooner
				rows = compact[0]
			}
			from := "read_parquet(" + duckdb.Text(rows) + ", hive_partitioning = false)"
			_, err := duck(ctx, "COPY (SELECT * FROM "+from+" ORDER BY TRY_CAST(sample_id AS INTEGER), client_id) TO "+
				duckdb.Text(filepath.Join(dir, "data.parquet"))+" (FORMAT parquet, COMPRESSION zstd)")
			if err != nil {
				return files, 0, err
			}
			files++
		}
	}
	return files, 0, nil
}

// duckdbQuery has DuckDB answer a query, the text of the file output, over those files.
func duckdbQuery(ctx context.Context, input, query string) (rows, _ int64, err error) {
	db, err := sql.Open("duckdb", "?threads=1")
	if err != nil {
		return 0, 0, fmt.Errorf("open DuckDB: %w", err)
	}
	defer db.Close()
	for _, t := range queried {
		if !strings.Contains(query, t.name) {
			continue
		}
		_, err := db.ExecContext(ctx, "CREATE VIEW "+t.name+" AS SELECT * FROM read_parquet("+
			duckdb.Text(filepath.Join(input, t.name, "*/data.parquet"))+
			", hive_partitioning = true, hive_types_autocast = false)")
		if err != nil {
			return 0, 0, fmt.Errorf("DuckDB: %w", err)
		}
	}
	return duckdbRows(ctx, db, query)
}

// duckdbRows reads all rows of a query.
func duckdbRows(ctx context.Context, db *sql.DB, query string) (rows, _ int64, err error) {
	result, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, 0, fmt.Errorf("DuckDB: %w", err)
	}
	defer result.Close()
	names, err := result.Columns()
	if err != nil {
		return 0, 0, fmt.Errorf("DuckDB: %w", err)
	}
	row := make([]any, len(names))
	for i := range row {
		row[i] = new(any)
	}
	for result.Next() {
		if err := result.Scan(row...); err != nil {
			return rows, 0, fmt.Errorf("DuckDB: %w", err)
		}
		rows++
	}
	return rows, 0, result.Err()
}

// spent holds the resources that a process and its children used.
type spent struct {
	rows      int64
	cpu, wall float64 // s
}

// pingmill asks pingmill.
func (i installation) pingmill(ctx context.Context, query string) (spent, error) {
	cmd := exec.CommandContext(ctx, i.binary(), "query", "--all-days", "--threads", "1", "--format", "csv", "--data", i.data(), query)
	return run(cmd, func(out string) int64 { return int64(strings.Count(out, "\n")) - 1 })
}

// other asks DuckDB in a process of its own, which does nothing else.
func (i installation) other(ctx context.Context, query string) (spent, error) {
	self, err := os.Executable()
	if err != nil {
		return spent{}, fmt.Errorf("find own program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "-child", "duckdb-query", "-input", i.duckdb(), "-output", query)
	return run(cmd, func(out string) int64 {
		_, n, _ := strings.Cut(out, `"Units":`)
		n, _, _ = strings.Cut(n, ",")
		rows, _ := strconv.ParseInt(n, 10, 64)
		return rows
	})
}

func run(cmd *exec.Cmd, rows func(out string) int64) (s spent, err error) {
	cmd.Stderr = os.Stderr
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return s, fmt.Errorf("run %s: %w", strings.Join(cmd.Args, " "), err)
	}
	state := cmd.ProcessState
	return spent{rows(string(out)), (state.UserTime() + state.SystemTime()).Seconds(), time.Since(start).Seconds()}, nil
}

// client is one with rows on many days.
func (i installation) client(ctx context.Context) (string, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return "", fmt.Errorf("open DuckDB: %w", err)
	}
	defer db.Close()
	var id string
	files := duckdb.Text(filepath.Join(i.duckdb(), "clients_daily/*/data.parquet"))
	err = db.QueryRowContext(ctx, "SELECT client_id FROM read_parquet("+files+") GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1").Scan(&id)
	if err != nil {
		return "", fmt.Errorf("choose a client: %w", err)
	}
	return id, nil
}

func replaceClient(sql, client string) string { return strings.ReplaceAll(sql, "CLIENT", client) }
