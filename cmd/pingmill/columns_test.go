package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// writeFolder makes a folder with files.
func writeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// columnDays loads two days of pings that have every probe.
func columnDays(t *testing.T) (data string) {
	t.Helper()
	var lines []string
	ping := strings.ReplaceAll(everyProbe, "\n", "")
	for day := range 2 {
		for i := range 20 {
			lines = append(lines, fmt.Sprintf(`{"meta":{"documentId":"d%d-%d","docType":"main","appName":"Firefox","sourceVersion":"4","clientId":"c%d","sampleId":%d,`+
				`"submissionDate":"2018030%d","timestamp":%d},"ping":%s}`, day, i, i, i%3, 1+day, 1519862400000000000+int64(day)*86400e9+int64(i), ping))
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "pings.ndjson")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	data = filepath.Join(dir, "data")
	mustCall(t, "load", "--data", data, file)
	return data
}

// hashes are the files below a folder.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		sum := sha256.Sum256(b)
		all[path] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// columnValues are the names of the looked at columns and what every row has in
// them, by day, nulls as "".
func columnValues() (names, row1, row2 []string) {
	for _, c := range addedColumns {
		names, row1, row2 = append(names, c.name), append(row1, ""), append(row2, c.value)
	}
	for _, c := range keptColumns {
		names, row1, row2 = append(names, c.name), append(row1, c.before), append(row2, c.after)
	}
	return names, row1, row2
}

// checkDiff: schema --diff prints exactly the columns and scalars that are added.
func checkDiff(t *testing.T, old, added string) {
	t.Helper()
	want := "main_summary v4:\n"
	for _, c := range addedColumns {
		want += "  + " + c.name + " " + c.typ + "\n"
	}
	for _, s := range addedScalars {
		want += "  + addon scalar " + s + "\n"
	}
	if got, _, _ := strings.Cut(mustCall(t, "schema", "--diff", added, "--probes", old), "\n\n"); got+"\n" != want {
		t.Errorf("schema --diff: got\n%s\nwant\n%s", got, want)
	}
}

// TestAddColumns adds a probe of every kind on the second day. The first day
// stays as it is, and both are read together by pingmill's queries, plain DuckDB
// with the printed DDL and with the listing of a Hive-style folder, and another
// maker's parquet reader.
func TestAddColumns(t *testing.T) {
	data, old, added := columnDays(t), writeFolder(t, oldProbes), writeFolder(t, newProbes)
	mustCall(t, "run", "all", "--data", data, "--probes", old, "--date", "20180301")
	first := filepath.Join(data, "lake", "main_summary", "v4", "submission_date_obj=20180301")
	before := hashes(t, first)

	checkDiff(t, old, added)
	if out := mustCall(t, "run", "all", "--data", data, "--probes", added, "--from", "20180301", "--to", "20180302"); !strings.Contains(out, "current") {
		t.Errorf("run of both days: %s", out)
	}
	if !maps.Equal(hashes(t, first), before) {
		t.Error("the first day was made again")
	}
	if out := mustCall(t, "run", "all", "--data", data, "--probes", added, "--from", "20180301", "--to", "20180302"); !strings.Contains(out, "nothing to do") {
		t.Errorf("run of both days again: %s", out)
	}
	out := mustCall(t, "status", "--data", data, "--probes", added, "--from", "20180301", "--to", "20180302")
	if !strings.Contains(out, "older columns main_summary 20180301:") || strings.Contains(out, "stale") {
		t.Errorf("status: %s", out)
	}

	names, row1, row2 := columnValues()
	list := "CAST(" + strings.Join(names, " AS VARCHAR), CAST(") + " AS VARCHAR)"
	query := "SELECT DISTINCT submission_date_obj, " + list + " FROM main_summary ORDER BY 1"
	want := [][]string{append([]string{"20180301"}, row1...), append([]string{"20180302"}, row2...)}
	ddl := mustCall(t, "schema", "main_summary", "--format", "duckdb", "--probes", added)
	ddl = strings.ReplaceAll(ddl, "{storage_root}", filepath.Join(data, "lake"))
	if got := plainDuckDB(t, ddl, query); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("plain DuckDB: %q, want %q", got, want)
	}
	listing := "FROM read_parquet('" + filepath.Join(data, "lake", "main_summary", "v4", "**", "*.parquet") + "', union_by_name = true, hive_partitioning = true, " +
		"hive_types = {'submission_date_obj': VARCHAR})"
	if got := plainDuckDB(t, "SELECT 1", strings.Replace(query, "FROM main_summary", listing, 1)); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the folder read by plain DuckDB: %q, want %q", got, want)
	}
	records, err := csv.NewReader(strings.NewReader(mustCall(t, "query", "--data", data, "--probes", added, "--format", "csv", query))).ReadAll()
	if err != nil || len(records) == 0 || !slices.EqualFunc(records[1:], want, slices.Equal) {
		t.Errorf("query: %q, %v, want %q", records, err, want)
	}
	checkForeignReader(t, data)
	checkUnion(t, old, added)

	mustCall(t, "run", "main_summary", "--data", data, "--probes", added, "--date", "20180301", "--force", "--downstream")
	if got := plainDuckDB(t, ddl, query); !slices.Equal(got[0][1:], row2) {
		t.Errorf("the first day made again: %q, want %q", got[0][1:], row2)
	}
	if out := mustCall(t, "status", "--data", data, "--probes", added, "--from", "20180301", "--to", "20180302"); strings.Contains(out, "older") {
		t.Errorf("status in the end: %s", out)
	}
}

// plainDuckDB runs a query after a statement, and gives its rows, nulls as "".
func plainDuckDB(t *testing.T, before, query string) (all [][]string) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(columns))
		for i, v := range values {
			row[i] = v.String
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// checkForeignReader finds the files of both days as readers of Hive-style
// folders do, and reads every row by the names that the newer ones have: the
// columns that the older ones lack are null there.
func checkForeignReader(t *testing.T, data string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(data, "lake", "main_summary", "v4", "submission_date_obj=*", "sample_id=*", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	newest := parquetFile(t, paths[len(paths)-1]).Schema()
	for _, path := range paths {
		day := strings.Split(path, "submission_date_obj=")[1][:8]
		f := parquetFile(t, path)
		conversion, err := parquet.Convert(newest, f.Schema())
		if err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
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
		for _, c := range keptColumns {
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
		kept := slices.DeleteFunc(slices.Clone(after), func(n string) bool { return !slices.Contains(before, n) })
		if len(after) != len(before)+len(addedColumns) || !slices.Equal(kept, before) {
			t.Errorf("%s: %d columns before, %d after, %d of those before", engine, len(before), len(after), len(kept))
		}
	}
}

// TestColumnOfAnotherType: a probe that becomes another type is refused with the
// reason, also by --diff, until the table gets another version, which lies beside
// the old one.
func TestColumnOfAnotherType(t *testing.T) {
	data, old := columnDays(t), writeFolder(t, oldProbes)
	mustCall(t, "run", "all", "--data", data, "--probes", old, "--from", "20180301", "--to", "20180301")
	other := maps.Clone(oldProbes)
	other["Scalars.yaml"] = "s:\n  old: {kind: string, record_in_processes: [main], description: d}\n"
	dir := writeFolder(t, other)
	for _, args := range [][]string{
		{"run", "all", "--data", data, "--probes", dir, "--date", "20180302"},
		{"run", "clients_daily", "--data", data, "--probes", dir, "--date", "20180301", "--force"},
		{"run", "main_summary", "--data", data, "--probes", dir, "--date", "20180302", "--plan"},
		{"schema", "--probes", old, "--diff", dir},
		{"schema", "main_summary", "--probes", old, "--diff", dir},
	} {
		code, _, errs := call(nil, args...)
		if code != 1 || !strings.Contains(errs, "column scalar_parent_s_old") || !strings.Contains(errs, "int") ||
			!strings.Contains(errs, "would become string") || !strings.Contains(errs, "table_version") {
			t.Errorf("pingmill %s: exit %d, %s", strings.Join(args, " "), code, errs)
		}
	}
	mustCall(t, "run", "crash_summary", "--data", data, "--probes", dir, "--date", "20180302") // has nothing to do with it
	mustCall(t, "schema", "crash_summary", "--probes", old, "--diff", dir)

	v4 := filepath.Join(data, "lake", "main_summary", "v4")
	before := hashes(t, v4)
	other["main_summary.yaml"] = strings.Replace(oldProbes["main_summary.yaml"], "{", "{table_version: v5, ", 1)
	dir = writeFolder(t, other)
	if out := mustCall(t, "schema", "--probes", old, "--diff", dir); !strings.Contains(out, "main_summary v4 becomes v5") {
		t.Errorf("schema --diff with another version: %s", out)
	}
	mustCall(t, "run", "all", "--data", data, "--probes", dir, "--from", "20180301", "--to", "20180302")
	if !maps.Equal(hashes(t, v4), before) {
		t.Error("the old version changed")
	}
	beside, err := filepath.Glob(filepath.Join(data, "lake", "main_summary", "*", "submission_date_obj=*"))
	for i := range beside {
		beside[i], _ = filepath.Rel(filepath.Join(data, "lake", "main_summary"), beside[i])
	}
	if want := []string{"v4/submission_date_obj=20180301", "v5/submission_date_obj=20180301", "v5/submission_date_obj=20180302"}; err != nil || !slices.Equal(beside, want) {
		t.Errorf("the partitions are %q, %v, want %q", beside, err, want)
	}
	out := mustCall(t, "query", "--data", data, "--probes", dir, "--format", "csv",
		"SELECT submission_date_obj, count(*), any_value(typeof(scalar_parent_s_old)) FROM main_summary_v5 GROUP BY 1 ORDER BY 1")
	if !strings.Contains(out, "20180301,20,VARCHAR") || !strings.Contains(out, "20180302,20,VARCHAR") {
		t.Errorf("the new version: %s", out)
	}
	if out := mustCall(t, "query", "--data", data, "--probes", old, "--format", "csv", "SELECT count(scalar_parent_s_old) FROM main_summary_v4"); !strings.Contains(out, "20") {
		t.Errorf("the old version: %s", out)
	}
}

func TestSchemaDiffCalls(t *testing.T) {
	old := writeFolder(t, oldProbes)
	if out := mustCall(t, "schema", "--probes", old, "--diff", old); !strings.Contains(out, "no column changes") {
		t.Errorf("with itself: %s", out)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{"schema"}},
		{2, []string{"schema", "nothing", "--diff", old}},
		{1, []string{"schema", "--diff", filepath.Join(old, "none")}},
		{1, []string{"schema", "--probes", filepath.Join(old, "none"), "--diff", old}},
	} {
		if code, _, errs := call(nil, c.args...); code != c.code {
			t.Errorf("%v: exit %d: %s", c.args, code, errs)
		}
	}
}
