package ingestion

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
)

// decodedMeta returns the metadata of a submission of noon.
func decodedMeta(document, docType, client string) *ping.Meta {
	var m ping.Meta
	m.SetInt(ping.Timestamp, noon.UnixNano())
	m.SetString(ping.SubmissionDate, "20180301")
	m.SetString(ping.DocTypeField, docType)
	m.SetString(ping.DocumentID, document)
	m.SetString(ping.ClientID, client)
	m.SetString(ping.AppName, "Firefox")
	m.SetString(ping.SourceVersion, "4")
	return &m
}

func started(t *testing.T, a *apitest.API, p *access.Person) (out startOutput) {
	t.Helper()
	a.Get(t, p, "/ingestion/start", &out.Body)
	return out
}

// rows lists type and state of the row of accepted pings, and the class of others.
func rows(out startOutput) (all []string) {
	for _, i := range out.Body.Items {
		all = append(all, strings.TrimSpace(i.Type+" "+i.Row+i.Class))
	}
	return all
}

// TestStart: the first ping is followed from the edge until its row can be queried.
func TestStart(t *testing.T) {
	now := noon
	b, i, a := opened(t, &now)
	require.Equal(t, http.StatusForbidden, first(a.Do(t, member, "GET /ingestion/start", nil)))
	require.False(t, started(t, a, operator).Body.Empty, "it is not known yet")
	require.NoError(t, i.Count(t.Context()))
	out := started(t, a, operator)
	require.True(t, out.Body.Empty)
	require.False(t, out.Body.Decoding)
	require.False(t, out.Body.Edge.Here)

	i.Arrivals, i.Address, i.Data = NewArrivals(i.Now), "http://localhost:8080", "/data"
	i.Edge = func() edge.Stats {
		return edge.Stats{Responses: map[int]int64{200: 3, 404: 1, 413: 1, 503: 1}, Namespaces: map[string]edge.NamespaceStats{
			"telemetry": {Accepted: 3}, "org-" + someID: {Refused: 1}}}
	}
	i.Live = slices.DeleteFunc(slices.Clone(i.Tables), func(t *schema.Table) bool { return t.Name != "main_summary" })
	i.Arrivals.Decoded(decodedMeta(docA, "new-profile", "client-1"), "", "")
	out = started(t, a, debugger)
	require.Equal(t, StartEdge{URL: "http://localhost:8080", Here: true, Accepted: 3, Refused: 2, Failed: 1, Unknown: []string{"org-…"}},
		out.Body.Edge)
	require.Equal(t, []string{"new-profile soon"}, rows(out))
	require.Equal(t, docA, out.Body.Items[0].Document)
	require.True(t, out.Body.Empty, "its row cannot be queried yet")

	now = now.Add(time.Second)
	i.Arrivals.Published("telemetry_new_profile_parquet")
	out = started(t, a, debugger)
	require.Equal(t, []string{"new-profile visible"}, rows(out))
	require.Equal(t, "SELECT *\nFROM telemetry_new_profile_parquet\nWHERE submission = '20180301'\n  AND client_id = 'client-1'\nLIMIT 1",
		out.Body.Items[0].SQL)
	require.False(t, out.Body.Empty)

	for _, docType := range []string{"main", "crash", "nothing"} { // live, not live, without a table
		i.Arrivals.Decoded(decodedMeta(docB, docType, "client-1"), "", "")
	}
	require.ElementsMatch(t, []string{"new-profile visible", "main soon", "crash later", "nothing none"}, rows(started(t, a, debugger)))
	load(t, b, "one", nil, sent{noon, "", "main"})
	require.NoError(t, i.Count(t.Context()))
	require.False(t, started(t, a, debugger).Body.Empty)
}

func first(status int, _ string) int { return status }

// TestStartEmpty: rejected submissions do not begin an installation, pings in the archive do.
func TestStartEmpty(t *testing.T) {
	now := noon.Add(time.Minute)
	b, i, _ := opened(t, &now)
	i.Arrivals = NewArrivals(i.Now)
	load(t, b, "one", nil, sent{noon, "json", "main"})
	require.NoError(t, i.Count(t.Context()))
	require.True(t, i.Empty())
	load(t, b, "two", nil, sent{noon, "", "main"})
	require.True(t, i.Empty(), "it was not counted yet")
	require.NoError(t, i.Count(t.Context()))
	require.False(t, i.Empty())
	i.Arrivals.Decoded(decodedMeta(docA, "main", ""), "", "")
	all, _ := i.Arrivals.newest()
	require.Empty(t, all, "nobody looks, so nothing is recorded")
}

// TestStartExpired: an installation whose pings are all removed after their time was not empty.
func TestStartExpired(t *testing.T) {
	now := noon
	b, i, _ := opened(t, &now)
	w, err := b.Create(t.Context(), "expired/v1/pings/20170101.json")
	require.NoError(t, err)
	require.NoError(t, w.Commit())
	require.NoError(t, i.Count(t.Context()))
	require.False(t, i.Empty())
}

// TestStartHidden: nobody sees single pings of types whose tables they may not read, or of clients that are forgotten.
func TestStartHidden(t *testing.T) {
	now := noon
	_, i, a := opened(t, &now)
	i.Arrivals = NewArrivals(i.Now)
	require.NoError(t, i.Forgotten.RecordOperator(t.Context(), noon, []string{someID}))
	i.Arrivals.Decoded(decodedMeta(docA, "main", "client-1"), "", "")
	i.Arrivals.Decoded(decodedMeta(docB, "crash", someID), "", "")
	i.Arrivals.Decoded(decodedMeta(docC, "<img src=x>", "client-1"), "json", "member <b> of "+someID+"\x00\xff")
	some := &access.Person{Rights: operator.Rights,
		Grants: []access.Grant{{Table: "main_summary", Columns: []string{"document_id"}}, {Table: "crash_summary"}}}
	for _, p := range []*access.Person{operator, some} {
		_, text := a.Do(t, p, "GET /ingestion/start", nil)
		for _, secret := range []string{docA, docB, docC, "client-1", someID} {
			require.NotContains(t, text, secret)
		}
		out := started(t, a, p)
		require.Equal(t, []string{"<img src=x> json"}, rows(out))
		require.Equal(t, 1, out.Body.Hidden)
	}
	require.ElementsMatch(t, []string{"main later", "<img src=x> json"}, rows(started(t, a, debugger)))
}

// TestArrivals: what clients choose is bounded, copied, and recorded while somebody looks.
func TestArrivals(t *testing.T) {
	now := noon
	a := NewArrivals(func() time.Time { return now })
	for n := range 10 * maxArrivals {
		class := []string{"", "json"}[n%2]
		a.Decoded(decodedMeta(fmt.Sprint(n), strings.Repeat("t", n*10), "client"), class, strings.Repeat("m", n*1000))
	}
	a.Decoded(decodedMeta("x", "main", "client"), classForgotten, "")
	all, _ := a.newest()
	require.Len(t, all, 2*maxArrivals)
	for n := range all {
		require.Empty(t, all[n].meta.Text(ping.DocTypeField))
		require.LessOrEqual(t, len(all[n].message), longestMessage+len("…"))
	}

	shared := []byte(docA)
	var m ping.Meta
	m.SetText(ping.DocumentID, shared)
	now = now.Add(time.Second)
	a.Decoded(&m, "", "")
	shared[0] = 'x'
	all, _ = a.newest()
	require.Equal(t, docA, string(all[0].meta.Text(ping.DocumentID)))

	a.rest()
	newest := func() string {
		now = now.Add(time.Second)
		a.Decoded(decodedMeta(now.String(), "main", ""), "", "")
		all, _ := a.newest()
		return string(all[0].meta.Text(ping.DocumentID))
	}
	require.Equal(t, docA, newest())
	a.watch()
	require.Equal(t, now.Add(time.Second).String(), newest())
	now = now.Add(watchedFor)
	require.NotEqual(t, now.Add(time.Second).String(), newest())
}
