package ingestion

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/store"
)

const (
	docA = "aaaaaaaa-0000-4000-8000-000000000001"
	docB = "aaaaaaaa-0000-4000-8000-000000000002"
	docC = "aaaaaaaa-0000-4000-8000-000000000003"
)

// debugger reads all tables that are not restricted.
var debugger = &access.Person{Rights: []access.Right{access.Operate}, Grants: []access.Grant{{Table: access.AllTables}}}

// loadTagged puts a main ping, a crash ping of a forgotten client and a rejected submission into the archive, all with a tag.
func loadTagged(t *testing.T, b store.Bucket, i *Ingestion) {
	w, err := archive.NewWriter(t.Context(), b, archive.Options{Owner: "test"})
	require.NoError(t, err)
	meta := func(document, docType, client string) *ping.Meta {
		var m ping.Meta
		m.SetInt(ping.Timestamp, noon.UnixNano())
		m.SetString(ping.SubmissionDate, "20180301")
		m.SetString(ping.DocTypeField, docType)
		m.SetString(ping.DocumentID, document)
		m.SetString(ping.ClientID, client)
		m.SetString(ping.XDebugID, "tag-1")
		return &m
	}
	require.NoError(t, w.Append(meta(docA, "main", "client-1"), []byte(`{}`)))
	require.NoError(t, w.Append(meta(docB, "crash", someID), []byte(`{}`)))
	require.NoError(t, w.AppendError(
		&archive.Rejected{Meta: *meta(docC, "main", ""), Class: "json", Message: "no object: " + someID,
			Path: "/submit/telemetry/" + docC + "/main"}))
	require.NoError(t, w.AppendError(
		&archive.Rejected{Meta: *meta(docA, "main", ""), Class: "duplicate", Path: "/submit/telemetry/" + docA + "/main"}))
	_, err = w.Close(t.Context(), "load-1")
	require.NoError(t, err)
	require.NoError(t, i.Forgotten.RecordOperator(t.Context(), noon, []string{someID}))
}

func found(t *testing.T, a *apitest.API, p *access.Person, document string) []FoundPing {
	var out findOutput
	a.Get(t, p, "/ingestion/pings/"+document+"?day=20180301", &out.Body)
	require.True(t, out.Body.Complete)
	return out.Body.Items
}

// TestFind: a document id is found among accepted and rejected submissions of its day.
func TestFind(t *testing.T) {
	now := noon.Add(time.Hour)
	b, i, a := opened(t, &now)
	load(t, b, "before", nil, sent{noon, "", "main"})
	require.Len(t, found(t, a, debugger, "before-0"), 1, "no client is forgotten yet")
	loadTagged(t, b, i)
	all := found(t, a, debugger, docA)
	require.Len(t, all, 2)
	require.Equal(t, "accepted", all[0].Outcome)
	require.Equal(t, "load-1", all[0].Load)
	require.Equal(t, noon, *all[0].Arrived)
	require.Contains(t, all[0].Meta, MetaValue{"clientId", "client-1"})
	require.Contains(t, all[0].Tables, "main_summary")
	require.Contains(t, all[0].Tables, "addons")
	require.NotContains(t, all[0].Tables, "clients_daily")
	require.Contains(t, all[0].SQL, "FROM main_summary\nWHERE submission_date_obj = '20180301'\n  AND document_id = '"+docA+"'")
	require.Equal(t, "duplicate", all[1].Class)
	rejected := found(t, a, debugger, docC)
	require.Len(t, rejected, 1)
	require.Equal(t, "json", rejected[0].Class)
	require.Equal(t, "no object: …", rejected[0].Message)
	require.Empty(t, found(t, a, debugger, docB), "its client is forgotten")
	require.Empty(t, found(t, a, debugger, someID))
	var out findOutput
	a.Get(t, debugger, "/ingestion/pings/"+docA+"?day=20180302", &out.Body)
	require.Empty(t, out.Body.Items)
	for _, bad := range []string{"", "?day=x", "?day=20180399"} {
		status, text := a.Do(t, debugger, "GET /ingestion/pings/"+docA+bad, nil)
		require.Equal(t, http.StatusUnprocessableEntity, status, text)
	}
}

// TestFindHidden: without the right and without the grant, a ping that exists is answered like one that does not.
func TestFindHidden(t *testing.T) {
	now := noon.Add(time.Hour)
	b, i, a := opened(t, &now)
	loadTagged(t, b, i)
	for _, document := range []string{docA, someID} {
		status, text := a.Do(t, member, "GET /ingestion/pings/"+document+"?day=20180301", nil)
		require.Equal(t, http.StatusForbidden, status)
		require.NotContains(t, text, document)
	}
	some := &access.Person{Rights: operator.Rights,
		Grants: []access.Grant{{Table: "main_summary", Columns: []string{"document_id"}}, {Table: "crash_summary"}}}
	for _, p := range []*access.Person{operator, some} {
		_, text := a.Do(t, p, "GET /ingestion/pings/"+docA+"?day=20180301", nil)
		require.NotContains(t, text, "client-1")
		all := found(t, a, p, docA)
		require.Len(t, all, 1)
		require.Equal(t, "duplicate", all[0].Class)
	}
}

// TestTagged: tagged submissions are listed while they wait, and with their outcome once the archive has them.
func TestTagged(t *testing.T) {
	now := noon.Add(time.Minute)
	b, i, a := opened(t, &now)
	i.Tagged = func(tag string) []edge.Tagged {
		return []edge.Tagged{{Timestamp: noon.UnixNano(), Tag: tag, URI: "/submit/telemetry/" + docA + "/main/Firefox/60/release/1"}}
	}
	list := func(p *access.Person) []TaggedPing {
		var out taggedOutput
		a.Get(t, p, "/ingestion/tagged?tag=tag-1", &out.Body)
		return out.Body.Items
	}
	waiting := list(debugger)
	require.Equal(t, []TaggedPing{{Arrived: noon, Document: docA, Namespace: "telemetry", Type: "main", Outcome: "waiting"}}, waiting)
	_, text := a.Do(t, operator, "GET /ingestion/tagged?tag=tag-1", nil)
	require.Contains(t, text, `"items":[]`)
	loadTagged(t, b, i)
	require.NoError(t, i.Count(t.Context()))
	all := list(debugger)
	require.Len(t, all, 4)
	outcomes := map[string]string{}
	for _, p := range all {
		outcomes[p.Document+" "+p.Class] = p.Outcome
	}
	require.Equal(t, map[string]string{docA + " ": "accepted", docA + " duplicate": "rejected", docB + " ": "accepted",
		docC + " json": "rejected"}, outcomes)
	require.Len(t, list(operator), 2, "rejected ones")
	status, _ := a.Do(t, member, "GET /ingestion/tagged?tag=tag-1", nil)
	require.Equal(t, http.StatusForbidden, status)
	now = noon.Add(keepTagged + time.Hour)
	require.NoError(t, i.Count(t.Context()))
	require.Empty(t, list(debugger))
}
