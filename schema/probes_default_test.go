package schema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// probeColumns returns the names of all columns that p makes, sorted.
func probeColumns(p *Probes) []string {
	var names []string
	for _, u := range p.UserPrefs {
		names = append(names, u.Column)
	}
	for _, s := range p.Scalars {
		for _, process := range s.Processes {
			names = append(names, s.ColumnIn(process))
		}
	}
	for _, h := range p.Histograms {
		for _, process := range h.Processes {
			names = append(names, h.ColumnIn(process))
		}
	}
	slices.Sort(names)
	return names
}

func TestProbeCases(t *testing.T) {
	files, err := filepath.Glob("testdata/probes/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		var c struct {
			Config struct {
				Scalars, Histograms json.RawMessage
				Whitelist           []string `json:"histogram_whitelist"`
			}
			Columns, Absent []string
		}
		if err := json.Unmarshal(b, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list, err := json.Marshal(map[string]any{"histogram_whitelist": c.Config.Whitelist, "user_prefs": []any{}})
		require.NoError(t, err)
		got := probeColumns(loadProbes(t, map[string]string{
			"Scalars.yaml": string(c.Config.Scalars), "Histograms.json": string(c.Config.Histograms), "main_summary.yaml": string(list),
		}))
		if !slices.Equal(got, c.Columns) {
			t.Errorf("%s:\ngot  %v\nwant %v", file, got, c.Columns)
		}
		for _, name := range c.Absent {
			if slices.Contains(got, name) {
				t.Errorf("%s: column %s must not be there", file, name)
			}
		}
	}
}

func TestDefaultProbes(t *testing.T) {
	p, err := LoadProbes("")
	require.NoError(t, err)
	if len(p.UserPrefs) != 6 || len(p.Histograms) != 61 || len(p.Scalars) < 100 {
		t.Errorf("%d user prefs, %d histograms, %d scalars", len(p.UserPrefs), len(p.Histograms), len(p.Scalars))
	}
	columns := probeColumns(p)
	if unique := slices.Compact(slices.Clone(columns)); len(unique) != len(columns) {
		t.Error("a column is there twice")
	}
	for _, name := range []string{
		"user_pref_dom_ipc_plugins_sandbox_level_flash",
		"scalar_parent_browser_engagement_active_ticks",
		"scalar_parent_timestamps_first_paint",
		"scalar_content_webrtc_nicer_turn_401s",
		"scalar_gpu_browser_usage_graphite",
		"histogram_content_gc_max_pause_ms_2",
	} {
		if !slices.Contains(columns, name) {
			t.Errorf("no column %s", name)
		}
	}
	kinds := map[[2]any]bool{}
	for _, s := range p.AddonScalars {
		kinds[[2]any{s.Kind, s.Keyed}] = true
	}
	if len(kinds) != 6 {
		t.Errorf("addon scalars of %d kinds, want one for each of the 6 maps", len(kinds))
	}
	for _, s := range append(p.Scalars, p.AddonScalars...) {
		checkDoc(t, s.Name, s.Doc)
	}
	for _, h := range p.Histograms {
		checkDoc(t, h.Name, h.Doc)
	}
}

func checkDoc(t *testing.T, name, doc string) {
	t.Helper()
	if !strings.HasSuffix(doc, ".") || len(doc) > 160 {
		t.Errorf("%s: doc %q is not one short sentence", name, doc)
	}
}

// The fixed columns of main_summary read these; generators need their shape.
func TestDefaultHistogramsOfFixedColumns(t *testing.T) {
	b, err := embeddedProbes.ReadFile("probes/Histograms.json")
	require.NoError(t, err)
	var defined map[string]struct {
		Kind  string
		Keyed bool
	}
	require.NoError(t, json.Unmarshal(b, &defined))
	for name, want := range map[string]string{
		"CYCLE_COLLECTOR_MAX_PAUSE": "exponential", "DEVTOOLS_TOOLBOX_OPENED_COUNT": "count", "GC_MAX_PAUSE_MS_2": "exponential",
		"GHOST_WINDOWS": "exponential", "INPUT_EVENT_RESPONSE_COALESCED_MS": "exponential", "PLACES_BOOKMARKS_COUNT": "exponential",
		"PLACES_PAGES_COUNT": "exponential", "PLUGINS_INFOBAR_ALLOW": "boolean", "PLUGINS_INFOBAR_BLOCK": "boolean",
		"PLUGINS_INFOBAR_DISMISSED": "boolean", "PLUGINS_INFOBAR_SHOWN": "boolean", "PLUGINS_NOTIFICATION_SHOWN": "boolean",
		"PLUGINS_NOTIFICATION_USER_ACTION": "enumerated", "POPUP_NOTIFICATION_STATS": "keyed enumerated",
		"PROCESS_CRASH_SUBMIT_ATTEMPT": "keyed count", "PROCESS_CRASH_SUBMIT_SUCCESS": "keyed boolean", "PUSH_API_NOTIFY": "count",
		"SEARCH_COUNTS": "keyed count", "SSL_HANDSHAKE_RESULT": "enumerated", "SUBPROCESS_ABNORMAL_ABORT": "keyed count",
		"SUBPROCESS_CRASHES_WITH_DUMP": "keyed count", "SUBPROCESS_KILL_HARD": "keyed count", "WEAVE_CONFIGURED": "boolean",
		"WEAVE_DEVICE_COUNT_DESKTOP": "enumerated", "WEAVE_DEVICE_COUNT_MOBILE": "enumerated", "WEB_NOTIFICATION_SHOWN": "count",
	} {
		d := defined[name]
		got := d.Kind
		if d.Keyed {
			got = "keyed " + got
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
