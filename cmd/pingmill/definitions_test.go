package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pingmill/pingmill/schema/glean"
)

// TestInferDefinitions infers the definitions of captured pings, which are the known ones. With them every captured ping is in a
// table, and every part of it has a column.
func TestInferDefinitions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, defs := filepath.Join(dir, "data"), filepath.Join(dir, "definitions")
	_, lines := firefoxLines(t, "glean.ndjson")
	pings := writeLines(t, "glean.ndjson", lines...)
	mustCall(t, "load", "--data", data, pings)
	require.Contains(t, mustCall(t, "definitions", "infer", "--data", data, "--output", defs), "definitions of 203 pings\n")
	code, _, errs := call(nil, "definitions", "infer", "--data", data, "--output", defs)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "metrics.yaml is there already")
	same := filepath.Join(dir, "same")
	mustCall(t, "definitions", "infer", pings, "--output", same)
	for _, name := range []string{"metrics.yaml", "pings.yaml"} {
		require.Equal(t, readText(t, defs, "firefox-desktop", name), readText(t, same, "firefox-desktop", name))
	}

	_, err := glean.Read(defs)
	require.NoError(t, err)
	var want []string
	for line := range strings.Lines(readText(t, firefoxData, "inferred.txt")) {
		if !strings.HasPrefix(line, "#") {
			want = append(want, strings.TrimSpace(line))
		}
	}
	slices.Sort(want)
	require.Equal(t, want, inferredLines(t, filepath.Join(defs, "firefox-desktop")))

	documents := pingsByTable(t, lines)
	var tables, parts []string
	for name := range documents {
		tables = append(tables, name)
		parts = append(parts, "SELECT count(*) AS n, count(additional_properties) AS rest FROM "+name+
			" WHERE submission_date BETWEEN '2026-11-21' AND '2026-11-22'")
		mustCall(t, "run", name, "--from", "20261121", "--to", "20261122", "--data", data, "--definitions", defs)
	}
	slices.Sort(tables)
	require.Equal(t, documents, queriedPings(t, data, tables))
	require.Equal(t, "{\"n\":203,\"rest\":0}\n", mustCall(t, "query", "--data", data, "--format", "ndjson",
		"SELECT sum(n) AS n, sum(rest) AS rest FROM ("+strings.Join(parts, " UNION ALL ")+") t"))
	equalGleanRows(t, data)
}

func readText(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// inferredLines returns the definitions of a folder as testdata/firefox/inferred.txt has them.
func inferredLines(t *testing.T, dir string) (lines []string) {
	t.Helper()
	var metrics map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(readText(t, dir, "metrics.yaml")), &metrics))
	for category, byName := range metrics {
		names, _ := byName.(map[string]any)
		for name, m := range names {
			m, _ := m.(map[string]any)
			extra, _ := m["extra_keys"].(map[string]any)
			pings, _ := m["send_in_pings"].([]any)
			keys := slices.Sorted(maps.Keys(extra))
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s.%s %s | %s | %s", category, name, m["type"],
				strings.Trim(fmt.Sprint(pings), "[]"), strings.Join(keys, " "))))
		}
	}
	var pings map[string]struct {
		ID       bool `yaml:"include_client_id"`
		Metadata struct {
			Info *bool `yaml:"include_info_sections"`
		}
	}
	text := readText(t, dir, "pings.yaml")
	require.NoError(t, yaml.Unmarshal([]byte(text[strings.IndexByte(text, '\n'):]), &pings)) // without $schema
	for name, p := range pings {
		lines = append(lines, fmt.Sprintf("ping %s %v %v", name, p.ID, p.Metadata.Info == nil || *p.Metadata.Info))
	}
	slices.Sort(lines)
	return lines
}
