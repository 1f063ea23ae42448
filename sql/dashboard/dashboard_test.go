package dashboard

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/document"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

var (
	ana = &access.Person{ID: "ana", Grants: []access.Grant{{Table: access.AllTables}}}
	sue = &access.Person{ID: "sue", Grants: []access.Grant{{Table: access.AllTables}, {Table: "secret"}}}
	adm = &access.Person{ID: "adm", Rights: []access.Right{access.Administer}, Grants: []access.Grant{{Table: access.AllTables}}}
)

func TestMain(m *testing.M) { os.Exit(databasetest.Both(m)) }

type fixture struct {
	*Store
	at           time.Time
	open, secret string // saved queries
}

func testStore(t *testing.T, builtin ...Dashboard) *fixture {
	tables := []*schema.Table{{Name: "main_summary", Version: "v4"}, {Name: "secret", Version: "v3", Restricted: true}}
	f := &fixture{at: time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)}
	now := func() time.Time { return f.at }
	place := databasetest.Place(t)
	queries, err := saved.Open(t.Context(), place, now, tables, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, queries.Close()) })
	f.Store, err = Open(t.Context(), place, now, tables, queries, builtin)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	for sql, to := range map[string]*string{"SELECT 1 FROM main_summary": &f.open, "SELECT 1 FROM secret": &f.secret} {
		q, err := queries.Create(t.Context(), sue, saved.Doc{Title: "A query", SQL: sql}, "")
		require.NoError(t, err)
		*to = q.ID
	}
	return f
}

func (f *fixture) doc() Doc {
	return Doc{Title: "Use", Tags: []string{"B", "a"}, Widgets: []Widget{
		{ID: "open", Kind: Chart, Title: "Öffentlich", Query: f.open, W: 6, H: 4},
		{ID: "hidden", Kind: Number, Title: "Secretive", Query: f.secret, X: 6, W: 6, H: 4,
			Parameters: map[string]WidgetValue{"a": {Value: 1.0}}},
		{ID: "plain", Kind: Table, Title: "Plain title", Query: f.secret, Y: 4, W: 6, H: 4},
		{ID: "words", Kind: Text, Text: "read about secret_v3", Y: 8, W: 12, H: 1},
	}, Parameters: []SharedParameter{{Parameter: params.Parameter{Name: "day", Kind: params.Day}, Options: f.secret}}}
}

// TestSee: a person without the grant of a table sees the places of its widgets, and nothing else of them, in no way.
func TestSee(t *testing.T) {
	f := testStore(t)
	made, err := f.Create(t.Context(), sue, f.doc(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, made.Tags)
	f.at = f.at.Add(time.Hour)
	d := made.Doc
	d.Widgets[0].Title = "Öffentlicher"
	d.Parameters[0].Title = "A day"
	changed, err := f.Update(t.Context(), sue, made.ID, 1, d)
	require.NoError(t, err)
	require.Equal(t, f.secret, changed.Parameters[0].Options)
	for _, p := range []*access.Person{ana, adm} {
		seen, err := f.Get(t.Context(), p, made.ID)
		require.NoError(t, err)
		require.Equal(t, []Widget{
			{ID: "open", Kind: Chart, Title: "Öffentlicher", Query: f.open, W: 6, H: 4},
			{ID: "hidden", Kind: Number, X: 6, W: 6, H: 4, Refused: true},
			{ID: "plain", Kind: Table, Title: "Plain title", Y: 4, W: 6, H: 4, Refused: true},
			{ID: "words", Kind: Text, Y: 8, W: 12, H: 1, Refused: true},
		}, seen.Widgets)
		require.Empty(t, seen.Parameters[0].Options)
		past, err := f.Revisions(t.Context(), p, made.ID)
		require.NoError(t, err)
		require.Len(t, past, 2)
		require.Equal(t, "Öffentlich", past[1].Widgets[0].Title)
		require.True(t, past[1].Widgets[1].Refused)
		for text, want := range map[string]int{"offen": 1, "plain tit": 1, "use": 1, "secretive": 0,
			"read": 0, "offen read": 0, "secret_v3": 0} {
			list, _, err := f.List(t.Context(), p, Filter{Text: text})
			require.NoError(t, err)
			require.Len(t, list, want, text)
		}
		for query, want := range map[string]int{f.open: 1, f.secret: 0, "none": 0} {
			list, _, err := f.List(t.Context(), p, Filter{Query: query})
			require.NoError(t, err)
			require.Len(t, list, want, query)
		}
		copied, err := f.Fork(t.Context(), p, made.ID)
		require.NoError(t, err)
		require.Len(t, copied.Widgets, 1)
		require.Equal(t, "Use (copy)", copied.Title)
		require.NoError(t, f.Delete(t.Context(), p, copied.ID))
	}
	list, _, err := f.List(t.Context(), sue, Filter{Text: "secret"})
	require.NoError(t, err)
	require.Len(t, list, 1)
}

// TestHidden: a restricted table's name in the dashboard's own texts hides it from people without the grant, who get the
// error of a dashboard that does not exist.
func TestHidden(t *testing.T) {
	f := testStore(t)
	for _, d := range []Doc{{Title: "The Secret"}, {Title: "t", Description: "secrets"}, {Title: "t", Tags: []string{"secret"}},
		{Title: "t", Parameters: []SharedParameter{{Parameter: params.Parameter{Name: "of_secret", Kind: params.Text}}}},
		{Title: "t", Parameters: []SharedParameter{{Parameter: params.Parameter{Name: "a", Kind: params.Text, Default: "secret"}}}}} {
		made, err := f.Create(t.Context(), sue, d, "")
		require.NoError(t, err)
		for _, p := range []*access.Person{ana, adm} {
			for _, id := range []string{made.ID, "nothing"} {
				_, err = f.Get(t.Context(), p, id)
				require.ErrorIs(t, err, ErrNotFound)
				_, err = f.Update(t.Context(), p, id, 1, Doc{Title: "x"})
				require.ErrorIs(t, err, ErrNotFound)
				_, err = f.Restore(t.Context(), p, id, 1, 1)
				require.ErrorIs(t, err, ErrNotFound)
				_, err = f.Revisions(t.Context(), p, id)
				require.ErrorIs(t, err, ErrNotFound)
				_, err = f.Fork(t.Context(), p, id)
				require.ErrorIs(t, err, ErrNotFound)
				require.ErrorIs(t, f.Delete(t.Context(), p, id), ErrNotFound)
				require.ErrorIs(t, f.SetFavourite(t.Context(), p, id, true), ErrNotFound)
				sees, err := f.Sees(t.Context(), p, id)
				require.NoError(t, err)
				require.False(t, sees)
			}
			list, _, err := f.List(t.Context(), p, Filter{})
			require.NoError(t, err)
			require.Empty(t, list)
			tags, err := f.Tags(t.Context(), p)
			require.NoError(t, err)
			require.Empty(t, tags)
		}
		require.NoError(t, f.Delete(t.Context(), sue, made.ID))
	}
}

// TestEditOfHidden: who changes a dashboard without seeing all widgets moves or removes those, and changes nothing in
// them; queries that are hidden or do not exist are refused alike.
func TestEditOfHidden(t *testing.T) {
	f := testStore(t)
	made, err := f.Create(t.Context(), sue, f.doc(), "")
	require.NoError(t, err)
	seen, err := f.Get(t.Context(), adm, made.ID)
	require.NoError(t, err)
	d := seen.Doc
	d.Widgets[1].Y, d.Widgets[1].Query, d.Widgets[1].Refused = 20, f.open, false
	d.Widgets = append(d.Widgets[:2], d.Widgets[3])
	_, err = f.Update(t.Context(), adm, made.ID, 1, d)
	require.NoError(t, err)
	now, err := f.Get(t.Context(), sue, made.ID)
	require.NoError(t, err)
	want := f.doc().Widgets
	want[1].Y = 20
	require.Equal(t, []Widget{want[0], want[1], want[3]}, now.Widgets)
	require.Equal(t, f.secret, now.Parameters[0].Options)

	for _, id := range []string{f.secret, "nothing"} {
		_, err := f.Create(t.Context(), ana, Doc{Title: "t", Widgets: []Widget{{ID: "a", Kind: Table, Query: id, W: 1, H: 1}}}, "")
		require.EqualError(t, err, "widget a: there is no such query")
		_, err = f.Create(t.Context(), ana, Doc{Title: "t",
			Parameters: []SharedParameter{{Parameter: params.Parameter{Name: "p", Kind: params.Text}, Options: id}}}, "")
		require.EqualError(t, err, "parameter p: there is no such query")
	}
	_, err = f.Create(t.Context(), ana, Doc{Title: "t", Widgets: []Widget{{ID: "a", Kind: Table, Refused: true, W: 1, H: 1}}}, "")
	require.EqualError(t, err, "widget a: there is no such query")

	require.NoError(t, f.Queries.Delete(t.Context(), sue, f.secret)) // gone and hidden look alike, for everybody
	now, err = f.Get(t.Context(), sue, made.ID)
	require.NoError(t, err)
	require.True(t, now.Widgets[1].Refused)
	now.Title = "Changed"
	now, err = f.Update(t.Context(), sue, made.ID, 2, now.Doc)
	require.NoError(t, err)
	_, err = f.Update(t.Context(), sue, made.ID, 2, now.Doc)
	var conflict *document.ConflictError
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, 3, conflict.Revision)
	restored, err := f.Restore(t.Context(), sue, made.ID, 3, 1)
	require.NoError(t, err)
	require.Equal(t, "Use", restored.Title)
	require.Equal(t, 4, restored.Revision)
	require.Len(t, restored.Widgets, 4)
	_, err = f.Restore(t.Context(), sue, made.ID, 4, 9)
	require.EqualError(t, err, "there is no revision 9")
	_, err = f.Update(t.Context(), ana, made.ID, 4, now.Doc)
	require.ErrorIs(t, err, document.ErrNotYours)
}

// TestFavourites: they are a person's own, and built-in dashboards keep them when they are replaced.
func TestFavourites(t *testing.T) {
	f := testStore(t, Dashboard{document.Head{ID: "usage"}, Doc{Title: "Usage"}})
	require.NoError(t, f.SetFavourite(t.Context(), ana, "usage", true))
	require.NoError(t, f.SetFavourite(t.Context(), ana, "usage", true))
	for p, want := range map[*access.Person]int{ana: 1, sue: 0} {
		list, _, err := f.List(t.Context(), p, Filter{Favourite: true})
		require.NoError(t, err)
		require.Len(t, list, want)
	}
	require.ErrorIs(t, f.Delete(t.Context(), ana, "usage"), document.ErrBuiltin)
	require.NoError(t, f.SetFavourite(t.Context(), ana, "usage", false))
	all, err := f.Favourites(t.Context(), ana)
	require.NoError(t, err)
	require.Empty(t, all)
}

// TestLimits: what a person can store is bounded.
func TestLimits(t *testing.T) {
	f := testStore(t)
	widget := func(id string, x, y, w, h int) Widget {
		return Widget{ID: id, Kind: Text, Text: "a", X: x, Y: y, W: w, H: h}
	}
	many := make([]Widget, maxWidgets+1)
	for i := range many {
		many[i] = widget(string(rune('a'+i%26))+strings.Repeat("b", i/26), 0, i, 1, 1)
	}
	large := make([]Widget, 20)
	for i := range large {
		large[i] = many[i]
		large[i].Text = strings.Repeat("t", maxText)
	}
	for want, d := range map[string]Doc{
		"want a title of 1 to 200 characters": {},
		"a dashboard has at most 60 widgets":  {Title: "t", Widgets: many},
		"two widgets have the id a": {Title: "t", Widgets: []Widget{
			widget("a", 0, 0, 1, 1), widget("a", 1, 0, 1, 1),
		}},
		"widgets a and b overlap": {Title: "t", Widgets: []Widget{
			widget("a", 0, 0, 2, 2), widget("b", 1, 1, 1, 1),
		}},
		"outside of the grid": {Title: "t", Widgets: []Widget{widget("a", 6, 0, 7, 2)}},
		"no id of a widget":   {Title: "t", Widgets: []Widget{widget("A b", 0, 0, 1, 1)}},
		"want a text of 0 to 20000 characters": {Title: "t", Widgets: []Widget{
			{ID: "a", Kind: Text, Text: strings.Repeat("t", maxText+1), W: 1, H: 1},
		}},
		"no kind \"pie\"": {Title: "t", Widgets: []Widget{
			{ID: "a", Kind: "pie", Query: f.open, W: 1, H: 1},
		}},
		"it has no query": {Title: "t", Widgets: []Widget{
			{ID: "a", Kind: Chart, W: 1, H: 1, Refused: false, Query: ""},
		}},
		"a text has no query": {Title: "t", Widgets: []Widget{
			{ID: "a", Kind: Text, Query: f.open, W: 1, H: 1},
		}},
		"refresh is 0, or from 60 to 604800 seconds": {Title: "t", Refresh: 5},
		"the dashboard has no parameter p": {Title: "t", Widgets: []Widget{
			{ID: "a", Kind: Chart, Query: f.open, W: 1, H: 1, Parameters: map[string]WidgetValue{"q": {Parameter: "p"}}},
		}},
		"has either a parameter of the dashboard or a value": {Title: "t", Widgets: []Widget{
			{ID: "a", Kind: Chart, Query: f.open, W: 1, H: 1, Parameters: map[string]WidgetValue{"q": {}}},
		}},
		"at most 262144 are possible": {Title: "t", Widgets: large},
		"no parameter can be named \"a b\"": {Title: "t", Parameters: []SharedParameter{
			{Parameter: params.Parameter{Name: "a b", Kind: params.Text}},
		}},
		"a dashboard has at most 20 parameters": {Title: "t", Parameters: make([]SharedParameter, maxParameters+1)},
		"parameter p: its options are no id of a saved query": {Title: "t", Parameters: []SharedParameter{
			{Parameter: params.Parameter{Name: "p", Kind: params.Text}, Options: strings.Repeat("o", 101)},
		}},
	} {
		require.ErrorContains(t, d.Clean(), want)
	}

	doc := Doc{Title: "t", Widgets: large[:12]} // 240 KB
	made, err := f.Create(t.Context(), ana, doc, "")
	require.NoError(t, err)
	for n := 1; n <= 8; n++ {
		_, err = f.Update(t.Context(), ana, made.ID, n, doc)
		require.NoError(t, err)
	}
	past, err := f.Revisions(t.Context(), ana, made.ID)
	require.NoError(t, err)
	require.Len(t, past, kind.RevisionBytes/(241<<10)) // of nine
	for range maxOwned - 1 {
		_, err := f.Create(t.Context(), ana, Doc{Title: "t"}, "")
		require.NoError(t, err)
	}
	_, err = f.Create(t.Context(), ana, Doc{Title: "t"}, "")
	require.ErrorIs(t, err, ErrTooMany)
	_, err = f.Create(t.Context(), sue, Doc{Title: "t"}, "")
	require.NoError(t, err)
}
