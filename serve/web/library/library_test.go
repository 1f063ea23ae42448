package library

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/alert"
	"github.com/pingmill/pingmill/sql/saved/document"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

var (
	ana   = &access.Person{ID: "1", Name: "ana", Grants: []access.Grant{{Table: access.AllTables}}}
	sue   = &access.Person{ID: "2", Name: "sue", Grants: []access.Grant{{Table: access.AllTables}, {Table: "secret"}}}
	admin = &access.Person{ID: "3", Name: "adm", Rights: []access.Right{access.Administer}}
)

func TestMain(m *testing.M) { os.Exit(databasetest.Both(m)) }

// testedAPI is the API with its configuration.
type testedAPI struct {
	*apitest.API
	config Config
}

func testAPI(t *testing.T) *testedAPI {
	tables := []*schema.Table{{Name: "main_summary", Version: "v4"}, {Name: "secret", Version: "v3", Restricted: true}}
	examples := []saved.Query{{Head: document.Head{ID: "actives"},
		Doc: saved.Doc{Title: "Actives", SQL: "SELECT 1 FROM main_summary", Tags: []string{"use"}}},
		{Head: document.Head{ID: "searches"}, Doc: saved.Doc{Title: "Searches", SQL: "SELECT 1 FROM secret", Tags: []string{"search"}}}}
	place, now := databasetest.Place(t), func() time.Time { return time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC) }
	store, err := saved.Open(t.Context(), place, now, tables, examples)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	boards, err := dashboard.Open(t.Context(), place, now, tables, store, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()) })
	a := apitest.New()
	adopt := func(context.Context, *access.Person, string, string, string) error { return nil }
	c := Config{Store: store, Dashboards: boards, Adopt: adopt, Sender: alert.New(alert.Config{Hosts: []string{"hook.example.org"}}),
		Name: func(_ context.Context, id string) (string, error) {
			return map[string]string{"1": "ana", "2": "sue"}[id], nil
		}}
	c.Routes(a)
	return &testedAPI{a, c}
}

// TestRoutes: saving, changing with the revision, forking and removing, with the right to it.
func TestRoutes(t *testing.T) {
	a := testAPI(t)
	doc := map[string]any{"title": "Mine", "sql": "SELECT * FROM secret WHERE d = {{day}}", "tags": []string{"x"},
		"chart": map[string]any{"kind": "line", "x": "d", "y": []string{"n"}}}
	status, text := a.Do(t, sue, "POST /saved", doc)
	require.Equal(t, 201, status, text)
	var s Saved
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	require.Equal(t, Owner{"2", "sue"}, s.Person)
	require.True(t, s.Mine)
	require.Equal(t, "day", s.Parameters[0].Name)
	path := "/saved/" + s.ID
	for _, p := range []*access.Person{ana, admin} {
		for _, request := range []string{"GET " + path, "DELETE " + path, "POST " + path + "/fork", "GET " + path + "/revisions"} {
			status, text := a.Do(t, p, request, nil)
			_, none := a.Do(t, p, request[:len(request)-len(path)]+"/saved/nothing"+request[len(request):], nil)
			require.Equal(t, 404, status, request)
			require.NotContains(t, none+text, "secret")
		}
	}
	doc["title"] = "Changed"
	for _, c := range []struct {
		p        *access.Person
		revision any
		want     int
	}{{sue, nil, 428}, {sue, 7, 412}, {ana, 1, 404}, {sue, 1, 200}, {sue, 1, 412}} {
		delete(doc, "revision")
		if c.revision != nil {
			doc["revision"] = c.revision
		}
		status, text := a.Do(t, c.p, "PUT "+path, doc)
		require.Equal(t, c.want, status, text)
	}
	var revisions struct{ Items []Revision }
	a.Get(t, sue, path+"/revisions", &revisions)
	require.Len(t, revisions.Items, 2)
	require.Equal(t, "sue", revisions.Items[1].Person.Name)
	status, text = a.Do(t, sue, "POST /saved/actives/fork", nil)
	require.Equal(t, 201, status, text)
	require.Contains(t, text, "Actives (copy)")
	status, text = a.Do(t, sue, "POST /saved/searches/fork", nil)
	require.Equal(t, 201, status, text)
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	require.Equal(t, "searches", s.ForkOf)
	status, text = a.Do(t, sue, "PUT /saved/"+s.ID, map[string]any{"title": "Other", "sql": "SELECT 1", "revision": 1})
	require.Equal(t, 200, status, text)
	var other Saved
	a.Get(t, ana, "/saved/"+s.ID, &other)
	require.Empty(t, other.ForkOf)
	status, _ = a.Do(t, sue, "DELETE /saved/actives", nil)
	require.Equal(t, 403, status)
	status, _ = a.Do(t, sue, "DELETE "+path, nil)
	require.Equal(t, 204, status)
	status, text = a.Do(t, sue, "POST /saved", map[string]any{"title": "t", "sql": "SELECT\n {{a b}}"})
	require.Equal(t, 422, status)
	require.Contains(t, text, "line 2:2")
}

// TestLists: lists and tags have what the person may see.
func TestLists(t *testing.T) {
	a := testAPI(t)
	for _, c := range []struct {
		p    *access.Person
		path string
		want []string
	}{
		{ana, "/saved", []string{"actives"}},
		{sue, "/saved", []string{"actives", "searches"}},
		{ana, "/saved?text=search", nil},
		{sue, "/saved?text=search", []string{"searches"}},
		{sue, "/saved?tag=use", []string{"actives"}},
		{sue, "/saved?person=me", nil},
		{sue, "/saved?table=secret", []string{"searches"}},
		{ana, "/saved?table=secret", nil},
		{admin, "/saved", nil},
	} {
		var list struct{ Items []Saved }
		a.Get(t, c.p, c.path, &list)
		var ids []string
		for _, s := range list.Items {
			ids = append(ids, s.ID)
			require.False(t, s.Mine)
		}
		require.Equal(t, c.want, ids, c.path)
	}
	var tags struct{ Items []saved.Tag }
	a.Get(t, ana, "/saved/tags", &tags)
	require.Equal(t, []saved.Tag{{Name: "use", Count: 1}}, tags.Items)
	status, _ := a.Do(t, nil, "GET /saved", nil)
	require.Equal(t, 401, status)
}

// TestSchedule: the owner sets it and sees its secret, who administers may end it, others see nothing of it.
func TestSchedule(t *testing.T) {
	a := testAPI(t)
	boss := &access.Person{ID: "4", Rights: []access.Right{access.Administer}, Grants: ana.Grants}
	status, text := a.Do(t, ana, "POST /saved", map[string]any{"title": "Mine", "sql": "SELECT {{n}}"})
	require.Equal(t, 201, status, text)
	var s Saved
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	path := "/saved/" + s.ID + "/schedule"
	schedule := map[string]any{"every": "0 7 * * *", "timezone": "Europe/Berlin", "parameters": map[string]any{"n": "5"},
		"condition": map[string]any{"kind": "rows", "is": ">", "than": 0},
		"notify":    []any{map[string]any{"kind": "webhook", "to": "https://hook.example.org/x"}}}
	for _, c := range []struct {
		p       *access.Person
		request string
		change  map[string]any
		want    int
	}{
		{ana, "GET " + path, nil, 404},
		{ana, "PUT " + path, map[string]any{"every": "1m"}, 422},
		{ana, "PUT " + path, map[string]any{"timezone": "Mars"}, 422},
		{ana, "PUT " + path, map[string]any{"parameters": map[string]any{}}, 422},
		{ana, "PUT " + path, map[string]any{"condition": map[string]any{"kind": "rows"}}, 422},
		{ana, "PUT " + path, map[string]any{"notify": []any{map[string]any{"kind": "webhook", "to": "https://evil.example"}}}, 422},
		{ana, "PUT " + path, map[string]any{"notify": []any{map[string]any{"kind": "mail", "to": "a@example.org"}}}, 422},
		{boss, "PUT " + path, nil, 403},
		{ana, "PUT /saved/actives/schedule", nil, 403},
		{ana, "PUT " + path, nil, 200},
		{sue, "GET " + path, nil, 404},
		{sue, "DELETE " + path, nil, 404},
		{nil, "GET " + path, nil, 401},
	} {
		body := map[string]any{}
		for _, m := range []map[string]any{schedule, c.change} {
			for k, v := range m {
				body[k] = v
			}
		}
		status, text := a.Do(t, c.p, c.request, body)
		require.Equal(t, c.want, status, "%v: %s", c, text)
	}
	var mine, theirs saved.Scheduled
	a.Get(t, ana, path, &mine)
	a.Get(t, boss, path, &theirs)
	require.NotEmpty(t, mine.Secret)
	require.Empty(t, theirs.Secret)
	require.Equal(t, "2018-03-01 06:00", mine.Next.Format("2006-01-02 15:04"))
	a.Get(t, ana, "/saved/"+s.ID, &s)
	require.Equal(t, "0 7 * * *", s.Schedule.Every)
	var other Saved
	a.Get(t, sue, "/saved/"+s.ID, &other)
	require.Nil(t, other.Schedule)
	var runs struct{ Items []saved.ScheduleRun }
	a.Get(t, ana, "/saved/"+s.ID+"/runs", &runs)
	require.Empty(t, runs.Items)
	var targets struct{ Kinds []string }
	a.Get(t, ana, "/saved/targets", &targets)
	require.Equal(t, []string{"webhook"}, targets.Kinds)
	status, _ = a.Do(t, boss, "DELETE "+path, nil)
	require.Equal(t, 204, status)
}

// TestAnnotations: a text about a day is written, listed with its writer, and removed by its writer.
func TestAnnotations(t *testing.T) {
	a := testAPI(t)
	status, text := a.Do(t, ana, "POST /annotations", map[string]any{"day": "2018-03-13", "text": "59.0 is released"})
	require.Equal(t, 201, status, text)
	var n Annotation
	require.NoError(t, json.Unmarshal([]byte(text), &n))
	want := saved.Annotation{ID: n.ID, Day: "2018-03-13", Text: "59.0 is released", Owner: "1"}
	require.Equal(t, Annotation{want, Owner{"1", "ana"}, true}, n)
	status, text = a.Do(t, sue, "GET /annotations?from=2018-03-01&to=2018-03-31", nil)
	require.Equal(t, 200, status)
	require.Contains(t, text, `"mine":false`)
	require.Contains(t, text, `"name":"ana"`)
	status, _ = a.Do(t, sue, "DELETE /annotations/"+n.ID, nil)
	require.Equal(t, 403, status)
	status, _ = a.Do(t, ana, "DELETE /annotations/"+n.ID, nil)
	require.Equal(t, 204, status)
	status, _ = a.Do(t, ana, "DELETE /annotations/"+n.ID, nil)
	require.Equal(t, 404, status)
	for _, bad := range []map[string]any{{"day": "today", "text": "x"}, {"day": "2018-03-13", "text": " "}} {
		status, _ = a.Do(t, ana, "POST /annotations", bad)
		require.Equal(t, 422, status)
	}
	status, _ = a.Do(t, ana, "GET /annotations?from=2018-03-01&to=x", nil)
	require.Equal(t, 422, status)
}
