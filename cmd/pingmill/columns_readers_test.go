package main

import (
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"
)

// plainDuckDB runs a query after a statement, and gives its rows, nulls as "".
func plainDuckDB(t *testing.T, before, query string) (all [][]string) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	require.NoError(t, err)
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		require.NoError(t, rows.Scan(into...))
		row := make([]string, len(columns))
		for i, v := range values {
			row[i] = v.String
		}
		all = append(all, row)
	}
	require.NoError(t, rows.Err())
	return all
}

// checkForeignReader finds the files of both days as readers of Hive-style
// folders do, and reads every row by the names that the newer ones have: the
// columns that the older ones lack are null there.
func checkForeignReader(t *testing.T, data string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(data, "lake", "main_summary", "v4", "submission_date_obj=*", "sample_id=*", "*.parquet"))
	require.NoError(t, err)
	rows := map[string]int{}
	newest := parquetFile(t, paths[len(paths)-1]).Schema()
	for _, path := range paths {
		day := strings.Split(path, "submission_date_obj=")[1][:8]
		f := parquetFile(t, path)
		conversion, err := parquet.Convert(newest, f.Schema())
		require.NoError(t, err)
		for _, group := range f.RowGroups() {
			rows[day] += foreignRows(t, parquet.ConvertRowGroup(group, conversion), newest, day == "20180302")
		}
	}
	if rows["20180301"] != 20 || rows["20180302"] != 20 || len(rows) != 2 {
		t.Errorf("another reader: rows by day %v", rows)
	}
}

// parquetFile opens a file with another maker's reader.
func parquetFile(t *testing.T, path string) *parquet.File {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	require.NoError(t, err)
	p, err := parquet.OpenFile(f, info.Size())
	require.NoError(t, err)
	return p
}

// foreignRows reads all rows of a group: the added columns are null unless they
// are there, and those of before never are.
func foreignRows(t *testing.T, group parquet.RowGroup, as *parquet.Schema, there bool) (n int) {
	t.Helper()
	rows := group.Rows()
	defer rows.Close()
	buf := make([]parquet.Row, 1)
	for {
		got, err := rows.ReadRows(buf)
		if got == 0 {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			return n
		}
		n++
		nulls := map[string]bool{}
		for _, v := range buf[0] {
			nulls[as.Columns()[v.Column()][0]] = v.IsNull()
		}
		for _, c := range addedColumns {
			if null, read := nulls[c.name]; !read || null == there {
				t.Errorf("another reader: %s null %v (read: %v), want it there: %v", c.name, null, read, there)
			}
		}
		for _, c := range unchangedColumns {
			if null, read := nulls[c.name]; !read || null != (c.before == "{}" && !there) {
				t.Errorf("another reader: %s null %v (read: %v)", c.name, null, read)
			}
		}
		if t.Failed() {
			return n
		}
	}
}

// checkUnion: the DDL lists all columns, the older ones in the order that they
// had.
func checkUnion(t *testing.T, old, added string) {
	t.Helper()
	for _, engine := range []string{"spark", "trino", "athena", "hive"} {
		columns := func(probes string) (names []string) {
			ddl := mustCall(t, "schema", "main_summary", "--format", engine, "--probes", probes)
			for line := range strings.Lines(ddl) {
				if name, ok := strings.CutPrefix(line, "  "); ok && strings.ContainsAny(name[:1], "`\"") {
					names = append(names, strings.Fields(name)[0])
				}
			}
			return names
		}
		before, after := columns(old), columns(added)
		unchanged := slices.DeleteFunc(slices.Clone(after), func(n string) bool { return !slices.Contains(before, n) })
		if len(after) != len(before)+len(addedColumns) || !slices.Equal(unchanged, before) {
			t.Errorf("%s: %d columns before, %d after, %d of those before", engine, len(before), len(after), len(unchanged))
		}
	}
}
