package quality

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/query"
)

// TestPages asks one installation of three days, of which all tables have profiles.
func TestPages(t *testing.T) {
	s := sitetest.Local(t)
	days := []string{"20180301", "20180302", "20180303"}
	for i, day := range days {
		sitetest.DayPings(t, s.Archive, uint64(i), 60, day)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: days, Now: func() time.Time { return sitetest.At(4) }})
	for _, table := range s.Tables {
		for _, day := range days {
			p, err := quality.Compute(t.Context(), s, s.TableOf(table), day, quality.Options{})
			require.NoError(t, err)
			p.Checks = append(p.Checks, quality.Check{Name: "own_check", Verdict: "failed", Severity: "error", Rule: "of the installation",
				Own: true})
			require.NoError(t, quality.Write(t.Context(), s.TableOf(table), p))
		}
	}
	a := apitest.New()
	Register(a, Options{Site: s, Now: func() time.Time { return sitetest.At(4) }})
	t.Run("Numbers", func(t *testing.T) { testNumbers(t, s, a) })
	t.Run("Hidden", func(t *testing.T) { testHidden(t, s, a) })
	t.Run("Columns", func(t *testing.T) { testColumns(t, a) })
	t.Run("Queries", func(t *testing.T) { testQueries(t, s, days) })
	t.Run("Gap", func(t *testing.T) { testGap(t, s, a) })
}

var (
	member = &access.Person{Name: "m", Grants: []access.Grant{{Table: access.AllTables}}}
	admin  = &access.Person{Name: "a", Rights: []access.Right{access.Administer, access.Operate}, Grants: member.Grants}
	some   = &access.Person{Name: "s", Grants: []access.Grant{{Table: "crash_summary", Columns: []string{"country", "payload"}}}}
)

func everyTable(s *site.Site) *access.Person {
	p := &access.Person{Name: "e", Grants: member.Grants}
	for _, t := range s.Tables {
		p.Grants = append(p.Grants, access.Grant{Table: t.Name})
	}
	return p
}

// testNumbers: the pages have the numbers of the profiles.
func testNumbers(t *testing.T, s *site.Site, a *apitest.API) {
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	p, err := quality.Read(t.Context(), lt, "20180303")
	require.NoError(t, err)
	var all TableOverviews
	a.Get(t, member, "/quality", &all)
	require.Len(t, all.Items, len(s.Tables)-1)
	i := slices.IndexFunc(all.Items, func(o TableOverview) bool { return o.Table == "crash_summary" })
	require.Len(t, all.Items[i].Days, 3)
	last := all.Items[i].Days[2]
	require.Equal(t, []int64{p.Rows, p.Clients, p.Bytes}, []int64{last.Rows, *last.Clients, last.Bytes})
	require.Equal(t, "20180303", all.Items[i].Newest)
	var one TableSeries
	a.Get(t, member, "/quality/crash_summary?from=20180302", &one)
	require.Equal(t, all.Items[i].Days[1:], one.Days)
	require.Zero(t, one.Waiting)
	var changes TableChanges
	a.Get(t, member, "/quality/crash_summary/changes", &changes)
	require.Equal(t, last, *changes.Profile)
	require.True(t, changes.Yesterday)
	require.Len(t, changes.Checks, len(p.Checks)-1, "their own check reads tables that this person may not read")
	a.Get(t, everyTable(s), "/quality/crash_summary/changes", &changes)
	require.Len(t, changes.Checks, len(p.Checks))
	require.Equal(t, quality.Failed, changes.Findings[0].Rule)
	var columns ColumnsInDays
	a.Get(t, member, "/quality/crash_summary/columns?days=5", &columns)
	require.Len(t, columns.Items, len(p.Columns))
	require.Nil(t, columns.Items[0].Nulls[0])
	require.NotNil(t, columns.Items[0].Nulls[4])
	var column ColumnSeries
	a.Get(t, member, "/quality/crash_summary/columns/payload.metadata?days=5", &column)
	require.Equal(t, quality.Lists, column.Kind)
	require.Len(t, column.Days, 3)
	for _, path := range []string{
		"/quality/nothing", "/quality/crash_summary/columns/nothing", "/quality/crash_summary/columns/payload.nothing",
		"/quality/nothing/changes",
	} {
		status, text := a.Do(t, member, "GET "+path, nil)
		require.Equal(t, 404, status, text)
	}
	status, text := a.Do(t, member, "GET /quality/crash_summary/changes?day=../../etc", nil)
	require.Equal(t, 422, status, text)
}

// testHidden: who was not granted a table sees the same of it as of one that does not exist, an administrator, too.
func testHidden(t *testing.T, s *site.Site, a *apitest.API) {
	i := slices.IndexFunc(s.Tables, func(t *schema.Table) bool { return t.Restricted })
	name := s.Tables[i].Name
	for _, p := range []*access.Person{member, admin, some} {
		_, text := a.Do(t, p, "GET /quality", nil)
		require.NotContains(t, text, name)
		for _, path := range []string{"", "/changes", "/columns", "/columns/engine"} {
			status, there := a.Do(t, p, "GET /quality/"+name+path, nil)
			_, absent := a.Do(t, p, "GET /quality/nothing"+path, nil)
			require.Equal(t, 404, status)
			require.Equal(t, absent, there)
		}
	}
	var all TableOverviews
	a.Get(t, everyTable(s), "/quality", &all)
	require.Len(t, all.Items, len(s.Tables))
}

// testColumns: who was granted some columns sees the numbers of these, and of the table as a whole.
func testColumns(t *testing.T, a *apitest.API) {
	var all TableOverviews
	a.Get(t, some, "/quality", &all)
	require.Len(t, all.Items, 1)
	require.Nil(t, all.Items[0].Days[0].Clients)
	var columns ColumnsInDays
	a.Get(t, some, "/quality/crash_summary/columns", &columns)
	for _, c := range columns.Items {
		require.True(t, c.Name == "country" || strings.HasPrefix(c.Name, "payload."), c.Name)
	}
	require.Greater(t, len(columns.Items), 2)
	status, there := a.Do(t, some, "GET /quality/crash_summary/columns/client_id", nil)
	_, absent := a.Do(t, some, "GET /quality/crash_summary/columns/nothing", nil)
	require.Equal(t, 404, status)
	require.Equal(t, absent, there)
	for _, path := range []string{"", "/changes", "/columns", "/columns/country"} {
		_, text := a.Do(t, some, "GET /quality/crash_summary"+path, nil)
		for _, hidden := range []string{"client_id", "os_name", "normalized_channel"} {
			require.NotContains(t, text, hidden, path)
		}
	}
}

// testQueries: the queries behind the findings are such as can be asked, for every measure and type of column.
func testQueries(t *testing.T, s *site.Site, days []string) {
	db, err := catalog.Open(t.Context(), s, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	columns := map[string]bool{}
	for _, table := range s.Tables {
		p, err := quality.Read(t.Context(), s.TableOf(table), days[0])
		require.NoError(t, err)
		metrics := []quality.Metric{{Measure: quality.Rows}, {Measure: quality.Clients, Column: p.ClientColumn()}}
		for _, c := range p.Columns {
			metrics = append(metrics, quality.MetricsOf(&c)...)
		}
		for _, m := range metrics {
			kind := fmt.Sprint(m.Measure, typeOf(table, m.TableColumn()))
			if columns[kind] {
				continue
			}
			columns[kind] = true
			runQuery(t, db, m.Query(table, days...), p.Rows > 0)
			runQuery(t, db, m.Query(table, days[0]), false)
		}
	}
	require.Greater(t, len(columns), 20)
}

func typeOf(t *schema.Table, column string) string {
	if i := t.Index(column); i >= 0 {
		return t.Columns[i].Type.String()
	}
	return ""
}

func runQuery(t *testing.T, db *query.DB, sql string, some bool) {
	t.Helper()
	rows, err := db.QueryJudged(context.Background(), query.Presto, sql)
	require.NoError(t, err, sql)
	if _, err = rows.Next(); some || !errors.Is(err, io.EOF) {
		require.NoError(t, err, sql)
	}
	require.NoError(t, rows.Close())
}

// testGap: a day that others have is missing.
func testGap(t *testing.T, s *site.Site, a *apitest.API) {
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	publishEmpty(t, lt, "20180227", "20180228")
	require.NoError(t, lt.Expire(t.Context(), "20180303"))
	require.NoError(t, quality.Delete(t.Context(), lt, "20180303"))
	var all TableOverviews
	a.Get(t, member, "/quality", &all)
	i := slices.IndexFunc(all.Items, func(o TableOverview) bool { return o.Table == "crash_summary" })
	text, err := json.Marshal(all.Items[i])
	require.NoError(t, err)
	require.Equal(t, quality.Missing, all.Items[i].Findings[0].Rule, string(text))
	require.Equal(t, "20180303", all.Items[i].Day)
}

// publishEmpty publishes empty partitions.
func publishEmpty(t *testing.T, lt *lake.Table, days ...string) {
	t.Helper()
	for _, day := range days {
		g, err := lt.Begin(t.Context(), day, "aaaa")
		require.NoError(t, err)
		require.NoError(t, g.Publish(t.Context(), lake.Manifest{Parts: []lake.Part{{Lo: 0, Hi: 100, Work: "a"}}}, nil))
	}
}
