package folder

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// names are accounts in which the id is the name with a 1.
type names struct{}

func (names) Account(_ context.Context, idOrName string) (*access.Account, error) {
	if name := strings.TrimSuffix(idOrName, "1"); name == "ann" {
		return &access.Account{Person: access.Person{ID: "ann1", Name: "ann"}}, nil
	}
	return nil, access.ErrNotFound
}

var ann = &access.Person{ID: "ann1", Name: "ann", Grants: []access.Grant{{Table: access.AllTables}}}

func TestMain(m *testing.M) { os.Exit(databasetest.Both(m)) }

type test struct {
	*testing.T
	*Folder
}

func newTest(t *testing.T, dir string) *test {
	now := func() time.Time { return time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC) }
	tables := []*schema.Table{{Name: "main_summary", Version: "v4"}}
	db := databasetest.Place(t)
	queries, err := saved.Open(t.Context(), db, now, tables, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, queries.Close()) })
	boards, err := dashboard.Open(t.Context(), db, now, tables, queries, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()) })
	return &test{t, &Folder{Dir: dir, Boards: boards, Accounts: names{}}}
}

// sync returns what was done, and the paths of conflicts.
func (t *test) sync() (done Done, conflicts []string) {
	done, err := t.Sync(t.Context())
	require.NoError(t, err)
	for _, c := range done.Conflicts {
		conflicts = append(conflicts, c.Path+": "+c.Message)
	}
	return done, conflicts
}

// edit replaces a text in a file.
func (t *test) edit(path, old, text string) {
	content, err := os.ReadFile(t.file(path))
	require.NoError(t, err)
	require.Contains(t, string(content), old)
	require.NoError(t, os.WriteFile(t.file(path), []byte(strings.Replace(string(content), old, text, 1)), 0o644))
}

// TestSync: a change of a file or of what is stored is copied to the other side, and a change of both is a conflict in which nothing
// is lost.
func TestSync(t *testing.T) {
	a := newTest(t, filepath.Join(t.TempDir(), "boards"))
	done, conflicts := a.sync()
	require.Empty(t, done)
	require.Empty(t, conflicts)
	store := a.Boards
	q, err := store.Queries.Create(t.Context(), ann, saved.Doc{Title: "Q", SQL: "SELECT 1"}, "")
	require.NoError(t, err)
	_, err = store.Queries.Create(t.Context(), ann, saved.Doc{Title: "unused", SQL: "SELECT 1"}, "")
	require.NoError(t, err)
	doc := dashboard.Doc{Title: "D", Widgets: []dashboard.Widget{{ID: "a", Kind: dashboard.Table, Query: q.ID, W: 1, H: 1}}}
	d, err := store.Create(t.Context(), ann, doc, "")
	require.NoError(t, err)
	board, query := "dashboards/"+d.ID+".yaml", "queries/"+q.ID+".sql"
	done, _ = a.sync()
	require.Equal(t, Done{Written: []string{query, board}}, done)
	done, _ = a.sync()
	require.Empty(t, done)

	a.edit(board, "title: D", "title: From the file")
	a.edit(query, "SELECT 1", "SELECT 2")
	done, _ = a.sync()
	require.Equal(t, Done{Read: []string{query, board}}, done)
	now, err := store.Get(t.Context(), ann, d.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"From the file", 2, "ann1"}, []any{now.Title, now.Revision, now.Owner})
	past, err := store.Revisions(t.Context(), ann, d.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"", "ann1"}, []string{past[0].Person, past[1].Person})

	doc.Title = "From the page"
	_, err = store.Update(t.Context(), ann, d.ID, 2, doc)
	require.NoError(t, err)
	done, _ = a.sync()
	require.Equal(t, Done{Written: []string{board}}, done)

	doc.Title = "Again from the page" // both sides
	_, err = store.Update(t.Context(), ann, d.ID, 3, doc)
	require.NoError(t, err)
	a.edit(board, "From the page", "Again from the file")
	for range 2 {
		done, conflicts = a.sync()
		require.Equal(t, []string{board + ": both the file and what is stored were changed: make them equal"}, conflicts)
	}
	require.Len(t, a.Conflicts(), 1)
	a.edit(board, "Again from the file", "Again from the page") // made equal
	_, conflicts = a.sync()
	require.Empty(t, conflicts)
	done, _ = a.sync()
	require.Empty(t, done)

	require.NoError(t, os.Rename(a.file(query), a.file("queries/other-1.sql"))) // gone, and a new one
	done, conflicts = a.sync()
	require.Equal(t, []string{"queries/other-1.sql"}, done.Read)
	require.Equal(t, []string{query + ": the file is gone: remove it in the query tool, too, or restore the file"}, conflicts)
	require.NoError(t, store.Queries.Delete(t.Context(), ann, q.ID))
	require.NoError(t, store.Delete(t.Context(), ann, d.ID))
	done, conflicts = a.sync()
	require.Empty(t, conflicts)
	require.Equal(t, []string{board}, done.Removed)
	_, err = os.Stat(a.file(board))
	require.ErrorIs(t, err, os.ErrNotExist)
	done, conflicts = a.sync()
	require.Empty(t, done)
	require.Empty(t, conflicts)
}

// TestStart: files of another installation are read at the start; those that cannot be read are named and stay.
func TestStart(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"dashboards/usage.yaml":  "owner: ann\ntitle: Usage\nwidgets: [{id: a, kind: table, query: q-1, x: 0, y: 0, w: 1, h: 1}]\n",
		"dashboards/orphan.yaml": "owner: nobody\ntitle: Orphan\nwidgets: []\n",
		"queries/q-1.sql":        "/*---\r\ntitle: Q\r\n---*/\r\nSELECT 1\r\n",
		"queries/bad.sql":        "SELECT 1",
		"queries/Bad name.sql":   "SELECT 1",
		"dashboards/x.yml":       "title: X\n",
		"dashboards/README.md":   "hello",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "queries", "folder.sql"), 0o755))
	a := newTest(t, dir)
	done, conflicts := a.sync()
	require.Equal(t, []string{"queries/q-1.sql", "dashboards/usage.yaml", "dashboards/orphan.yaml"}, done.Read)
	require.Len(t, conflicts, 4, conflicts)
	d, err := a.Boards.Get(t.Context(), ann, "usage")
	require.NoError(t, err)
	require.Equal(t, "ann1", d.Owner)
	require.Equal(t, "q-1", d.Widgets[0].Query)
	orphan, err := a.Boards.Get(t.Context(), ann, "orphan")
	require.NoError(t, err)
	require.Empty(t, orphan.Owner)
	done, conflicts = a.sync()
	require.Empty(t, done.Read)
	require.Empty(t, done.Written)
	require.Len(t, conflicts, 4)

	b := newTest(t, dir) // another installation with a dashboard of its own under the same id
	_, err = b.Boards.Put(t.Context(), "usage", "", dashboard.Doc{Title: "Other"})
	require.NoError(t, err)
	_, conflicts = b.sync()
	require.Contains(t, strings.Join(conflicts, "\n"), "dashboards/usage.yaml: the file differs from what is stored under its id")
}

// TestExportImport: all dashboards are exported to an empty folder, and imported into another installation.
func TestExportImport(t *testing.T) {
	a, b := newTest(t, t.TempDir()), newTest(t, t.TempDir())
	_, err := a.Boards.Queries.Put(t.Context(), "q", "ann1", saved.Doc{Title: "Q", SQL: "SELECT 1"})
	require.NoError(t, err)
	_, err = a.Boards.Put(t.Context(), "d", "ann1", dashboard.Doc{Title: "D",
		Widgets: []dashboard.Widget{{ID: "a", Kind: dashboard.Table, Query: "q", W: 1, H: 1}}})
	require.NoError(t, err)
	done, err := a.Export(t.Context(), false)
	require.NoError(t, err)
	require.Len(t, done.Written, 2)
	b.Dir = a.Dir
	require.NoError(t, os.WriteFile(filepath.Join(b.Dir, "redash.json"),
		[]byte(`{"id": 7, "name": "R", "query": "SELECT 7", "options": {}, "visualizations": [{"id": 1, "type": "WORD_CLOUD"}]}`), 0o644))
	done, left, err := b.Import(t.Context(), false)
	require.NoError(t, err)
	require.Len(t, done.Read, 3)
	require.Len(t, left, 1)
	d, err := b.Boards.Get(t.Context(), ann, "d")
	require.NoError(t, err)
	require.False(t, d.Widgets[0].Refused)
	b.edit("dashboards/d.yaml", "title: D", "title: E")
	done, _, err = b.Import(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, "dashboards/d.yaml", done.Conflicts[0].Path)
	done, err = a.Export(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, "dashboards/d.yaml", done.Conflicts[0].Path)
	done, _, err = b.Import(t.Context(), true)
	require.NoError(t, err)
	require.Equal(t, []string{"dashboards/d.yaml"}, done.Read)
	done, err = a.Export(t.Context(), true)
	require.NoError(t, err)
	require.Equal(t, []string{"dashboards/d.yaml"}, done.Written)
}
