package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTablesInSchemas: a Glean table has a name in the schema of its application, in both dialects.
func TestTablesInSchemas(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	_, lines := firefoxLines(t, "glean.ndjson")
	mustCall(t, "load", "--data", data, writeLines(t, "glean.ndjson", lines...))
	mustCall(t, "run", "firefox_desktop_baseline", "--date", "20261121", "--data", data, "--definitions", "firefox")
	const where = " WHERE submission_date = '2026-11-21'"
	for _, dialect := range []string{"presto", "duckdb"} {
		query := func(sql string) (int, string, string) {
			return call(nil, "query", "--data", data, "--definitions", "firefox", "--dialect", dialect, "--format", "ndjson", sql)
		}
		_, want, _ := query("SELECT count(*) AS n FROM firefox_desktop_baseline" + where)
		require.NotContains(t, want, `:0`)
		for _, name := range []string{"firefox_desktop.baseline", `Firefox_Desktop."baseline"`} {
			code, got, errs := query("SELECT count(*) AS n FROM " + name + where)
			require.Zero(t, code, "%s: %s: %s", dialect, name, errs)
			require.Equal(t, want, got, "%s: %s", dialect, name)
		}
		for _, name := range []string{"firefox_desktop.nothing", "other.baseline", "firefox_desktop.firefox_desktop_baseline"} {
			code, _, errs := query("SELECT count(*) AS n FROM " + name)
			require.NotZero(t, code, "%s: %s", dialect, name)
			require.NotContains(t, strings.ToLower(errs), "panic")
		}
	}
}
