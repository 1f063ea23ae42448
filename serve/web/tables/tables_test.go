package tables

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// restricted returns the table that wants a grant of its own.
func restricted(t *testing.T, s *site.Site) *schema.Table {
	for _, table := range s.Tables {
		if table.Restricted {
			return table
		}
	}
	t.Fatal("no table is restricted")
	return nil
}

// installed returns an installation with two published days, the second of which is not over, and its catalog.
func installed(t *testing.T) (*site.Site, *apitest.API) {
	s := sitetest.Local(t)
	days := []string{"20180301", "20180302"}
	sitetest.DayPings(t, s.Archive, 1, 20, days...)
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: days, Now: func() time.Time { return sitetest.At(4) }, Code: "1.2"})
	require.NoError(t, edgestate.SetProgress(t.Context(), s.Archive, "e1", sitetest.At(2).UnixNano(), time.Time{}))
	a := apitest.New()
	Register(a, Options{Site: s, Root: "s3://bucket/data", Now: func() time.Time { return sitetest.At(2).Add(time.Hour) }})
	return s, a
}

// TestTables asks one installation, which takes a while to make. What changes it comes last.
func TestTables(t *testing.T) {
	s, a := installed(t)
	t.Run("Catalog", func(t *testing.T) { testCatalog(t, s, a) })
	t.Run("DDL", func(t *testing.T) { testDDL(t, a) })
	t.Run("Search", func(t *testing.T) { testSearch(t, a) })
	t.Run("Restricted", func(t *testing.T) { testRestricted(t, s, a) })
	t.Run("Partitions", func(t *testing.T) { testPartitions(t, s, a) })
}

var member = &access.Person{Name: "m", Grants: []access.Grant{{Table: access.AllTables}}}

// testCatalog: published files are summed up, and a table has its description and lineage.
func testCatalog(t *testing.T, s *site.Site, a *apitest.API) {
	var tables struct {
		Items   []TableSummary
		Engines []string
	}
	a.Get(t, member, "/tables", &tables)
	require.Len(t, tables.Items, len(s.Tables)-1)
	require.Equal(t, schema.Engines(), tables.Engines)
	totals, err := s.Totals(t.Context())
	require.NoError(t, err)
	for _, i := range tables.Items {
		require.Equal(t, totals[i.Name].Rows, i.Published.Rows, i.Name)
		require.Equal(t, totals[i.Name].Bytes, i.Published.Bytes, i.Name)
		require.Equal(t, 2, i.Published.Days, i.Name)
		require.Equal(t, "20180302", i.Fresh.Newest, i.Name)
		require.Equal(t, "20180301", i.Fresh.Complete, i.Name)
		require.EqualValues(t, 13*3600, *i.Fresh.Age, i.Name)
	}
	var one Table
	a.Get(t, member, "/tables/clients_daily", &one)
	table, err := schema.Find(s.Tables, "clients_daily")
	require.NoError(t, err)
	require.Equal(t, table.Notes, one.Notes)
	require.Equal(t, "s3://bucket/data/lake/clients_daily/v6", one.Location)
	require.Len(t, one.Schema, len(table.Columns))
	require.Equal(t, []LineageEdge{{"main pings", "main_summary"}, {"main_summary", "clients_daily"}}, one.Lineage.Edges)
	aborts := one.Schema[1]
	require.Equal(t, []ColumnRef{{"main_summary", "aborts_content"}}, aborts.From)
	require.Equal(t, string(schema.RuleTotal), aborts.Rule)
	require.NotEmpty(t, one.Examples)
	require.Contains(t, one.Examples[0].SQL, "20180302")
	a.Get(t, member, "/tables/main_summary", &one)
	require.Equal(t, "addons clients_daily", strings.Join([]string{one.Lineage.Nodes[2].Name, one.Lineage.Nodes[3].Name}, " "))
}

// testPartitions: each published day, newest first, with the run that published it; one that was made again is read again.
func testPartitions(t *testing.T, s *site.Site, a *apitest.API) {
	var page struct {
		Items []TablePartition
		Next  string
	}
	a.Get(t, member, "/tables/main_summary/partitions?limit=1", &page)
	require.Equal(t, "20180302", page.Next)
	newest := page.Items[0]
	require.Equal(t, "1.2", newest.Code)
	require.EqualValues(t, 1, newest.Run)
	require.Positive(t, newest.Rows)
	require.Equal(t, "archive main", newest.Inputs[0].Name)
	page.Next = ""
	a.Get(t, member, "/tables/main_summary/partitions?cursor=20180302", &page)
	require.Len(t, page.Items, 1)
	require.Equal(t, "20180301", page.Items[0].Day)
	require.Empty(t, page.Next)
	sitetest.DayPings(t, s.Archive, 2, 20, "20180302")
	etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180302"},
		Now: func() time.Time { return sitetest.At(4) }})
	a.Get(t, member, "/tables/main_summary/partitions", &page)
	require.Greater(t, page.Items[0].Rows, newest.Rows)
	require.EqualValues(t, 2, page.Items[0].Run)
}

// testDDL: in the words of each engine, at the place where it finds the files.
func testDDL(t *testing.T, a *apitest.API) {
	for _, engine := range schema.Engines() {
		var out ddlOutput
		a.Get(t, member, "/tables/addons/ddl?root=gs://lake&engine="+engine, &out.Body)
		require.Contains(t, out.Body.DDL, "gs://lake/lake/addons/v2", engine)
	}
	for _, bad := range []string{"engine=oracle", "engine=trino&root=a'b", ""} {
		status, text := a.Do(t, member, "GET /tables/addons/ddl?"+bad, nil)
		require.Equal(t, 422, status, text)
	}
}

// testSearch: a name is found before docs, and only as many are sent as were asked for.
func testSearch(t *testing.T, a *apitest.API) {
	var out columnsOutput
	a.Get(t, member, "/columns?text=Search+COUNT&limit=3", &out.Body)
	require.Len(t, out.Body.Items, 3)
	require.Greater(t, out.Body.Total, 3)
	for _, f := range out.Body.Items {
		require.Contains(t, f.Name, "search")
		require.Contains(t, f.Name, "count")
	}
}

// testRestricted: nothing shows a table to a person without its grant, and a request for it is like one for an unknown
// table.
func testRestricted(t *testing.T, s *site.Site, a *apitest.API) {
	secret := restricted(t, s)
	for _, path := range []string{"/tables", "/tables/main_summary", "/tables/clients_daily", "/tables/main_summary/partitions",
		"/columns?limit=1000", "/columns?text=" + secret.Name} {
		_, text := a.Do(t, member, "GET "+path, nil)
		require.NotContains(t, text, secret.Name, path)
	}
	for _, end := range []string{"", "/partitions", "/sample", "/ddl?engine=trino"} {
		status, text := a.Do(t, member, "GET /tables/"+secret.Name+end, nil)
		_, nothing := a.Do(t, member, "GET /tables/nothing"+end, nil)
		require.Equal(t, 404, status)
		require.Equal(t, nothing, text)
	}
	granted := &access.Person{Grants: []access.Grant{{Table: secret.Name, Columns: []string{"client_id", "engine"}}}}
	var one Table
	a.Get(t, granted, "/tables/"+secret.Name, &one)
	require.Equal(t, []string{"client_id", "engine", "submission_date_obj"},
		[]string{one.Schema[0].Name, one.Schema[1].Name, one.Schema[2].Name})
	require.Len(t, one.Schema, 3)
	require.True(t, one.Reads)
	require.Len(t, one.Lineage.Nodes, 1)
	administrator := &access.Person{Rights: []access.Right{access.Administer}}
	a.Get(t, administrator, "/tables/"+secret.Name, &one)
	require.False(t, one.Reads)
	require.Equal(t, 2, one.Published.Days)
	require.Zero(t, one.Published.Rows+one.Published.Bytes+int64(one.Published.Files), "numbers need the right to read the table")
	var page partitionsOutput
	a.Get(t, administrator, "/tables/"+secret.Name+"/partitions", &page.Body)
	require.Len(t, page.Body.Items, 2)
	for _, i := range page.Body.Items {
		require.Zero(t, i.Rows+i.Bytes+i.Compact+int64(i.Files))
	}
	a.Get(t, granted, "/tables/"+secret.Name, &one)
	require.Positive(t, one.Published.Rows)
	status, _ := a.Do(t, administrator, "GET /tables/"+secret.Name+"/sample", nil)
	require.Equal(t, 403, status)
	status, _ = a.Do(t, nil, "GET /tables", nil)
	require.Equal(t, 401, status)
}
