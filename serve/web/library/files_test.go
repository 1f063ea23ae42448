package library

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api/apitest"
	"github.com/pingmill/pingmill/sql/dashboard/files"
)

// exported returns the files of a dashboard.
func exported(t *testing.T, a *testedAPI, p *access.Person, id string) (all []files.File) {
	status, text := a.Do(t, p, "GET /dashboards/"+id+"/export", nil)
	require.Equal(t, 200, status, text)
	z, err := zip.NewReader(bytes.NewReader([]byte(text)), int64(len(text)))
	require.NoError(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		all = append(all, files.File{Path: f.Name, Text: string(content)})
	}
	return all
}

func imported(t *testing.T, a *testedAPI, p *access.Person, overwrite bool, all ...files.File) (r files.Report) {
	status, text := a.Do(t, p, "POST /dashboards/import", map[string]any{"files": all, "overwrite": overwrite})
	require.Equal(t, 200, status, text)
	require.NoError(t, json.Unmarshal([]byte(text), &r))
	return r
}

// TestExportImport: what is exported is the same when it is imported, is a conflict once it differs, and another person's copy.
func TestExportImport(t *testing.T) {
	a := testAPI(t)
	_, text := a.Do(t, sue, "POST /saved", map[string]any{"title": "Own", "sql": "SELECT 1 FROM main_summary"})
	var q Saved
	require.NoError(t, json.Unmarshal([]byte(text), &q))
	doc := board()
	doc["widgets"] = append(doc["widgets"].([]map[string]any), map[string]any{"id": "c", "kind": "table", "query": q.ID,
		"x": 0, "y": 9, "w": 6, "h": 4})
	_, text = a.Do(t, sue, "POST /dashboards", doc)
	var d Dashboard
	require.NoError(t, json.Unmarshal([]byte(text), &d))

	all := exported(t, a, sue, d.ID)
	require.Len(t, all, 2) // without the examples
	r := imported(t, a, sue, false, all...)
	require.Equal(t, []string{"same", "same"}, []string{r.Items[0].Done, r.Items[1].Done})
	all[0].Text = strings.Replace(all[0].Text, "title: Board", "title: Changed", 1)
	r = imported(t, a, sue, false, all...)
	require.Equal(t, "dashboards/"+d.ID+".yaml", r.Conflicts[0].Path)
	a.Get(t, sue, "/dashboards/"+d.ID, &d)
	require.Equal(t, "Board", d.Title)
	r = imported(t, a, sue, true, all...)
	require.Equal(t, "changed", r.Items[1].Done)
	a.Get(t, sue, "/dashboards/"+d.ID, &d)
	require.Equal(t, "Changed", d.Title)

	for _, f := range exported(t, a, ana, d.ID) {
		require.NotContains(t, f.Text, "searches")
	}
	r = imported(t, a, ana, true, all...) // a copy, as ana may not change sue's
	require.Equal(t, "same", r.Items[0].Done)
	require.Equal(t, "created", r.Items[1].Done)
	require.NotEqual(t, d.ID, r.Items[1].ID)
	require.Equal(t, []files.Problem{{Path: all[0].Path, Message: "widget b: there is no such query"}}, r.Left)
}

// TestImportHidden: files with names of what is hidden from a person are imported as those with names of what does not exist.
func TestImportHidden(t *testing.T) {
	a := testAPI(t)
	_, text := a.Do(t, sue, "POST /dashboards", map[string]any{"title": "About secret", "widgets": []any{}})
	var hidden Dashboard
	require.NoError(t, json.Unmarshal([]byte(text), &hidden))
	_, text = a.Do(t, sue, "POST /saved", map[string]any{"title": "S", "sql": "SELECT 1 FROM secret"})
	var q Saved
	require.NoError(t, json.Unmarshal([]byte(text), &q))
	try := func(dashboard, query string) files.Report {
		r := imported(t, a, ana, true,
			files.File{Path: dashboard + ".yaml",
				Text: "title: Mine\nwidgets: [{id: a, kind: table, query: " + query + ", x: 0, y: 0, w: 1, h: 1}]\n"},
			files.File{Path: "x.yaml", Text: "title: Other\nparameters: [{name: p, kind: text, options: " + query + "}]\nwidgets: []\n"},
			files.File{Path: query + ".sql", Text: "/*---\ntitle: Q\n---*/\nSELECT 1 FROM " + strings.Repeat("s", 6)})
		for i := range r.Items {
			require.NotEqual(t, dashboard, r.Items[i].ID)
			require.NotEqual(t, query, r.Items[i].ID)
			r.Items[i].ID, r.Items[i].Path = "", strings.NewReplacer(dashboard, "D", query, "Q").Replace(r.Items[i].Path)
		}
		return r
	}
	nothing := try("nothing", "none")
	require.Len(t, nothing.Items, 3)
	require.Equal(t, nothing, try(hidden.ID, q.ID))
	names := func(table string) (files.Report, Dashboard) { // one's own texts may have any name: they show nothing
		r := imported(t, a, ana, false, files.File{Path: "y.yaml",
			Text: "title: About " + table + "\nwidgets: [{id: a, kind: text, text: " + table +
				", x: 0, y: 0, w: 1, h: 1}]\n"}, files.File{Path: "y.sql", Text: "/*---\ntitle: T\n---*/\nSELECT * FROM " + table})
		var d Dashboard
		a.Get(t, ana, "/dashboards/"+r.Items[1].ID, &d)
		for i := range r.Items {
			r.Items[i].ID, r.Items[i].Title = "", strings.ReplaceAll(r.Items[i].Title, table, "T")
		}
		d.Title, d.Widgets[0].Text = strings.ReplaceAll(d.Title, table, "T"), strings.ReplaceAll(d.Widgets[0].Text, table, "T")
		return r, d
	}
	first, one := names("secret")
	second, other := names("secreta")
	require.Equal(t, second, first)
	require.Equal(t, other.Doc, one.Doc)
	var list struct{ Items []DashboardListed }
	a.Get(t, ana, "/dashboards?text=secret", &list)
	require.Len(t, list.Items, 2) // ana's own ones

	redash := imported(t, a, ana, false, files.File{Path: "q.json", Text: `{"id": 1, "name": "R", "query": "SELECT '{{ a }}'",
		"options": {"parameters": [{"name": "a", "type": "query", "queryId": 2, "value": "x"}]}, "visualizations": []}`},
		files.File{Path: "bad.json", Text: "{}"}, files.File{Path: "bad.yaml", Text: "title: ["})
	require.Len(t, redash.Items, 1)
	require.Len(t, redash.Left, 2)
	long := []files.File{{Path: "a.yaml", Text: strings.Repeat("x", 1_000_001)}}
	status, _ := a.Do(t, ana, "POST /dashboards/import", map[string]any{"files": long})
	require.Equal(t, 422, status)
	status, _ = a.Do(t, ana, "POST /dashboards/import", map[string]any{"files": make([]files.File, 501)})
	require.Equal(t, 422, status)
	status, _ = a.Do(t, ana, "POST /dashboards/import", map[string]any{"files": []files.File{{Text: strings.Repeat("x", maxImport)}}})
	require.Equal(t, 413, status)
}

// TestFolderState: conflicts of the folder are for administrators.
func TestFolderState(t *testing.T) {
	a := testAPI(t)
	status, _ := a.Do(t, sue, "GET /dashboards/folder", nil)
	require.Equal(t, 403, status)
	var state FolderState
	a.Get(t, admin, "/dashboards/folder", &state)
	require.Equal(t, FolderState{Conflicts: []files.Problem{}}, state)
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "queries"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "queries", "a.sql"), []byte("SELECT 1"), 0o644))
	boards := a.config.Dashboards
	run := a.config.OpenFolder(dir, nil, nil, func(context.Context, time.Duration) error { return context.Canceled })
	require.NoError(t, run(t.Context()))
	require.Same(t, boards, a.config.folder.Boards)
	other := apitest.New()
	a.config.Routes(other)
	other.Get(t, admin, "/dashboards/folder", &state)
	require.Equal(t, "queries/a.sql", state.Conflicts[0].Path)
}
