package queries

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/document"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store/database"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

var (
	bob = &access.Person{ID: "bob", Name: "Bob", Grants: []access.Grant{{Table: access.AllTables}}}
	eve = &access.Person{ID: "eve", Name: "Eve"}
)

type nobody struct{}

func (nobody) Record(context.Context, access.Entry) error { return nil }

// served serves the API over a query service.
func served(t testing.TB, change ...func(*queryservice.Config)) *apitest.API {
	a := apitest.New()
	opened(t, change...).Routes(a)
	return a
}

// opened returns the configuration of an API over a query service.
func opened(t testing.TB, change ...func(*queryservice.Config)) Config {
	s := sitetest.Local(t)
	c := queryservice.Config{
		Site: s, Place: database.In(t.TempDir()), Temp: t.TempDir(), Audit: nobody{}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Options: queryservice.Options{
			Queue:  queue.Options{Slots: 2, PerPerson: 2, Waiting: 1},
			Limits: worker.Limits{Threads: 1, Memory: 512 << 20, Rows: 1_000_000, Bytes: 256 << 20}, Keep: time.Hour, KeepBytes: 1 << 30,
		},
	}
	for _, f := range change {
		f(&c)
	}
	d, err := queryservice.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return Config{QueryService: d, Tables: s.Tables}
}

// ask asks a query and waits for its end.
func answered(t testing.TB, a *apitest.API, p *access.Person, body map[string]any) (q queryservice.Query) {
	body["wait"] = 60
	status, text := a.Do(t, p, "POST /queries", body)
	require.Equal(t, http.StatusCreated, status, text)
	require.NoError(t, json.Unmarshal([]byte(text), &q))
	return q
}

// TestRoundTrip: a small query takes one request, its rows another.
func TestRoundTrip(t *testing.T) {
	a := served(t)
	q := answered(t, a, bob, map[string]any{"sql": "SELECT {{n}} + 1 AS n, 9007199254740993 AS big, CAST(1.50 AS decimal(5,2)) AS d, " +
		"CAST(NULL AS varchar) AS x, ARRAY[9007199254740993] AS l", "parameters": map[string]any{"n": 41}})
	require.Equal(t, queryservice.Done, q.State, q.Error)
	status, text := a.Do(t, bob, "GET /queries/"+q.ID+"/rows", nil)
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"columns": [{"name": "n", "type": "integer"}, {"name": "big", "type": "bigint"}, {"name": "d", "type": "decimal(5,2)"},
		{"name": "x", "type": "varchar"}, {"name": "l", "type": "array(bigint)"}], "offset": 0, "total": 1, "complete": true,
		"rows": [[42, "9007199254740993", "1.50", null, ["9007199254740993"]]]}`, text)
	status, text = a.Do(t, bob, "GET /queries/"+q.ID+"/result?format=csv", nil)
	require.Equal(t, 200, status)
	require.Equal(t, "n,big,d,x,l\n42,9007199254740993,1.50,,[9007199254740993]\n", text)
	formula := answered(t, a, bob, map[string]any{"sql": "SELECT '=1+1' AS n"})
	for format, want := range map[string]string{"csv": "n\n=1+1\n", "spreadsheet": "n\n'=1+1\n"} {
		status, text = a.Do(t, bob, "GET /queries/"+formula.ID+"/result?format="+format, nil)
		require.Equal(t, 200, status)
		require.Equal(t, want, text)
	}
	status, _ = a.Do(t, eve, "GET /queries/"+q.ID, nil)
	require.Equal(t, 200, status, "a query without tables is visible to all")
	status, _ = a.Do(t, eve, "GET /queries/nothing", nil)
	require.Equal(t, 404, status)
}

// TestNested: values of the types that arrays of a client's pings have, as JSON and CSV.
func TestNested(t *testing.T) {
	a := served(t)
	q := answered(t, a, bob, map[string]any{
		"sql": `SELECT CAST(ARRAY[MAP(ARRAY['id'], ARRAY[ROW('A', 1)]), NULL] AS array(map(varchar, row(name varchar, scope integer)))) AS addons,
		CAST(MAP(ARRAY['k'], ARRAY[ARRAY[ROW(2), ROW(NULL)]]) AS map(varchar, array(row(value bigint)))) AS scalars,
		CAST(ARRAY[ROW(MAP(ARRAY['a'], ARRAY['1']), ROW('google'))] AS array(row(user_prefs map(varchar, varchar), data row(name varchar)))) AS settings`})
	require.Equal(t, queryservice.Done, q.State, q.Error)
	status, text := a.Do(t, bob, "GET /queries/"+q.ID+"/rows", nil)
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"columns": [{"name": "addons", "type": "array(map(varchar, row(name varchar, scope integer)))"},
		{"name": "scalars", "type": "map(varchar, array(row(value bigint)))"},
		{"name": "settings", "type": "array(row(user_prefs map(varchar, varchar), data row(name varchar)))"}], "offset": 0, "total": 1, "complete": true,
		"rows": [[[{"id": {"name": "A", "scope": 1}}, null], {"k": [{"value": 2}, {"value": null}]}, [{"user_prefs": {"a": "1"}, "data": {"name": "google"}}]]]}`, text)
	status, text = a.Do(t, bob, "GET /queries/"+q.ID+"/result?format=csv", nil)
	require.Equal(t, 200, status)
	require.Equal(t, `addons,scalars,settings
"[{""id"":{""name"":""A"",""scope"":1}},null]","{""k"":[{""value"":2},{""value"":null}]}","[{""user_prefs"":{""a"":""1""},""data"":{""name"":""google""}}]"
`, text)
}

// TestProblems: what is wrong with the text is a problem with its place, of plans and parameters, and a member of queries that failed.
func TestProblems(t *testing.T) {
	a := served(t)
	q := answered(t, a, bob, map[string]any{"sql": "SELECT 1,\n  nothing FROM crash_summary"})
	require.Equal(t, queryservice.Failed, q.State)
	require.Equal(t, 2, q.Error.Line)
	for request, body := range map[string]map[string]any{
		"POST /queries/plan": {"sql": "SELECT 1,\n  nothing FROM crash_summary"},
		"POST /queries":      {"sql": "SELECT 1,\n  {{n}} FROM crash_summary"},
	} {
		status, text := a.Do(t, bob, request, body)
		require.Equal(t, http.StatusUnprocessableEntity, status, text)
		var p map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		require.Equal(t, []any{2.0, 3.0, 422.0}, []any{p["line"], p["column"], p["status"]}, text)
		require.NotEmpty(t, p["message"])
	}
	status, _ := a.Do(t, bob, "GET /queries/"+q.ID+"/rows", nil)
	require.Equal(t, http.StatusConflict, status)
	status, _ = a.Do(t, bob, "POST /queries", map[string]any{"sql": "SELECT 1", "dialect": "other"})
	require.Equal(t, http.StatusUnprocessableEntity, status)
}

// TestCompletion: it has what was granted.
func TestCompletion(t *testing.T) {
	a := served(t)
	var c Completion
	a.Get(t, bob, "/completion", &c)
	var names []string
	for _, table := range c.Tables {
		names = append(names, table.Name)
		require.NotEmpty(t, table.Columns)
	}
	require.Contains(t, names, "main_summary")
	require.NotContains(t, names, "search_clients_daily")
	require.NotContains(t, names, "search_aggregates")
	require.NotEmpty(t, c.Functions)
	require.Contains(t, c.Keywords, "SELECT")
	a.Get(t, eve, "/completion", &c)
	require.Empty(t, c.Tables)
}

// long is a query that runs until something ends it.
const long = "SELECT count(*) FROM range(100000000) AS a(i), range(100000000) AS b(j) WHERE a.i * b.j % 7 = 3"

// TestFull: a request without a place in the queue gets the time to retry, and what waits or runs can be cancelled.
func TestFull(t *testing.T) {
	a := served(t, func(c *queryservice.Config) { c.Queue = queue.Options{Slots: 1, Waiting: 1} })
	var ids []string
	for range 2 {
		status, text := a.Do(t, bob, "POST /queries", map[string]any{"sql": long, "dialect": "duckdb"})
		require.Equal(t, http.StatusCreated, status, text)
		var q queryservice.Query
		require.NoError(t, json.Unmarshal([]byte(text), &q))
		ids = append(ids, q.ID)
		sitetest.WaitFor(t, "the query", func() bool {
			a.Get(t, bob, "/queries/"+q.ID, &q)
			return q.State == queryservice.Running || q.Position > 0
		})
	}
	status, text := a.Do(t, bob, "POST /queries", map[string]any{"sql": "SELECT 1"})
	require.Equal(t, http.StatusTooManyRequests, status, text)
	require.Contains(t, text, "try again later")
	r := httptest.NewRequest(http.MethodPost, "/api/v1/queries", strings.NewReader(`{"sql": "SELECT 1"}`))
	w := httptest.NewRecorder()
	a.Adapter().ServeHTTP(w, r.WithContext(access.With(r.Context(), bob)))
	require.Equal(t, retryAfter, w.Header().Get("Retry-After"))
	for _, id := range ids {
		status, _ = a.Do(t, eve, "DELETE /queries/"+id, nil)
		require.Equal(t, http.StatusNotFound, status)
		status, _ = a.Do(t, bob, "DELETE /queries/"+id, nil)
		require.Equal(t, http.StatusNoContent, status)
		var q queryservice.Query
		a.Get(t, bob, "/queries/"+id+"?wait=10", &q)
		require.Equal(t, queryservice.Cancelled, q.State)
	}
	var list Listed
	a.Get(t, bob, "/queries?limit=1", &list)
	require.Len(t, list.Items, 1)
	require.NotEmpty(t, list.Next)
	a.Get(t, bob, "/queries?limit=1&cursor="+list.Next, &list)
	require.Equal(t, ids[0], list.Items[0].ID)
	a.Get(t, bob, "/queries?text=nothing+like+it", &list)
	require.Empty(t, list.Items)
}

// TestPages: a million rows are read by pages.
func TestPages(t *testing.T) {
	a := served(t)
	q := answered(t, a, bob, map[string]any{"sql": "SELECT i AS n FROM range(1000000) AS t(i)", "dialect": "duckdb", "whole": true})
	require.Equal(t, queryservice.Done, q.State, q.Error)
	for offset, want := range map[int]string{0: "[[0],[1]]", 8191: "[[8191],[8192]]", 999_999: "[[999999]]", 1_000_000: "[]"} {
		status, text := a.Do(t, bob, fmt.Sprintf("GET /queries/%s/rows?offset=%d&limit=2", q.ID, offset), nil)
		require.Equal(t, 200, status, text)
		require.Contains(t, text, `"rows":`+want, offset)
		require.Contains(t, text, `"total":1000000`)
	}
}

// TestRunOfSaved: a query is a run of a saved one only with its text, or a statement of it; of another text it has the parameters alone.
func TestRunOfSaved(t *testing.T) {
	const text = "SELECT {{what}} AS a;\n-- and then\nSELECT 2\n"
	c, a := opened(t), apitest.New()
	c.Saved = func(context.Context, *access.Person, string) (*saved.Query, error) {
		return &saved.Query{Head: document.Head{ID: "theirs", Owner: "eve"},
			Doc: saved.Doc{SQL: text, Dialect: params.DuckDB, Parameters: []params.Parameter{{Name: "what", Kind: params.Number}}}}, nil
	}
	c.Routes(a)
	for sql, is := range map[string]bool{
		"SELECT {{what}} AS a": true, "-- and then\nSELECT 2;": true, "SELECT 3": false, "SELECT {{what}} AS a, 2": false, "SELECT": false,
		"SELECT 2": false,
	} {
		q := answered(t, a, bob, map[string]any{"sql": sql, "dialect": "duckdb", "saved": "theirs", "parameters": map[string]any{"what": 7}})
		require.Equal(t, map[bool]string{true: "theirs"}[is], q.Saved, sql)
	}
	q := answered(t, a, bob, map[string]any{"sql": "SELECT 2", "saved": "theirs"})
	require.Empty(t, q.Saved, "another dialect")
	var list Listed
	a.Get(t, bob, "/queries?saved=theirs", &list)
	require.Len(t, list.Items, 2)
}

// TestFormat: the text is laid out.
func TestFormat(t *testing.T) {
	status, text := served(t).Do(t, eve, "POST /queries/format", map[string]any{"sql": "select 1 from t -- x"})
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"sql": "SELECT 1\nFROM t -- x"}`, text)
}

// TestDownload: a file that the asker has is not sent again, and one that is damaged is cut off instead of ended.
func TestDownload(t *testing.T) {
	dir := t.TempDir()
	a := served(t, func(c *queryservice.Config) { c.Place.Dir = dir })
	q := answered(t, a, bob, map[string]any{"sql": "SELECT i AS n FROM range(200000) AS t(i)", "dialect": "duckdb", "whole": true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.Adapter().ServeHTTP(w, r.WithContext(access.With(r.Context(), bob)))
	}))
	defer server.Close()
	get := func(tag string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/queries/"+q.ID+"/result?format=csv", nil)
		require.NoError(t, err)
		r.Header.Set("If-None-Match", tag)
		w, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer w.Body.Close()
		_, err = io.Copy(io.Discard, w.Body)
		return w, err
	}
	w, err := get("")
	require.NoError(t, err)
	require.Contains(t, w.Header.Get("Content-Disposition"), q.ID+".csv")
	w, err = get(w.Header.Get("ETag"))
	require.NoError(t, err)
	require.Equal(t, http.StatusNotModified, w.StatusCode)
	path := filepath.Join(dir, "results", q.ID+".arrow")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	whole[len(whole)/2] ^= 1
	require.NoError(t, os.WriteFile(path, whole, 0o600))
	_, err = get("")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	status, text := a.Do(t, bob, "GET /queries/"+q.ID+"/rows?offset=100000", nil)
	require.Equal(t, http.StatusGone, status, text)
	require.Contains(t, text, "run the query again")
}
