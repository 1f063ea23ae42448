package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rowsFrom returns the rows of a table that transform makes of lines with a text.
func rowsFrom(t *testing.T, table, lines, with string, flags ...string) (rows []map[string]any) {
	t.Helper()
	var in strings.Builder
	for line := range strings.Lines(lines) {
		if strings.Contains(line, with) {
			in.WriteString(line)
		}
	}
	code, out, errs := call(strings.NewReader(in.String()), append([]string{"transform", table}, flags...)...)
	require.Zero(t, code, errs)
	d := json.NewDecoder(strings.NewReader(out))
	for d.More() {
		var row map[string]any
		require.NoError(t, d.Decode(&row))
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

const (
	mainPings  = `"docType":"main"`
	eventPings = `"docType":"event"`
)

// filled returns the columns that have a value other than an empty map in any of the rows.
func filled(rows []map[string]any) map[string]bool {
	has := map[string]bool{}
	for _, row := range rows {
		for name, v := range row {
			if m, is := v.(map[string]any); v != nil && (!is || len(m) > 0) {
				has[name] = true
			}
		}
	}
	return has
}

// TestFirefoxProbes counts the columns that captured main pings of a Firefox of 2026 fill with both embedded sets of
// probe definitions, and the rows of its event pings.
func TestFirefoxProbes(t *testing.T) {
	_, others := firefoxLines(t, "legacy.ndjson")
	var lines strings.Builder
	for _, line := range others {
		lines.Write(line)
	}
	code, pings, errs := call(strings.NewReader(lines.String()), "decode")
	require.Zero(t, code, errs)

	before := rowsFrom(t, "main_summary", pings, mainPings)
	now := rowsFrom(t, "main_summary", pings, mainPings, "--probes", "firefox")
	require.Len(t, before, 26)
	require.Len(t, now, 26)
	require.Equal(t, []int{113, 475}, []int{len(filled(before)), len(before[0])})
	require.Equal(t, []int{284, 1120}, []int{len(filled(now)), len(now[0])})

	daily := rowsFrom(t, "clients_daily", rowLines(t, now), "", "--probes", "firefox")
	for _, name := range []string{"search_count_urlbar_handoff", "search_count_urlbar_searchmode", "search_count_webextension"} {
		require.True(t, filled(daily)[name], name)
	}

	events := rowsFrom(t, "event_events", pings, eventPings)
	require.Len(t, events, 94)
	documents := map[any]bool{}
	for _, row := range events {
		documents[row["document_id"]] = true
		require.Equal(t, "parent", row["event_process"])
		require.NotNil(t, row["client_id"])
		require.NotNil(t, row["session_start_time"])
	}
	require.Len(t, documents, 18)
}

// rowLines writes rows as transform reads them.
func rowLines(t *testing.T, rows []map[string]any) string {
	t.Helper()
	var lines strings.Builder
	for _, row := range rows {
		b, err := json.Marshal(row)
		require.NoError(t, err)
		lines.Write(append(b, '\n'))
	}
	return lines.String()
}

// TestCurrentPings makes tables of the generated pings of a browser of 2026.
func TestCurrentPings(t *testing.T) {
	pings := mustCall(t, "generate", "--start", "20261118", "--days", "1", "--clients", "150", "--mean-bytes", "24000", "--damaged", "-1",
		"--probes", "firefox", "--form", "pings")
	main := filled(rowsFrom(t, "main_summary", pings, mainPings, "--probes", "firefox"))
	for _, name := range []string{
		"scalar_parent_policies_count", "scalar_socket_power_total_cpu_time_ms", "scalar_utility_power_total_thread_wakeups",
		"histogram_parent_page_load_error", "histogram_content_script_preloader_requests", "search_counts", "active_ticks", "first_paint",
	} {
		require.True(t, main[name], name)
	}
	for _, name := range []string{"telemetry_enabled", "active_experiment_id", "flash_version", "events"} {
		require.False(t, main[name], name)
	}
	events := rowsFrom(t, "event_events", pings, eventPings)
	require.Greater(t, len(events), 1000)
	has := filled(events)
	for name := range events[0] {
		require.True(t, has[name], name)
	}
}
