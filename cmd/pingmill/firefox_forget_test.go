package main

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema/glean"
)

// pingsByTable returns the document ids of captured Glean pings by the table that has them, without those whose documents
// have one of the ids.
func pingsByTable(t *testing.T, lines [][]byte, ids ...string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, line := range lines {
		var s struct{ URI string }
		require.NoError(t, json.Unmarshal(line, &s))
		part := strings.Split(s.URI, "/") // "", submit, application, ping, version, document id
		table := glean.TableName(part[2], part[3])
		body := firefoxBody(t, line)
		if !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(body, id) }) {
			all[table] = append(all[table], part[5])
		}
	}
	for _, documents := range all {
		slices.Sort(documents)
	}
	return all
}

// queriedPings returns the document ids of all rows by table.
func queriedPings(t *testing.T, data string, tables []string) map[string][]string {
	t.Helper()
	var parts []string
	for _, name := range tables {
		parts = append(parts, "SELECT '"+name+"' AS name, document_id FROM "+name+" WHERE submission_date BETWEEN '2026-11-21' AND '2026-11-22'")
	}
	sql := strings.Join(parts, " UNION ALL ") + " ORDER BY 1, 2"
	all := map[string][]string{}
	rows := bufio.NewScanner(strings.NewReader(mustCall(t, "query", "--data", data, "--format", "ndjson", sql)))
	for rows.Scan() {
		var row struct{ Name, Document_id string } //nolint:revive // the name of the column
		require.NoError(t, json.Unmarshal(rows.Bytes(), &row))
		all[row.Name] = append(all[row.Name], row.Document_id)
	}
	return all
}

// TestForgetGlean forgets a Glean client id, a client id of legacy telemetry and an id of usage reports, and looks for
// them in all rows and files of the tables of Glean pings.
func TestForgetGlean(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	_, lines := firefoxLines(t, "glean.ndjson")
	mustCall(t, "load", "--data", data, "--definitions", "firefox", writeLines(t, "glean.ndjson", lines...))
	want := pingsByTable(t, lines)
	var tables []string
	for name := range want {
		tables = append(tables, name)
	}
	slices.Sort(tables)
	for _, name := range tables {
		mustCall(t, "run", name, "--from", "20261121", "--to", "20261122", "--data", data, "--definitions", "firefox")
	}
	require.Equal(t, want, queriedPings(t, data, tables))
	for _, name := range []string{"events_stream", "baseline_clients_last_seen", "usage_reporting_clients_first_seen",
		"usage_reporting_clients_last_seen"} {
		mustCall(t, "run", "firefox_desktop_"+name, "--from", "20261121", "--to", "20261122", "--data", data, "--definitions", "firefox")
	}

	const client, legacy, usage = "e5380517-0fbf-4768-a4d0-9fb23b14efd1", "5da1c1be-c8cc-460d-bc35-9020b9f03772",
		"c6b72168-de43-4c1e-9b40-61a5df9d3fd6"
	left := want
	for n, id := range []string{usage, legacy, client} {
		require.NotEmpty(t, filesWith(t, filepath.Join(data, "lake"), id), id)
		mustCall(t, "delete", "--client-id", id, "--data", data)
		ids := []string{usage, legacy, client}[:n+1]
		after := pingsByTable(t, lines, ids...)
		require.NotEqual(t, left, after, "%s is nowhere", id)
		require.Equal(t, after, queriedPings(t, data, tables), "before the removal of %s", id)
		left = after
	}
	mustCall(t, "delete", "--now", "--data", data)
	require.Empty(t, filesWith(t, data, usage, legacy, client))
	require.Equal(t, left, queriedPings(t, data, tables))
	out := mustCall(t, "run", "firefox_desktop_baseline_clients_last_seen", "--from", "20261121", "--to", "20261122", "--data", data)
	require.Contains(t, out, "nothing to do: all 8 partitions are current")
}
