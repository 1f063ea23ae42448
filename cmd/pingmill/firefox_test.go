package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

const firefoxData = "testdata/firefox/"

// firefoxLines returns the captured submissions of a file: those by which clients ask to be forgotten, and the others.
func firefoxLines(t *testing.T, name string) (requests, others [][]byte) {
	t.Helper()
	content, err := os.ReadFile(firefoxData + name)
	require.NoError(t, err)
	for line := range bytes.Lines(content) {
		if bytes.Contains(line, []byte("/deletion-request/")) {
			requests = append(requests, line)
		} else {
			others = append(others, line)
		}
	}
	return requests, others
}

// firefoxBody returns the document of a submission.
func firefoxBody(t *testing.T, line []byte) string {
	t.Helper()
	var s struct{ Body string }
	require.NoError(t, json.Unmarshal(line, &s))
	packed, err := base64.StdEncoding.DecodeString(s.Body)
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	body, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(body)
}

func writeLines(t *testing.T, name string, lines ...[]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, bytes.Join(lines, nil), 0o600))
	return path
}

// expectedTables are the tables whose rows testdata/firefox/expect.py computes.
var expectedTables = []string{
	"main_summary", "addons", "clients_daily", "search_clients_daily", "crash_summary", "telemetry_new_profile_parquet",
	"telemetry_update_parquet",
}

// expectedRows returns the rows by table that were computed from the pings by another program
// (testdata/firefox/expect.py).
func expectedRows(t *testing.T) map[string][]map[string]any {
	t.Helper()
	return rowsByTable(t, "expected.ndjson")
}

// rowsByTable reads lines of a table's name and a row.
func rowsByTable(t *testing.T, name string) map[string][]map[string]any {
	t.Helper()
	f, err := os.Open(firefoxData + name)
	require.NoError(t, err)
	defer f.Close()
	rows := map[string][]map[string]any{}
	d := json.NewDecoder(bufio.NewReader(f))
	d.UseNumber()
	for d.More() {
		var line struct {
			Table string
			Row   map[string]any
		}
		require.NoError(t, d.Decode(&line))
		rows[line.Table] = append(rows[line.Table], line.Row)
	}
	return rows
}

// queriedRows reads all rows of a table with DuckDB, without null columns.
func queriedRows(t *testing.T, data string, st *schema.Table) (rows []map[string]any) {
	t.Helper()
	day := func(day string) string { return "'" + st.PartitionValue(day) + "'" }
	sql := fmt.Sprintf("SELECT * FROM %s WHERE %s BETWEEN %s AND %s", st.Name, st.PartitionKeys[0], day("20261121"), day("20261122"))
	d := json.NewDecoder(strings.NewReader(mustCall(t, "query", "--data", data, "--format", "ndjson", sql)))
	d.UseNumber()
	for d.More() {
		var row map[string]any
		require.NoError(t, d.Decode(&row))
		maps.DeleteFunc(row, func(_ string, v any) bool { return v == nil })
		rows = append(rows, row)
	}
	return rows
}

// rowKey names a row of any table.
func rowKey(row map[string]any) string {
	var key []any
	for _, c := range []string{"submission_date_obj", "submission", "client_id", "document_id", "id", "addon_id", "engine", "source"} {
		key = append(key, row[c])
	}
	return fmt.Sprint(key...)
}

// equalRows compares rows in any order.
func equalRows(t *testing.T, table string, got, want []map[string]any) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d", table, len(got), len(want))
		return
	}
	for _, rows := range [][]map[string]any{got, want} {
		slices.SortFunc(rows, func(x, y map[string]any) int { return cmp.Compare(rowKey(x), rowKey(y)) })
	}
	for i := range want {
		if where := differs(got[i], want[i]); where != "" {
			t.Errorf("%s: row %s differs in %s", table, rowKey(want[i]), where)
		}
	}
}

// differs returns where two JSON values differ; numbers with a fraction may in the last digits.
func differs(got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		all := maps.Clone(got)
		maps.Copy(all, want)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if where := differs(got[name], want[name]); where != "" {
				return name + "/" + where
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			break
		}
		for i := range want {
			if where := differs(got[i], want[i]); where != "" {
				return fmt.Sprintf("%d/%s", i, where)
			}
		}
		return ""
	case json.Number:
		number, _ := got.(json.Number)
		x, err := number.Float64()
		y, _ := want.Float64()
		if number == want || err == nil && math.Abs(x-y) <= 1e-9 && strings.ContainsAny(string(number+want), ".e") {
			return ""
		}
	}
	if got == want {
		return ""
	}
	return fmt.Sprintf(": got %v, want %v", got, want)
}

// countedPings counts the pings of the archive by namespace.
func countedPings(t *testing.T, data string) (telemetry, others int64) {
	t.Helper()
	b, err := store.OpenLocal(filepath.Join(data, "archive"))
	require.NoError(t, err)
	days, err := archive.Days(context.Background(), b)
	require.NoError(t, err)
	for _, d := range days {
		if strings.Contains(string(d.DocType), "/") {
			others += d.Rows
		} else {
			telemetry += d.Rows
		}
	}
	return telemetry, others
}

// TestFirefox takes the pings of a real Firefox from files to all tables, and
// compares every cell of every row with what another program made of them. Then
// two clients ask to be forgotten, each by telemetry and by Glean.
func TestFirefox(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	requests, legacy := firefoxLines(t, "legacy.ndjson")
	gleanRequests, glean := firefoxLines(t, "glean.ndjson")
	mustCall(t, "load", "--data", data, writeLines(t, "legacy.ndjson", legacy...), writeLines(t, "glean.ndjson", glean...))
	if telemetry, others := countedPings(t, data); telemetry != 54 || others != 203 {
		t.Errorf("the archive has %d and %d pings of 54 and 203: %s", telemetry, others, mustCall(t, "errors", "--data", data))
	}
	mustCall(t, "run", "all", "--from", "20261121", "--to", "20261122", "--data", data)
	want := expectedRows(t)
	tables := slices.DeleteFunc(schema.NewSet(&schema.Probes{}).Tables,
		func(st *schema.Table) bool { return !slices.Contains(expectedTables, st.Name) })
	require.Len(t, tables, len(expectedTables))
	for _, st := range tables {
		equalRows(t, st.Name, queriedRows(t, data, st), want[st.Name])
	}

	mustCall(t, "load", "--data", data, writeLines(t, "requests.ndjson", slices.Concat(requests, gleanRequests)...))
	ids := []string{
		"bfa6651e-c8e2-459b-b4c9-af9274711171", "44f8f368-3219-41d5-b94a-9ff2cf3b6c63",
		"86a34ab4-d3c7-467d-98de-8c11496af418", "4888b556-72b2-4eaa-89d8-6effaba1f5b3",
	}
	forgotten := func(text string) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(text, id) })
	}
	for _, st := range tables {
		left := slices.DeleteFunc(want[st.Name], func(row map[string]any) bool { return forgotten(fmt.Sprint(row["client_id"])) })
		equalRows(t, st.Name+" without the forgotten", queriedRows(t, data, st), left)
	}
	for _, id := range ids {
		require.NotEmpty(t, filesWith(t, data, id), id)
	}
	mustCall(t, "delete", "--now", "--data", data)
	require.Empty(t, filesWith(t, data, ids...))
	left := [2]int64{}
	for i, lines := range [][][]byte{legacy, glean} {
		for _, line := range lines {
			if !forgotten(firefoxBody(t, line)) {
				left[i]++
			}
		}
	}
	if telemetry, others := countedPings(t, data); telemetry != left[0] || others != left[1] || left[0] == 54 || left[1] == 203 {
		t.Errorf("the archive has %d and %d pings, want %v", telemetry, others, left)
	}
}
