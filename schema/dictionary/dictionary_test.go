package dictionary

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
)

// TestFirefox: all metrics of Firefox, of Glean and of legacy telemetry, are found by their words and by their columns.
func TestFirefox(t *testing.T) {
	defs, err := glean.Firefox()
	require.NoError(t, err)
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	d := New(schema.NewSet(probes, defs.Tables()...).Tables)
	count := map[string]int{}
	for _, e := range d.Entries {
		count[e.Namespace]++
		require.NotEmpty(t, e.Places, e.Name)
		for _, p := range e.Places {
			found, at := d.Find(p.Table.Name, p.Path)
			require.Same(t, e, found, p.Path)
			require.Equal(t, p.Path, at.Path)
			require.GreaterOrEqual(t, p.Table.Index(p.Column), 0)
		}
	}
	require.Greater(t, count["firefox-desktop"], 6200, count)
	require.Greater(t, count["telemetry"], 190, count)
	find := func(text string) (names []string) {
		for _, e := range d.Entries {
			if e.Has(strings.Fields(text), e.Pings) {
				names = append(names, e.Name+" "+e.Type)
			}
		}
		return names
	}
	require.Contains(t, find("uri_count baseline"), "browser_engagement_uri_count counter")
	require.Contains(t, find("glean.baseline.duration"), "glean.baseline.duration timespan")
	require.Contains(t, find("gc_max_pause_ms_2"), "GC_MAX_PAUSE_MS_2 histogram exponential")
	require.Empty(t, find("no_such_metric"))
	e, p := d.Find("main_summary", "histogram_parent_gc_max_pause_ms_2")
	require.NotEmpty(t, e.Description)
	require.Equal(t, "map<int,int>", p.Type.String())
	e, p = d.Find("main_summary", "client_id")
	require.Nil(t, e)
	require.Nil(t, p)
	require.True(t, slices.IsSortedFunc(d.Entries,
		func(a, b *Entry) int { return strings.Compare(a.Namespace+"\x00"+a.Name, b.Namespace+"\x00"+b.Name) }))
}

// BenchmarkSearch looks for words in the metrics of Firefox.
func BenchmarkSearch(b *testing.B) {
	defs, err := glean.Firefox()
	require.NoError(b, err)
	d := New(defs.Tables())
	for b.Loop() {
		for _, e := range d.Entries {
			e.Has([]string{"search", "count"}, e.Pings)
		}
	}
}
