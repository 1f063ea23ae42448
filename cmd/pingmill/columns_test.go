package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeFolder makes a folder with files.
func writeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
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
			lines = append(lines, fmt.Sprintf(
				`{"meta":{"documentId":"d%d-%d","docType":"main","appName":"Firefox","sourceVersion":"4","clientId":"c%d",`+
					`"submissionDate":"2018030%d","timestamp":%d},"ping":%s}`, day, i, i, 1+day, 1519862400000000000+int64(day)*86400e9+int64(i), ping))
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "pings.ndjson")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
	data = filepath.Join(dir, "data")
	mustCall(t, "load", "--data", data, file)
	return data
}

// hashes returns the files below a folder.
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
	require.NoError(t, err)
	return all
}

// columnValues returns the names of the looked at columns and what every row has in them, by day, nulls as "".
func columnValues() (names, row1, row2 []string) {
	for _, c := range addedColumns {
		names, row1, row2 = append(names, c.name), append(row1, ""), append(row2, c.value)
	}
	for _, c := range unchangedColumns {
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
	t.Parallel()
	data, old, added := columnDays(t), writeFolder(t, oldProbes), writeFolder(t, newProbes)
	mustCall(t, "run", "all", "--data", data, "--probes", old, "--date", "20180301")
	first := filepath.Join(data, "lake", "main_summary", "v4", "submission_date_obj=20180301")
	before := hashes(t, first)

	checkDiff(t, old, added)
	if out := mustCall(t, "run", "all", "--data", data, "--probes", added, "--from", "20180301", "--to", "20180302"); !strings.Contains(out,
		"current") {
		t.Errorf("run of both days: %s", out)
	}
	if !maps.Equal(hashes(t, first), before) {
		t.Error("the first day was made again")
	}
	if out := mustCall(t, "run", "all", "--data", data, "--probes", added, "--from", "20180301", "--to", "20180302"); !strings.Contains(out,
		"nothing to do") {
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
	listing := "FROM read_parquet('" + filepath.Join(data, "lake", "main_summary", "v4", "**", "*.parquet") +
		"', union_by_name = true, hive_partitioning = true, " +
		"hive_types = {'submission_date_obj': VARCHAR})"
	if got := plainDuckDB(t, "SELECT 1", strings.Replace(query, "FROM main_summary", listing, 1)); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the folder read by plain DuckDB: %q, want %q", got, want)
	}
	records, err := csv.NewReader(
		strings.NewReader(mustCall(t, "query", "--dialect", "duckdb", "--data", data, "--probes", added, "--format", "csv", query))).ReadAll()
	if err != nil || len(records) == 0 || !slices.EqualFunc(records[1:], want, slices.Equal) {
		t.Errorf("query: %q, %v, want %q", records, err, want)
	}
	checkForeignReader(t, data)
	checkUnion(t, old, added)

	mustCall(t, "run", "main_summary", "--data", data, "--probes", added, "--date", "20180301", "--force", "--downstream")
	if got := plainDuckDB(t, ddl, query); !slices.Equal(got[0][1:], row2) {
		t.Errorf("the first day made again: %q, want %q", got[0][1:], row2)
	}
	if out := mustCall(t, "status", "--data", data, "--probes", added, "--from", "20180301", "--to", "20180302"); strings.Contains(out,
		"older") {
		t.Errorf("status in the end: %s", out)
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
	if want := []string{"v4/submission_date_obj=20180301", "v5/submission_date_obj=20180301", "v5/submission_date_obj=20180302"}; err != nil ||
		!slices.Equal(beside, want) {
		t.Errorf("the partitions are %q, %v, want %q", beside, err, want)
	}
	out := mustCall(t, "query", "--data", data, "--probes", dir, "--format", "csv",
		"SELECT submission_date_obj, count(*), any_value(typeof(scalar_parent_s_old)) FROM main_summary_v5 GROUP BY 1 ORDER BY 1")
	if !strings.Contains(out, "20180301,20,varchar") || !strings.Contains(out, "20180302,20,varchar") {
		t.Errorf("the new version: %s", out)
	}
	if out := mustCall(t, "query", "--data", data, "--probes", old, "--format", "csv",
		"SELECT count(scalar_parent_s_old) FROM main_summary_v4"); !strings.Contains(out, "20") {
		t.Errorf("the old version: %s", out)
	}
}
