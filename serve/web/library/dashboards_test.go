package library

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// board returns a dashboard with a widget of each example query.
func board() map[string]any {
	return map[string]any{"title": "Board", "widgets": []map[string]any{
		{"id": "a", "kind": "table", "query": "actives", "title": "Actives", "x": 0, "y": 0, "w": 6, "h": 4},
		{"id": "b", "kind": "chart", "query": "searches", "title": "Searches", "x": 6, "y": 0, "w": 6, "h": 4},
	}}
}

// TestDashboards: saving, changing with the revision, restoring, forking and removing, with the right to it.
func TestDashboards(t *testing.T) {
	a := testAPI(t)
	doc := board()
	status, text := a.Do(t, sue, "POST /dashboards", doc)
	require.Equal(t, 201, status, text)
	var d Dashboard
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	require.Equal(t, Owner{"2", "sue"}, d.Person)
	require.True(t, d.Mine)
	path := "/dashboards/" + d.ID
	var seen Dashboard
	a.Get(t, ana, path, &seen)
	require.False(t, seen.Mine)
	require.True(t, seen.Widgets[1].Refused)
	require.Empty(t, seen.Widgets[1].Query)
	doc["title"] = "Changed"
	for _, c := range []struct {
		p        *access.Person
		revision any
		want     int
	}{{sue, nil, 428}, {sue, 7, 412}, {ana, 1, 403}, {sue, 1, 200}, {sue, 1, 412}} {
		delete(doc, "revision")
		if c.revision != nil {
			doc["revision"] = c.revision
		}
		status, text := a.Do(t, c.p, "PUT "+path, doc)
		require.Equal(t, c.want, status, text)
	}
	var revisions struct{ Items []DashboardRevision }
	a.Get(t, ana, path+"/revisions", &revisions)
	require.Len(t, revisions.Items, 2)
	require.Equal(t, "sue", revisions.Items[0].Person.Name)
	require.True(t, revisions.Items[1].Widgets[1].Refused)
	status, text = a.Do(t, sue, "POST "+path+"/restore", map[string]any{"revision": 1})
	require.Equal(t, 428, status, text)

	status, text = a.Do(t, ana, "POST "+path+"/fork", nil)
	require.Equal(t, 201, status, text)
	require.NoError(t, json.Unmarshal([]byte(text), &seen))
	require.Equal(t, d.ID, seen.ForkOf)
	require.Len(t, seen.Widgets, 1)
	doc["description"], doc["revision"] = "about secret", 2
	status, text = a.Do(t, sue, "PUT "+path, doc)
	require.Equal(t, 200, status, text)
	var copied Dashboard
	a.Get(t, ana, "/dashboards/"+seen.ID, &copied)
	require.Empty(t, copied.ForkOf)

	for _, p := range []*access.Person{ana, admin} { // hidden now, as if it did not exist
		for _, request := range []string{"GET ", "PUT ", "DELETE ", "POST /fork", "GET /revisions", "POST /restore", "PUT /favourite",
			"DELETE /favourite"} {
			method, end, _ := strings.Cut(request, " ")
			body := any(nil)
			switch request {
			case "PUT ":
				body = map[string]any{"title": "x", "widgets": []any{}, "revision": 1}
			case "POST /restore":
				continue // it needs a header
			}
			status, text := a.Do(t, p, method+" "+path+end, body)
			missingStatus, missing := a.Do(t, p, method+" /dashboards/nothing"+end, body)
			require.Equal(t, 404, status, request)
			require.Equal(t, missingStatus, status, request)
			require.Equal(t, missing, text, request)
		}
		for _, id := range []string{"searches", "nothing"} {
			status, text := a.Do(t, p, "POST /dashboards", map[string]any{"title": "t", "widgets": []map[string]any{
				{"id": "a", "kind": "table", "query": id, "x": 0, "y": 0, "w": 1, "h": 1}}})
			require.Equal(t, 422, status)
			require.Contains(t, text, "widget a: there is no such query")
		}
	}
	status, _ = a.Do(t, sue, "PUT "+path+"/favourite", nil)
	require.Equal(t, 204, status)
	var list struct{ Items []DashboardListed }
	a.Get(t, sue, "/dashboards?favourite=true", &list)
	require.Len(t, list.Items, 1)
	require.Equal(t, 2, list.Items[0].Widgets)
	require.True(t, list.Items[0].Favourite)
	a.Get(t, ana, "/dashboards?query=searches", &list)
	require.Empty(t, list.Items)
	status, _ = a.Do(t, sue, "DELETE "+path, nil)
	require.Equal(t, 204, status)
	a.Get(t, sue, "/dashboards", &list)
	require.Len(t, list.Items, 1)
	status, text = a.Do(t, sue, "POST /dashboards", map[string]any{"title": "t", "widgets": []any{},
		"description": strings.Repeat("x", 1<<20)})
	require.Equal(t, 413, status, text)
}
