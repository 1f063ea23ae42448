package tables

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestViews: a view is in the catalog, with the days of its table, for people with grants of all of that.
func TestViews(t *testing.T) {
	const base, view = sitetest.GleanTables + "baseline_clients_last_seen", sitetest.GleanTables + "active_users"
	s := sitetest.Glean(t)
	client := "00000000-0000-4000-8000-000000000001"
	sitetest.GleanPings(t, s.Archive, "load1", []sitetest.GleanPing{{Day: sitetest.Day, Type: "baseline", ID: "a", Client: client}})
	etltest.Run(t, s, etl.RunOptions{Tables: []string{base}})
	a := apitest.New()
	Register(a, Options{Site: s, Now: func() time.Time { return sitetest.At(2) }})
	var tables struct{ Items []TableSummary }
	a.Get(t, member, "/tables", &tables)
	i := slices.IndexFunc(tables.Items, func(i TableSummary) bool { return i.Name == view })
	require.Positive(t, i)
	require.Equal(t, base, tables.Items[i-1].Name)
	require.Equal(t, int64(1), tables.Items[i].Published.Rows)
	require.True(t, tables.Items[i].Reads)
	var one Table
	a.Get(t, member, "/tables/"+view, &one)
	require.Contains(t, one.Lineage.Edges, LineageEdge{base, view})
	require.Equal(t, "activity_segment", one.Schema[0].Name)
	var page struct{ Items []TablePartition }
	a.Get(t, member, "/tables/"+view+"/partitions", &page)
	require.Len(t, page.Items, 1)

	limited := &access.Person{Name: "l", Grants: []access.Grant{{Table: base, Columns: []string{"client_id"}}}}
	a.Get(t, limited, "/tables", &tables)
	require.False(t, slices.ContainsFunc(tables.Items, func(i TableSummary) bool { return i.Name == view }))
}
