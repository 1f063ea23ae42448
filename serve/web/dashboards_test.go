package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/serve/web/library"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/worker"
)

// viewers are people with tokens for a server.
type viewers struct {
	*testing.T
	*Server
	tokens map[string]string
}

func newViewers(t *testing.T) *viewers {
	o := queryservice.Options{Limits: worker.Limits{Rows: 100_000, Bytes: 64 << 20}, Keep: time.Hour, KeepBytes: 1 << 30}
	o.Queue.Slots, o.Queue.PerPerson, o.Queue.Waiting = 2, 2, 1000
	s, err := New(t.Context(), Config{Site: sitetest.Local(t), Dir: t.TempDir(), URL: "http://127.0.0.1:8090", Version: "1", Queries: o,
		Clock: clock.Clock{Now: time.Now}, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return &viewers{t, s, map[string]string{}}
}

// add creates an account with grants.
func (v *viewers) add(name string, tables ...string) *access.Account {
	var grants []access.Grant
	for _, t := range tables {
		grants = append(grants, access.Grant{Table: t})
	}
	a, err := v.Access.Add(v.Context(), access.Person{Name: name, Kind: access.Human, Grants: grants})
	require.NoError(v, err)
	_, v.tokens[name], err = v.Access.NewToken(v.Context(), a.ID, access.Token{Name: "t", Scopes: []access.Scope{access.QueryScope}})
	require.NoError(v, err)
	return a
}

// do sends a request with a body as JSON, and decodes the response into out.
func (v *viewers) do(name, method, path string, body, out any) int {
	var sent bytes.Buffer
	if body != nil {
		require.NoError(v, json.NewEncoder(&sent).Encode(body))
	}
	r := httptest.NewRequest(method, "http://127.0.0.1:8090"+api.Prefix+path, &sent)
	r.Header.Set("Authorization", "Bearer "+v.tokens[name])
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	v.Handler().ServeHTTP(w, r)
	if out != nil && w.Code < 300 {
		require.NoError(v, json.Unmarshal(w.Body.Bytes(), out), w.Body.String())
	}
	return w.Code
}

// restricted returns the name of a restricted table.
func (v *viewers) restricted() string {
	for _, table := range v.Site.Tables {
		if table.Restricted {
			return table.Name
		}
	}
	v.Fatal("no table is restricted")
	return ""
}

// results asks for the results of a dashboard until all runs have ended.
func (v *viewers) results(name, path string, body map[string]any) []library.WidgetResult {
	var got library.DashboardResults
	require.Equal(v, 200, v.do(name, "POST", path+"/results", body, &got))
	for i := range got.Items {
		if got.Items[i].State == "running" || got.Items[i].State == "waiting" {
			require.Equal(v, 200, v.do(name, "GET", "/queries/"+got.Items[i].Query+"?wait=60", nil, nil))
		}
	}
	delete(body, "refresh")
	got = library.DashboardResults{}
	require.Equal(v, 200, v.do(name, "POST", path+"/results", body, &got))
	return got.Items
}

// TestTwentyViewers: twenty people who open a dashboard of twelve widgets at once, and again, cost one run of each query.
func TestTwentyViewers(t *testing.T) {
	v := newViewers(t)
	owner := v.add("owner", "*")
	widgets := []map[string]any{}
	for i := range 12 {
		q, err := v.Saved.Create(t.Context(), &owner.Person,
			saved.Doc{Title: fmt.Sprint("query ", i), SQL: fmt.Sprintf("SELECT %d + {{n}} + count(*) AS n FROM main_summary", i),
				Parameters: []params.Parameter{{Name: "n", Kind: params.Number}}}, "")
		require.NoError(t, err)
		widgets = append(widgets, map[string]any{"id": fmt.Sprint("w", i), "kind": "number", "query": q.ID, "x": i, "y": 0, "w": 1, "h": 2})
	}
	var d library.Dashboard
	require.Equal(t, 201, v.do("owner", "POST", "/dashboards", map[string]any{"title": "Twelve", "widgets": widgets,
		"parameters": []map[string]any{{"name": "n", "kind": "number", "default": 5}}}, &d))
	path := "/dashboards/" + d.ID
	for i := range 20 {
		v.add(fmt.Sprint("viewer", i), "*")
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			for _, r := range v.results(fmt.Sprint("viewer", i), path, map[string]any{}) {
				if r.State != "done" || r.Result == "" || r.Rows != 1 {
					t.Errorf("viewer %d: %+v", i, r)
				}
			}
		})
	}
	all.Wait()
	runs := map[string]bool{}
	for i := range 20 {
		for n, r := range v.results(fmt.Sprint("viewer", i), path, map[string]any{"refresh": i > 10}) {
			require.EqualValues(t, "5", fmt.Sprint(r.Values["n"]))
			runs[r.Result] = true
			if i == 19 {
				var page struct{ Rows [][]any }
				require.Equal(t, 200, v.do("viewer19", "GET", "/queries/"+r.Result+"/rows", nil, &page))
				require.Equal(t, [][]any{{float64(n + 5)}}, page.Rows)
			}
		}
	}
	require.Len(t, runs, 12)
	list, _, err := v.QueryService.List(t.Context(), &owner.Person, queryservice.Filter{Saved: d.Widgets[0].Query, Limit: 100})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, 422, v.do("viewer1", "POST", path+"/results", map[string]any{"parameters": map[string]any{"m": 1}}, nil))
	failed := v.results("viewer1", path, map[string]any{"parameters": map[string]any{"n": "no number"}})
	require.Len(t, failed, 12)
	require.Equal(t, "Parameter", failed[11].Error.Kind)
}

// TestRevoked: between two calls somebody loses the grant of a table. From then on the widget is refused, its result can no
// longer be read, and others still have it.
func TestRevoked(t *testing.T) {
	v := newViewers(t)
	secret := v.restricted()
	ann := v.add("ann", "*", secret)
	v.add("bob", "*", secret)
	v.add("eve", "*")
	q, err := v.Saved.Create(t.Context(), &ann.Person, saved.Doc{Title: "Count", SQL: "SELECT count(*) AS n FROM " + secret + " WHERE " +
		"submission_date_obj = '20180301'"}, "")
	require.NoError(t, err)
	var d library.Dashboard
	require.Equal(t, 201, v.do("ann", "POST", "/dashboards", map[string]any{"title": "Counts", "widgets": []map[string]any{
		{"id": "a", "kind": "number", "title": "Clients", "query": q.ID, "x": 0, "y": 0, "w": 3, "h": 2}}}, &d))
	path := "/dashboards/" + d.ID
	shown := v.results("bob", path, map[string]any{})
	require.Equal(t, library.WidgetState("done"), shown[0].State, "%+v", shown[0].Error)
	require.Equal(t, 200, v.do("bob", "GET", "/queries/"+shown[0].Result+"/rows", nil, nil))
	refused := []library.WidgetResult{{Widget: "a", State: "refused"}}
	require.Equal(t, refused, v.results("eve", path, map[string]any{"refresh": true}))
	require.Equal(t, 404, v.do("eve", "GET", "/queries/"+shown[0].Result+"/rows", nil, nil))

	bob, err := v.Access.Account(t.Context(), "bob")
	require.NoError(t, err)
	_, err = v.Access.Edit(t.Context(), bob.ID, func(a *access.Account) error { a.Grants = a.Grants[:1]; return nil })
	require.NoError(t, err)
	require.Equal(t, refused, v.results("bob", path, map[string]any{}))
	require.Equal(t, 404, v.do("bob", "GET", "/queries/"+shown[0].Result+"/rows", nil, nil))
	var seen library.Dashboard
	require.Equal(t, 200, v.do("bob", "GET", path, nil, &seen))
	require.True(t, seen.Widgets[0].Refused)
	require.Equal(t, shown[0].Result, v.results("ann", path, map[string]any{})[0].Result)
	require.NoError(t, v.Saved.Delete(t.Context(), &ann.Person, q.ID)) // gone is as hidden
	require.Equal(t, refused, v.results("ann", path, map[string]any{}))
}
