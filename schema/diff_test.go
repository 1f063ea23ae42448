package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// probesWith loads the default probes with some files replaced.
func probesWith(t *testing.T, files map[string]string) *Probes {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	p, err := LoadProbes(dir)
	require.NoError(t, err)
	return p
}

const (
	diffList = `{user_prefs: [{name: a.b, type: integer}, {name: gone, type: string}], histogram_whitelist: [H, E]}`
	newList  = `{user_prefs: [{name: a.b, type: boolean}, {name: new, type: boolean}], histogram_whitelist: [H, E, K]}`

	diffHistograms = `{
		"H": {"kind": "categorical", "labels": ["a", "b"], "record_in_processes": ["main"]},
		"E": {"kind": "enumerated", "n_values": 5, "record_in_processes": ["main"]}}`
	newHistograms = `{
		"H": {"kind": "categorical", "labels": ["a", "b", "c"], "record_in_processes": ["main"]},
		"E": {"kind": "enumerated", "n_values": 9, "keyed": true, "record_in_processes": ["main"]},
		"K": {"kind": "boolean", "record_in_processes": ["content"]}}`
)

func TestDiff(t *testing.T) {
	before := probesWith(t, map[string]string{
		"main_summary.yaml": diffList, "Histograms.json": diffHistograms,
		"Scalars.yaml": "s:\n  one: {kind: uint, record_in_processes: [main], description: old}\n",
		"AddonScalars.yaml": "x:\n  a: {kind: uint, record_in_processes: [dynamic], description: d}\n  b: {kind: string, " +
			"record_in_processes: [dynamic], description: d}\n",
	})
	after := probesWith(t, map[string]string{
		"main_summary.yaml": newList, "Histograms.json": newHistograms,
		"Scalars.yaml": "s:\n  one: {kind: uint, record_in_processes: [main, content], description: new}\n",
		"AddonScalars.yaml": "x:\n  a: {kind: boolean, keyed: true, record_in_processes: [dynamic], description: d}\n  c: {kind: uint, " +
			"record_in_processes: [dynamic], description: d}\n",
	})
	var got []string
	changes := Diff(MainSummary(before).Columns, MainSummary(after).Columns)
	for _, c := range append(changes, DiffAddonScalars(before, after)...) {
		got = append(got, c.String())
	}
	want := []string{
		"! user_pref_a_b int becomes boolean",
		"- user_pref_gone string",
		"! histogram_parent_e map<int,int> becomes map<string,map<int,int>>",
		"~ histogram_parent_h: H categorical a,b becomes H categorical a,b,c",
		"+ user_pref_new boolean",
		"+ scalar_content_s_one int",
		"+ histogram_content_k map<int,int>",
		"~ addon scalar x_a: in uint_addon_scalars becomes in keyed_boolean_addon_scalars",
		"- addon scalar x_b in string_addon_scalars",
		"+ addon scalar x_c in uint_addon_scalars",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := Retypings(changes); len(r) != 2 || len(changes) != 7 {
		t.Errorf("retypings: %v of %d", r, len(changes))
	}
	if same := Diff(MainSummary(before).Columns, MainSummary(before).Columns); len(same) != 0 {
		t.Errorf("with itself: %v", same)
	}
}

// TestSearchSources adds columns to clients_daily after all others but the partition key.
func TestSearchSources(t *testing.T) {
	p := probesWith(t, map[string]string{"main_summary.yaml": "search_sources: [urlbar-handoff, webextension]\n"})
	usual, err := LoadProbes("")
	require.NoError(t, err)
	require.NotEqual(t, usual.Hash(), p.Hash())
	before, err := NewSet(usual).Find("clients_daily")
	require.NoError(t, err)
	now, err := NewSet(p).Find("clients_daily")
	require.NoError(t, err)
	last := len(before.Columns) - 1
	require.Equal(t, before.Columns[:last], now.Columns[:last])
	var names []string
	for _, c := range now.Columns[last:] {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{"search_count_urlbar_handoff", "search_count_webextension", "search_count_other", "search_count_sap_all",
		"submission_date_obj"}, names)
	require.Equal(t, before.Columns, now.Fixed())
	require.Equal(t, FromProbes, now.Made)
	require.Empty(t, before.Made)
}

func TestTableVersion(t *testing.T) {
	p := probesWith(t, map[string]string{"main_summary.yaml": "table_version: v5\n"})
	usual, err := LoadProbes("")
	require.NoError(t, err)
	if got := MainSummary(p).Prefix(); got != "main_summary/v5" {
		t.Errorf("with a version: %s", got)
	}
	if got := MainSummary(usual).Prefix(); got != "main_summary/v4" {
		t.Errorf("without: %s", got)
	}
	if p.Hash() != usual.Hash() {
		t.Error("the version counts in the hash of the probes")
	}
}
