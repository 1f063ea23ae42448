package ingestion

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

var (
	noon     = time.Date(2018, 3, 1, 12, 0, 0, 0, time.UTC)
	member   = &access.Person{}
	operator = &access.Person{Rights: []access.Right{access.Operate}}
)

const someID = "7c9c8e3a-2d9a-4b56-8a51-0123456789ab"

// sent is a submission; class "" is a ping.
type sent struct {
	at             time.Time
	class, docType string
}

// load puts submissions into the archive.
func load(t *testing.T, b store.Bucket, name string, replace []string, all ...sent) {
	t.Helper()
	w, err := archive.NewWriter(t.Context(), b, archive.Options{Owner: "test"})
	require.NoError(t, err)
	for n, s := range all {
		var m ping.Meta
		m.SetInt(ping.Timestamp, s.at.UnixNano())
		m.SetText(ping.SubmissionDate, []byte(s.at.Format("20060102")))
		m.SetText(ping.DocTypeField, []byte(s.docType))
		m.SetText(ping.DocumentID, fmt.Appendf(nil, "%s-%d", name, n))
		if s.class == "" {
			require.NoError(t, w.Append(&m, []byte(`{}`)))
			continue
		}
		require.NoError(t, w.AppendError(
			&archive.Rejected{Meta: m, Class: s.class, Message: "schema: " + someID + " at /payload/" + fmt.Sprint(n), Path: "/submit/" + someID,
				Body: []byte("secret")}))
	}
	for _, name := range replace {
		w.Replace(name)
	}
	_, err = w.Close(t.Context(), name)
	require.NoError(t, err)
}

// opened returns an empty archive, what counts it, and the API.
func opened(t *testing.T, now *time.Time) (store.Bucket, *Ingestion, *apitest.API) {
	b := store.NewMemory()
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	i, err := Open(t.Context(), Options{
		Archive: b, Forgotten: forget.Open(b), Tables: sitetest.Tables(probes), Dir: t.TempDir(), Spool: t.TempDir() + "/none",
		Clock: clock.Clock{Now: func() time.Time { return *now },
			Wait: func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }}, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, i.Close()) })
	a := apitest.New()
	i.Register(a)
	return b, i, a
}

// TestSeries: what arrived is counted once, by minute and hour, by outcome and type; what was replaced does not count any more.
func TestSeries(t *testing.T) {
	now := noon.Add(10 * time.Minute)
	b, i, a := opened(t, &now)
	load(t, b, "one", nil, sent{noon, "", "main"}, sent{noon.Add(time.Minute), "", "main"}, sent{noon.Add(time.Minute), "json", "main"},
		sent{noon.Add(2 * time.Minute), "duplicate", "crash"})
	load(t, b, "two", nil, sent{noon.Add(-30 * time.Hour), "", "crash"})
	for range 2 {
		require.NoError(t, i.Count(t.Context()))
	}
	var out seriesOutput
	a.Get(t, member, "/ingestion?from=2018-03-01T12:00:00Z&to=2018-03-01T12:03:00Z", &out.Body)
	require.EqualValues(t, 60, out.Body.Step)
	require.Equal(t, []IngestionSeries{
		{Outcome: "ping", Total: 2, Values: []int64{1, 1, 0}}, {Outcome: "duplicate", Total: 1, Values: []int64{0, 0, 1}},
		{Outcome: "error", Class: "json", Total: 1, Values: []int64{0, 1, 0}},
	}, out.Body.Series)
	require.Equal(t, []IngestionKind{
		{Namespace: "telemetry", Type: "main", Pings: 2, Errors: 1, Values: []int64{1, 2, 0}},
		{Namespace: "telemetry", Type: "crash", Duplicates: 1, Values: []int64{0, 0, 1}},
	}, out.Body.Kinds)
	require.Equal(t, noon.Add(-30*time.Hour), *out.Body.First)
	require.Equal(t, noon.Add(2*time.Minute), *out.Body.Last)
	require.Zero(t, out.Body.Left)

	record, _, err := archive.Loaded(t.Context(), b, "one")
	require.NoError(t, err)
	var pings string
	for _, f := range record.Files {
		if f.IsPings() {
			pings = f.Name
		}
	}
	load(t, b, "re-three", []string{pings}, sent{noon, "", "main"})
	require.NoError(t, i.Count(t.Context()))
	out = seriesOutput{}
	a.Get(t, member, "/ingestion?from=2018-02-27T00:00:00Z&to=2018-03-02T00:00:00Z", &out.Body)
	require.EqualValues(t, 900, out.Body.Step)
	require.EqualValues(t, 2, out.Body.Series[0].Total)
	now = noon.Add(200 * 24 * time.Hour) // the minutes are forgotten, the hours not
	require.NoError(t, i.Count(t.Context()))
	out = seriesOutput{}
	a.Get(t, member, "/ingestion?from=2018-03-01T12:00:00Z&to=2018-03-01T14:00:00Z", &out.Body)
	require.EqualValues(t, 3600, out.Body.Step)
	require.Equal(t, []int64{1, 0}, out.Body.Series[0].Values)
	a.Get(t, member, "/ingestion", &out.Body)
	require.Equal(t, noon.Add(3*time.Minute), out.Body.To)
	require.NoError(t, b.Delete(t.Context(), "loads/v1/two.json")) // its time is over
	require.NoError(t, i.Count(t.Context()))
	a.Get(t, member, "/ingestion", &out.Body)
	require.Equal(t, noon.Add(-30*time.Hour), *out.Body.First)
	now = now.Add(300 * 24 * time.Hour) // nobody needs it any more
	require.NoError(t, i.Count(t.Context()))
	a.Get(t, member, "/ingestion", &out.Body)
	require.Equal(t, noon, *out.Body.First)
	for _, bad := range []string{"?from=2018-03-02T00:00:00Z&to=2018-03-01T00:00:00Z", "?from=2000-03-02T00:00:00Z", "?from=now"} {
		status, text := a.Do(t, member, "GET /ingestion"+bad, nil)
		require.Equal(t, 422, status, text)
	}
}

// TestUnreadable: of a removed or damaged file the number of rows counts.
func TestUnreadable(t *testing.T) {
	now := noon.Add(time.Hour)
	b, i, a := opened(t, &now)
	load(t, b, "one", nil, sent{noon, "", "main"}, sent{noon, "", "main"}, sent{noon, "uri", "main"})
	record, _, err := archive.Loaded(t.Context(), b, "one")
	require.NoError(t, err)
	for n, f := range record.Files {
		if n == 0 {
			require.NoError(t, b.Delete(t.Context(), f.Name))
		} else {
			require.NoError(t, store.WriteFile(t.Context(), b, f.Name, []byte("something else")))
		}
	}
	require.NoError(t, i.Count(t.Context()))
	var out seriesOutput
	a.Get(t, member, "/ingestion?from=2018-03-01T00:00:00Z&to=2018-03-01T01:00:00Z", &out.Body)
	require.EqualValues(t, 2, out.Body.Series[0].Total)
	require.Equal(t, "unknown", out.Body.Series[2].Class)
	require.EqualValues(t, 1, out.Body.Series[2].Total)
	var samples errorsOutput
	a.Get(t, operator, "/ingestion/errors", &samples.Body)
	require.Empty(t, samples.Body.Items)
}

// TestDamagedRecord: a load whose record is damaged keeps no older one from being counted.
func TestDamagedRecord(t *testing.T) {
	now := noon.Add(time.Hour)
	b, i, a := opened(t, &now)
	load(t, b, "a", nil, sent{noon, "", "main"})
	load(t, b, "b", nil, sent{noon, "", "main"})
	require.NoError(t, store.WriteFile(t.Context(), b, "loads/v1/b.json", []byte("{")))
	require.ErrorContains(t, i.Count(t.Context()), "count load b: ")
	var out seriesOutput
	a.Get(t, member, "/ingestion?from=2018-03-01T00:00:00Z&to=2018-03-01T13:00:00Z", &out.Body)
	require.EqualValues(t, 1, out.Body.Series[0].Total)
}

// TestErrors: samples show the reason of a rejection, never the client, and only to operators.
func TestErrors(t *testing.T) {
	now := noon.Add(time.Hour)
	b, i, a := opened(t, &now)
	load(t, b, "one", nil, sent{noon, "json", "main"}, sent{noon.Add(time.Minute), "json", "main"}, sent{noon, "duplicate", "main"},
		sent{noon, "uri", someID})
	require.NoError(t, i.Count(t.Context()))
	var out errorsOutput
	a.Get(t, operator, "/ingestion/errors", &out.Body)
	require.Len(t, out.Body.Items, 3)
	at := noon.Add(time.Minute)
	require.Equal(t, IngestionError{Time: &at, Class: "json", Message: "schema: … at /payload/1", Namespace: "telemetry", Type: "main",
		Size: 6}, out.Body.Items[0])
	require.Equal(t, IngestionReason{Class: "json", Message: "schema: … at /payload/0", N: 2, Types: []string{"main"}, Last: &at},
		out.Body.Reasons[0])
	_, text := a.Do(t, operator, "GET /ingestion/errors?limit=1&class=uri", nil)
	require.NotContains(t, text, someID)
	require.NotContains(t, text, "secret")
	require.NotContains(t, text, "submit")
	a.Get(t, operator, "/ingestion/errors?type=crash", &out.Body)
	require.Empty(t, out.Body.Items)
	status, _ := a.Do(t, member, "GET /ingestion/errors", nil)
	require.Equal(t, 403, status)
}

// TestLag: watermarks are noted each minute, and the largest lag of a step is shown.
func TestLag(t *testing.T) {
	now := noon.Add(time.Hour)
	b, i, a := opened(t, &now)
	require.NoError(t, edgestate.SetProgress(t.Context(), b, "e1", noon.UnixNano(), time.Time{}))
	require.NoError(t, edgestate.SetTrouble(t.Context(), b,
		edgestate.Trouble{Edge: "e1", What: edgestate.TroubleDecode, Error: "of " + someID}))
	require.NoError(t, i.watch(t.Context()))
	now = now.Add(time.Minute)
	require.NoError(t, i.watch(t.Context()))
	var out lagOutput
	a.Get(t, operator, "/ingestion/lag?from=2018-03-01T12:58:00Z&to=2018-03-01T13:03:00Z", &out.Body)
	require.EqualValues(t, 3660, out.Body.Edges[0].Lag)
	require.Equal(t, []int64{-1, -1, 3600, 3660, -1}, out.Body.Edges[0].Values)
	require.Nil(t, out.Body.Backlog)
	require.Len(t, out.Body.Troubles, 1)
	require.NotContains(t, out.Body.Troubles[0], someID)
	a.Get(t, member, "/ingestion/lag", &out.Body)
	require.Empty(t, out.Body.Troubles)
}

// TestLive: counters of the edge become rates, of the last moments only.
func TestLive(t *testing.T) {
	now := noon
	_, i, a := opened(t, &now)
	var out liveOutput
	a.Get(t, member, "/ingestion/live", &out.Body)
	require.False(t, out.Body.Here)
	i.Edge = func() edge.Stats { return edge.Stats{} }
	for n := range int64(maxPoints + 10) {
		i.recent.add(noon.Add(time.Duration(n)*5*time.Second),
			edge.Stats{Responses: map[int]int64{200: 10 * n, 400: 5 * n, 503: n}, Bytes: 100 * n, Connections: 3})
	}
	a.Get(t, member, "/ingestion/live", &out.Body)
	require.True(t, out.Body.Here)
	require.Len(t, out.Body.Points, maxPoints)
	p := out.Body.Points[maxPoints-1]
	require.Equal(t, []float64{2, 1, 0.2, 20}, []float64{p.Accepted, p.Refused, p.Failed, p.Bytes})
	require.Equal(t, 3, out.Body.Connections)
}

// FuzzMasked: no id, address or long text survives.
func FuzzMasked(f *testing.F) {
	f.Add("client " + someID + " from 192.0.2.7, mail a@b.example, http://x.example/y?z")
	f.Add("\xff\x00 " + someID[:20])
	f.Fuzz(func(t *testing.T, text string) {
		got := masked(text + " " + someID + " 203.0.113.9 " + text)
		require.NotContains(t, got, someID)
		require.NotContains(t, got, "203.0.113.9 ")
		require.LessOrEqual(t, len(got), longestMessage+len("…"))
		require.NotRegexp(t, `[\n\r]`, got)
	})
}
