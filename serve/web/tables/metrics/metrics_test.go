package metrics

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

var (
	member = &access.Person{Name: "m", Grants: []access.Grant{{Table: access.AllTables}}}
	some   = &access.Person{Name: "s",
		Grants: []access.Grant{{Table: "firefox_desktop_baseline", Columns: []string{"metrics", "normalized_channel"}}}}
	nobody = &access.Person{Name: "n"}
	admin  = &access.Person{Name: "a", Rights: []access.Right{access.Administer}}
)

const pages = "metrics.counter.browser_engagement_uri_count"

// TestMetrics asks one installation with the metrics of Firefox and a day of main_summary.
func TestMetrics(t *testing.T) {
	s := sitetest.Local(t)
	defs, err := glean.Firefox()
	require.NoError(t, err)
	s.Tables = append(s.Tables, defs.Tables()...)
	sitetest.DayPings(t, s.Archive, 1, 60, "20180301")
	addPages(t, s, 20)
	etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{"20180301"},
		Now: func() time.Time { return sitetest.At(4) }})
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	p, err := quality.Compute(t.Context(), s, lt, "20180301", quality.Options{})
	require.NoError(t, err)
	require.NoError(t, quality.Write(t.Context(), lt, p))
	a := apitest.New()
	Register(a, Options{Site: s, Now: func() time.Time { return sitetest.At(4) }})
	t.Run("Search", func(t *testing.T) { testSearch(t, a) })
	t.Run("Known", func(t *testing.T) { testKnown(t, s, a) })
	t.Run("Query", func(t *testing.T) { testQuery(t, a) })
	t.Run("Hidden", func(t *testing.T) { testHidden(t, a) })
}

// addPages adds main pings with a scalar.
func addPages(t *testing.T, s *site.Site, pings int) {
	w, err := archive.NewWriter(t.Context(), s.Archive, archive.Options{})
	require.NoError(t, err)
	for i := range pings {
		var m ping.Meta
		m.SetString(ping.DocumentID, fmt.Sprint("pages-", i))
		m.SetString(ping.SubmissionDate, "20180301")
		m.SetString(ping.AppName, "Firefox")
		m.SetString(ping.SourceVersion, "4")
		m.SetString(ping.DocTypeField, "main")
		m.SetInt(ping.Timestamp, sitetest.At(1).UnixNano())
		require.NoError(t, w.Append(&m, []byte(`{"payload":{"processes":{"parent":{"scalars":{"browser.engagement.total_uri_count":7}}}}}`)))
	}
	_, err = w.Close(t.Context(), "pages")
	require.NoError(t, err)
}

// testSearch: names come before other texts, and filters and pages are kept.
func testSearch(t *testing.T, a *apitest.API) {
	var out listOutput
	a.Get(t, member, "/metrics", &out.Body)
	require.Greater(t, out.Body.Total, 6400)
	require.Equal(t, []string{"firefox-crashreporter", "firefox-desktop", "telemetry"}, out.Body.Applications)
	require.Contains(t, out.Body.Pings, "baseline")
	a.Get(t, member, "/metrics?text=Uri+COUNT&ping=baseline&application=firefox-desktop", &out.Body)
	require.Equal(t, "browser_engagement_uri_count", out.Body.Items[0].Name)
	require.Equal(t, 1, len(out.Body.Items[0].Places))
	require.Greater(t, out.Body.Items[0].Columns, 0)
	a.Get(t, member, "/metrics?type=labeled_counter&limit=3&offset=2", &out.Body)
	require.Len(t, out.Body.Items, 3)
	second := out.Body.Items[0].Name
	a.Get(t, member, "/metrics?type=labeled_counter&limit=3", &out.Body)
	require.Equal(t, second, out.Body.Items[2].Name)
	a.Get(t, member, "/metrics?table=firefox_desktop_baseline&text=glean.baseline.duration", &out.Body)
	require.Equal(t, 1, out.Body.Total)
	require.Equal(t, "firefox_desktop_baseline", out.Body.Items[0].Places[0].Table)
	a.Get(t, member, "/metrics?offset=100000", &out.Body)
	require.Empty(t, out.Body.Items)
	a.Get(t, member, "/metrics?text=gc_max_pause&application=telemetry", &out.Body)
	require.Equal(t, "telemetry", out.Body.Items[0].Application)
	require.NotEmpty(t, out.Body.Items[0].Description)
}

// testKnown: the share of rows with a value equals the rows' share.
func testKnown(t *testing.T, s *site.Site, a *apitest.API) {
	const column = "scalar_parent_browser_engagement_total_uri_count"
	rows, known := sitetest.RowsOf(t, s, "main_summary", "20180301"), 0
	for _, r := range rows {
		if r[column] != nil {
			known++
		}
	}
	require.NotZero(t, known)
	var one OneMetric
	a.Get(t, member, "/metrics/main_summary/"+column, &one)
	require.Equal(t, "20180301", one.Place.Day)
	require.InDelta(t, float64(known)/float64(len(rows)), *one.Place.Known, 1e-9)
	require.Equal(t, "browser.engagement.total_uri_count", one.Name)
	require.Equal(t, []string{"channel", "version", "build", "os", "country"}, one.Groupings)
	require.Equal(t, "20180301", one.To)
	require.Equal(t, "20180223", one.From)
}

// testQuery: a choice becomes a query, and a wrong one an error with the right ones.
func testQuery(t *testing.T, a *apitest.API) {
	var out MetricQuery
	a.Get(t, member, "/metrics/firefox_desktop_baseline/"+pages+"/query?from=20261101&to=20261107&by=channel&per=client", &out)
	require.Contains(t, out.SQL, "FROM firefox_desktop_baseline")
	require.Contains(t, out.SQL, "BETWEEN '2026-11-01' AND '2026-11-07'")
	require.Equal(t, []string{"channel"}, out.Keys)
	require.Equal(t, "median", out.Measures[0])
	for bad, want := range map[string]string{
		"from=20261107&to=20261101": "after", "from=x&to=20261101": "x", "from=20240101&to=20261101": "at most 366 days",
		"from=20261101&to=20261101&by=planet": "by", "from=20261101&to=20261101&extra=x": "no extra key",
	} {
		status, text := a.Do(t, member, "GET /metrics/firefox_desktop_baseline/"+pages+"/query?"+bad, nil)
		require.Equal(t, http.StatusUnprocessableEntity, status, bad)
		require.Contains(t, text, want, bad)
	}
	status, text := a.Do(t, member, "GET /metrics/firefox_desktop_pageload/metrics.uuid.none/query?from=20261101&to=20261101", nil)
	require.Equal(t, http.StatusNotFound, status, text)
}

// testHidden: who lacks a table or a column finds nothing of its metrics, and administrators see names without numbers.
func testHidden(t *testing.T, a *apitest.API) {
	var out listOutput
	a.Get(t, nobody, "/metrics", &out.Body)
	require.Zero(t, out.Body.Total)
	require.Empty(t, out.Body.Applications)
	a.Get(t, some, "/metrics", &out.Body)
	require.Equal(t, []string{"firefox-desktop"}, out.Body.Applications)
	require.Equal(t, []string{"baseline"}, out.Body.Pings)
	for _, e := range out.Body.Items {
		require.Equal(t, "firefox_desktop_baseline", e.Places[0].Table)
		require.Equal(t, 1, e.Columns)
		require.Equal(t, []string{"baseline"}, e.Pings)
		require.NotEqual(t, "event", e.Type)
	}
	a.Get(t, some, "/metrics?text=usage-reporting", &out.Body)
	require.Zero(t, out.Body.Total)
	a.Get(t, member, "/metrics?text=usage-reporting", &out.Body)
	require.NotZero(t, out.Body.Total)
	var one OneMetric
	a.Get(t, some, "/metrics/firefox_desktop_baseline/"+pages, &one)
	require.Equal(t, []string{"channel"}, one.Groupings)
	require.False(t, one.Clients)
	require.False(t, strings.Contains(one.SQL, "client_id"), one.SQL)
	status, text := a.Do(t, some, "GET /metrics/firefox_desktop_baseline/"+pages+"/query?from=20261101&to=20261101&per=client", nil)
	require.Equal(t, http.StatusUnprocessableEntity, status, text)
	hidden, nothing := "GET /metrics/main_summary/scalar_parent_browser_engagement_total_uri_count",
		"GET /metrics/main_summary/scalar_parent_nothing"
	for _, behind := range []string{"", "/query?from=20261101&to=20261101"} {
		status, text := a.Do(t, some, hidden+behind, nil)
		require.Equal(t, http.StatusNotFound, status)
		status, other := a.Do(t, some, nothing+behind, nil)
		require.Equal(t, http.StatusNotFound, status)
		require.Equal(t, other, text)
	}
	a.Get(t, admin, "/metrics/firefox_desktop_baseline/"+pages, &one)
	require.False(t, one.Place.Reads)
}
