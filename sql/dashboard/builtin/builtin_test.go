package builtin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/examples"
)

// TestAll: each widget shows an example, with a chart if it draws one, and values that fit its parameters.
func TestAll(t *testing.T) {
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	queries := map[string]saved.Query{}
	for _, q := range examples.Saved(schema.NewSet(probes).Tables) {
		queries[q.ID] = q
	}
	all, err := All()
	require.NoError(t, err)
	require.Len(t, all, 6)
	day := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, d := range all {
		values, err := d.Values(nil)
		require.NoError(t, err)
		used := map[string]bool{}
		for _, w := range d.Widgets {
			if w.Kind == dashboard.Text {
				continue
			}
			q, known := queries[w.Query]
			require.True(t, known, "%s: %s", d.ID, w.Query)
			require.True(t, w.Kind == dashboard.Table || q.Chart != nil, "%s: %s has no chart", d.ID, w.Query)
			require.False(t, w.Kind == dashboard.Chart && q.Chart.Kind == "number", w.ID)
			given := d.QueryValues(&w, q.Parameters, values)
			_, err := params.Expand(params.Input{SQL: q.SQL, Dialect: q.Dialect, Declared: q.Parameters, Values: given, Today: day, Newest: day})
			require.NoError(t, err, "%s: %s", d.ID, w.ID)
			for name := range given {
				used[name] = true
			}
		}
		for _, p := range d.Parameters {
			require.True(t, used[p.Name], "%s: no widget uses %s", d.ID, p.Name)
		}
	}
}
