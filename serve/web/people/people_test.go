package people

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// asker sends requests as a person.
type asker struct {
	t     *testing.T
	store *access.Store
	mux   *http.ServeMux
}

func start(t *testing.T) asker {
	t.Helper()
	store, err := access.Open(t.Context(), databasetest.Place(t), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	mux := http.NewServeMux()
	Config{Store: store, Tables: schema.NewSet(&schema.Probes{}).Tables, URL: "https://pings.example.org",
		Grants: []access.Grant{{Table: access.AllTables}}, Now: time.Now}.Routes(api.New(mux, "1"))
	return asker{t, store, mux}
}

// do sends a request as somebody, and reads the answer into out, if that is not nil.
func (a asker) do(as *access.Person, route, body string, out any) int {
	a.t.Helper()
	method, path, _ := strings.Cut(route, " ")
	r := httptest.NewRequest(method, api.Prefix+path, strings.NewReader(body))
	w := httptest.NewRecorder()
	a.mux.ServeHTTP(w, r.WithContext(access.With(r.Context(), as)))
	if out != nil {
		require.NoError(a.t, json.Unmarshal(w.Body.Bytes(), out), w.Body.String())
	}
	return w.Code
}

func (a asker) boss() *access.Person {
	token, err := a.store.First(context.Background())
	require.NoError(a.t, err)
	p, err := a.store.UseLink(context.Background(), token)
	require.NoError(a.t, err)
	return p
}

// TestPeople: what an administrator does with an account counts for that account at once, and is in the audit.
func TestPeople(t *testing.T) {
	a := start(t)
	boss := a.boss()
	var ann access.Account
	require.Equal(t, 201, a.do(boss, "POST /people", `{"name":"ann"}`, &ann))
	require.Equal(t, []access.Grant{{Table: access.AllTables}}, ann.Grants)
	require.Equal(t, 409, a.do(boss, "POST /people", `{"name":"Ann"}`, nil))
	require.Equal(t, 422, a.do(boss, "POST /people", `{"name":"bob","grants":[{"table":"no_such_table"}]}`, nil))
	at := "/people/" + ann.ID
	var link struct{ URL string }
	require.Equal(t, 201, a.do(boss, "POST "+at+"/link", "", &link))
	p, err := a.store.UseLink(t.Context(), strings.TrimPrefix(link.URL, "https://pings.example.org/link#"))
	require.NoError(t, err)
	require.Equal(t, ann.ID, p.ID)
	require.Equal(t, 403, a.do(p, "GET /people", "", nil))
	require.Equal(t, 200, a.do(boss, "PUT "+at+"/grants", `{"grants":[{"table":"addons","columns":["client_id"]}]}`, nil))
	require.Equal(t, 422, a.do(boss, "PUT "+at+"/grants", `{"grants":[{"table":"addons","columns":["no"]}]}`, nil))
	require.Equal(t, 200, a.do(boss, "PUT "+at+"/rights", `{"rights":["operate"]}`, nil))
	require.Equal(t, 422, a.do(boss, "PUT "+at+"/rights", `{"rights":["rule"]}`, nil))
	require.Equal(t, 200, a.do(boss, "PUT "+at+"/limits", `{"days":3,"bytes":1000}`, nil))
	require.Equal(t, 422, a.do(boss, "PUT "+at+"/limits", `{"days":-3}`, nil))
	p, err = a.store.Person(t.Context(), ann.ID)
	require.NoError(t, err)
	require.Equal(t, []access.Grant{{Table: "addons", Columns: []string{"client_id"}}}, p.Grants)
	require.Equal(t, access.Limits{Days: 3, Bytes: 1000}, p.Limits)
	require.Equal(t, 200, a.do(boss, "PATCH "+at, `{"disabled":true,"email":"ann@example.org"}`, nil))
	_, err = a.store.Person(t.Context(), ann.ID)
	require.ErrorIs(t, err, access.ErrNotFound)
	require.Equal(t, 409, a.do(boss, "PATCH /people/"+boss.ID, `{"disabled":true}`, nil))
	require.Equal(t, 204, a.do(boss, "DELETE "+at, "", nil))
	require.Equal(t, 404, a.do(boss, "GET "+at, "", nil))
	var all People
	require.Equal(t, 200, a.do(boss, "GET /people", "", &all))
	require.Len(t, all.Items, 1)
	var audit struct {
		Items []access.Entry
		Next  int64
	}
	require.Equal(t, 200, a.do(boss, "GET /audit?limit=2&event=change&person=admin", "", &audit))
	require.Equal(t, "removed: ann", audit.Items[0].About)
	require.Equal(t, audit.Items[1].ID, audit.Next)
}

// TestServiceAccount: its tokens are made by who administers, those of people are not.
func TestServiceAccount(t *testing.T) {
	a := start(t)
	boss := a.boss()
	var robot access.Account
	require.Equal(t, 201, a.do(boss, "POST /people", `{"name":"robot","kind":"service","grants":[]}`, &robot))
	require.Empty(t, robot.Grants)
	at := "/people/" + robot.ID
	require.Equal(t, 422, a.do(boss, "POST "+at+"/link", "", nil))
	require.Equal(t, 422, a.do(boss, "POST /people/"+boss.ID+"/tokens", `{"name":"x","scopes":["query"]}`, nil))
	var made struct{ ID, Secret string }
	require.Equal(t, 201, a.do(boss, "POST "+at+"/tokens", `{"name":"x","scopes":["query"]}`, &made))
	p, err := a.store.Authenticate(t.Context(), made.Secret)
	require.NoError(t, err)
	require.Equal(t, 403, a.do(p, "GET /people", "", nil))
	var list struct{ Items []access.Token }
	require.Equal(t, 200, a.do(boss, "GET "+at+"/tokens", "", &list))
	require.Len(t, list.Items, 1)
	require.Equal(t, 204, a.do(boss, "DELETE "+at+"/tokens/"+made.ID, "", nil))
	_, err = a.store.Authenticate(t.Context(), made.Secret)
	require.ErrorIs(t, err, access.ErrUnknown)
}
