package metric_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/schema/dictionary"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/metric"
	"github.com/pingmill/pingmill/sql/query"
)

// TestEveryType: there is a query that runs for a metric of each type of Firefox, and of each type and kind of probe of legacy
// telemetry, however it is grouped.
func TestEveryType(t *testing.T) {
	s := sitetest.Local(t)
	defs, err := glean.Firefox()
	require.NoError(t, err)
	app, chosen := defs["firefox-desktop"], map[string]bool{}
	for _, m := range app.Metrics { // one of each type, because thousands of columns are slow
		if !chosen[m.Type] && m.Column != "" {
			chosen[m.Type], app.Columns = true, append(app.Columns, m.Column)
		}
	}
	for _, table := range app.Tables() {
		if table.Name == "firefox_desktop_metrics" {
			s.Tables = append(s.Tables, table)
		}
	}
	sitetest.DayPings(t, s.Archive, 1, 20, "20180301")
	etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180301"}})
	db, err := catalog.Open(t.Context(), s, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	shapes, types := map[metric.Shape]int{}, map[string]bool{}
	for _, e := range dictionary.New(s.Tables).Entries {
		if types[e.Type] {
			continue
		}
		types[e.Type] = true
		p := e.Places[0]
		shape, _ := metric.ShapeOf(e)
		shapes[shape]++
		for _, by := range []string{"", "build"} {
			for _, clients := range []bool{false, metric.Clients(p.Table, nil)} {
				q := metric.Question{Entry: e, Place: &p, From: "20180301", To: "20180301", By: by, Clients: clients}
				a, err := q.Write()
				require.NoError(t, err)
				columns, _ := runQuery(t, db, a.SQL)
				for _, c := range append(append([]string{"day", "few"}, a.Keys...), a.Measures...) {
					require.Contains(t, columns, c, "%s by %q", e.Type, by)
				}
			}
		}
	}
	require.Equal(t, []string{"channel", "version", "build", "os", "country"}, metric.Groupings(s.Tables[len(s.Tables)-1], nil))
	for _, shape := range []metric.Shape{metric.Values, metric.Labels, metric.Numbers, metric.Distributions, metric.Rates, metric.Known} {
		require.NotZero(t, shapes[shape], fmt.Sprint(shape, types))
	}
	require.Greater(t, len(types), 25)
}
