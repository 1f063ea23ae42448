package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenericTables: with glean.unknown: generic every ping without definitions is in a table, which other commands know
// without the setting, and from which forgotten clients go.
func TestGenericTables(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	_, lines := firefoxLines(t, "glean.ndjson")
	mustCall(t, "load", "--data", data, writeLines(t, "glean.ndjson", lines...))
	want := pingsByTable(t, lines)
	var tables []string
	for name := range want {
		tables = append(tables, name)
	}
	slices.Sort(tables)
	code, _, errs := call(nil, "run", tables[0], "--date", "20261121", "--data", data)
	require.Equal(t, 64, code, errs)
	for _, name := range tables {
		mustCall(t, "run", name, "--from", "20261121", "--to", "20261122", "--data", data, "--glean-unknown", "generic")
	}
	require.Equal(t, want, queriedPings(t, data, tables))
	rest := mustCall(t, "query", "--data", data, "--format", "ndjson",
		"SELECT additional_properties FROM firefox_desktop_newtab WHERE submission_date BETWEEN '2026-11-21' AND '2026-11-22'")
	require.Equal(t, len(want["firefox_desktop_newtab"]), strings.Count(rest, `\"metrics\":{`), rest)
	require.NotContains(t, rest, "client_info")

	const client = "e5380517-0fbf-4768-a4d0-9fb23b14efd1"
	mustCall(t, "delete", "--client-id", client, "--now", "--data", data)
	require.Empty(t, filesWith(t, data, client))
	require.Equal(t, pingsByTable(t, lines, client), queriedPings(t, data, tables))
}
