package main

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

// lakeRows are the rows of clients that stay, by folder of a table's day.
type lakeRows map[string]rowsOfDay

// rowsOfDay are rows of a day.
type rowsOfDay struct {
	All, Others int64
	Hash        uint64 // of the others
}

// rows returns the number of rows in the folders of a table.
func (r lakeRows) rows(table string) (n int64) {
	for name, d := range r {
		if strings.Contains(name, "/"+table+"/") {
			n += d.All
		}
	}
	return n
}

// removed returns the number of rows of the clients to remove.
func (r lakeRows) removed() (n int64) {
	for _, d := range r {
		n += d.All - d.Others
	}
	return n
}

// changed returns the folders whose other clients' rows are not the same, and those that had some and do not exist any more.
func (r lakeRows) changed(after lakeRows) (names []string) {
	for name, d := range r {
		if a := after[name]; a.Others != d.Others || a.Hash != d.Hash {
			names = append(names, fmt.Sprintf("%s: %d rows of others, not %d", name, a.Others, d.Others))
		} else if a.All != a.Others {
			names = append(names, fmt.Sprintf("%s: %d rows of the clients", name, a.All-a.Others))
		}
	}
	slices.Sort(names)
	return names
}

// removalRows reads the rows of a lake.
func removalRows(ctx context.Context, data, _ string) (rows, bytes int64, err error) {
	ids, _, err := chosen(data)
	if err != nil {
		return 0, 0, err
	}
	all, err := otherRows(ctx, data, ids)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range all {
		rows += d.All
	}
	return rows, 0, keep(all, data, "removal-rows")
}

// otherRows reads the rows of all tables that name clients, by another maker's reader.
func otherRows(ctx context.Context, data string, ids []string) (lakeRows, error) {
	folders, err := partitions(data)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // its temporary table is of one connection
	chosen := "CREATE TEMP TABLE chosen AS SELECT unnest(string_split(" + duckdb.Text(strings.Join(ids, " ")) + ", ' ')) AS id"
	if _, err := db.ExecContext(ctx, chosen); err != nil {
		return nil, fmt.Errorf("DuckDB: %w", err)
	}
	all := lakeRows{}
	for folder, files := range folders {
		from := "read_parquet([" + strings.Join(files, ", ") + "], hive_partitioning = false)"
		other, rest, err := rowExpressions(ctx, db, from)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		if other == "" {
			continue
		}
		var d rowsOfDay
		err = db.QueryRowContext(ctx, fmt.Sprintf("SELECT count(*), count(*) FILTER (other), coalesce(bit_xor(h) FILTER (other), 0) FROM "+
			"(SELECT %s AS other, hash(%s) AS h FROM %s)", other, rest, from)).Scan(&d.All, &d.Others, &d.Hash)
		if err != nil {
			return nil, fmt.Errorf("%s: DuckDB: %w", folder, err)
		}
		all[folder] = d
	}
	return all, nil
}

// comparedColumns is the number of columns of which rows are compared: in files of few rows each column costs as much as its rows.
const comparedColumns = 30

// rowExpressions returns what is true for rows of other clients, or nothing if rows have none, and the first columns without the
// documents of the archive. Rejected submissions name their clients in the body only.
func rowExpressions(ctx context.Context, db *sql.DB, from string) (other, rest string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT column_name FROM (DESCRIBE FROM "+from+")")
	if err != nil {
		return "", "", fmt.Errorf("DuckDB: %w", err)
	}
	defer rows.Close()
	var columns []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", "", fmt.Errorf("DuckDB: %w", err)
		}
		switch name {
		case "client_id", "clientId":
			other = "coalesce(" + name + " NOT IN (FROM chosen), true)"
		case "body":
			other = "NOT EXISTS (FROM (SELECT unnest(regexp_extract_all(lower(CAST(body AS VARCHAR)), " +
				"'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')) AS id) WHERE id IN (FROM chosen))"
		}
		if name != "ping" && name != "body" && len(columns) < comparedColumns {
			columns = append(columns, `"`+name+`"`)
		}
	}
	return other, strings.Join(columns, ", "), rows.Err()
}

// partitions returns the files of each day of each table and document type, quoted, without those that have the same rows
// again.
func partitions(data string) (map[string][]string, error) {
	all := map[string][]string{}
	err := filepath.WalkDir(data, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && strings.HasPrefix(e.Name(), "_") {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, ".parquet") || strings.HasPrefix(e.Name(), "_") {
			return nil
		}
		folder, err := filepath.Rel(data, filepath.Dir(name))
		if err != nil {
			return err
		}
		if strings.Contains(filepath.Base(folder), "sample_id=") {
			folder = filepath.Dir(folder)
		}
		all[folder] = append(all[folder], duckdb.Text(name))
		return nil
	})
	return all, err
}

// someIDs returns the clients whose ids have the smallest hashes.
func someIDs(ctx context.Context, data string, n int) (ids []string, err error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	defer db.Close()
	pings := duckdb.Text(filepath.Join(data, "archive/pings/**/*.parquet"))
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT clientId FROM read_parquet(%s) WHERE clientId IS NOT NULL GROUP BY 1 "+
		"ORDER BY md5(clientId), 1 LIMIT %d", pings, n))
	if err != nil {
		return nil, fmt.Errorf("choose clients: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("choose clients: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// ownBytes returns the bytes of the files of a folder that are in no other folder.
func ownBytes(dir string) (n int64, err error) {
	seen := map[uint64]uint64{} // links within the folder
	sizes := map[uint64]int64{}
	links := map[uint64]uint64{}
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		st := info.Sys().(*syscall.Stat_t)
		seen[st.Ino]++
		sizes[st.Ino], links[st.Ino] = info.Size(), uint64(st.Nlink)
		return nil
	})
	for ino, here := range seen {
		if here == links[ino] {
			n += sizes[ino]
		}
	}
	return n, err
}
