package schema

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFirefoxProbes compares the definitions of a Firefox of 2026 with what main pings of version 153 have.
func TestFirefoxProbes(t *testing.T) {
	p, err := LoadProbes(FirefoxProbes)
	require.NoError(t, err)
	usual, err := LoadProbes("")
	require.NoError(t, err)
	require.NotEqual(t, usual.Hash(), p.Hash())
	require.Equal(t, usual.AddonScalars, p.AddonScalars)
	columns := probeColumns(p)
	require.Len(t, slices.Compact(slices.Clone(columns)), len(columns), "a column is there twice")

	without := map[string]string{}
	for _, c := range p.Columnless {
		require.Equal(t, "a histogram of kind count", c.Why, c.Name)
		without[c.Name] = c.Why
	}
	// Their labels are not known.
	undefined := []string{"BFCACHE_COMBO", "REL_PRELOAD_MISS_RATIO", "HTTP_TRAFFIC_ANALYSIS_3"}
	b, err := os.ReadFile("testdata/firefox_153.txt")
	require.NoError(t, err)
	sent := 0
	for line := range strings.Lines(string(b)) {
		w := strings.Fields(line)
		name := w[2]
		if w[0] == "scalar" {
			name = strings.ReplaceAll(name, ".", "_")
		}
		column := strings.Join([]string{w[0], w[1], name}, "_")
		if w[0] == "histogram" {
			column = strings.ToLower(column)
		}
		has := slices.Contains(columns, column)
		if without[w[2]] == "" && !slices.Contains(undefined, w[2]) {
			sent++
			require.True(t, has, "%s of %s has no column", w[2], w[1])
		} else {
			require.False(t, has, "%s of %s has a column", w[2], w[1])
		}
	}
	require.Equal(t, 169, sent)
	for _, s := range p.Scalars {
		if s.Doc != "" {
			checkDoc(t, s.Name, s.Doc)
		}
	}
	for _, h := range p.Histograms {
		if h.Doc != "" {
			checkDoc(t, h.Name, h.Doc)
		}
	}
}

// TestFirefoxProbesKeepTypes makes sure that an installation can go from one of the embedded sets to the other.
func TestFirefoxProbesKeepTypes(t *testing.T) {
	p, err := LoadProbes(FirefoxProbes)
	require.NoError(t, err)
	usual, err := LoadProbes("")
	require.NoError(t, err)
	require.Empty(t, Retypings(Diff(MainSummary(usual).Columns, MainSummary(p).Columns)))
}

// TestProcesses names processes of a newer browser, in definitions and in the list that "all" stands for.
func TestProcesses(t *testing.T) {
	definitions := map[string]string{
		"Scalars.yaml": `
s:
  every: {kind: uint, record_in_processes: [all]}
  children: {kind: uint, record_in_processes: [all_childs]}
  absent: {kind: uint}
  named: {kind: uint, record_in_processes: [socket, utility, extension, rdd, gmplugin, vr]}
`,
		"Histograms.json": `{"B": {"kind": "flag", "record_in_processes": ["main", "socket"]}, "TELEMETRY_TEST_A": {"kind": "flag"}, "C": ` +
			`{"kind": "count"}}`,
		"main_summary.yaml": "user_prefs: []\nhistogram_whitelist: ['*']\n",
	}
	named := []string{
		"scalar_extension_s_named", "scalar_gmplugin_s_named", "scalar_rdd_s_named", "scalar_socket_s_named", "scalar_utility_s_named",
		"scalar_vr_s_named",
		"histogram_parent_b", "histogram_socket_b",
	}
	want := append(slices.Clone(named), "scalar_content_s_absent", "scalar_content_s_children", "scalar_content_s_every",
		"scalar_gpu_s_absent",
		"scalar_gpu_s_children", "scalar_gpu_s_every", "scalar_parent_s_absent", "scalar_parent_s_every")
	require.ElementsMatch(t, want, probeColumns(loadProbes(t, definitions)))

	definitions["main_summary.yaml"] += "processes: [parent, utility]\n"
	want = append(slices.Clone(named), "scalar_parent_s_absent", "scalar_parent_s_every", "scalar_utility_s_absent",
		"scalar_utility_s_children",
		"scalar_utility_s_every")
	p := loadProbes(t, definitions)
	require.ElementsMatch(t, want, probeColumns(p))
	require.Equal(t, []Columnless{{"C", "a histogram of kind count"}}, p.Columnless)

	definitions["main_summary.yaml"] = "user_prefs: []\nhistogram_whitelist: []\nprocesses: []\n"
	require.ElementsMatch(t, named[:6], probeColumns(loadProbes(t, definitions)))
}
