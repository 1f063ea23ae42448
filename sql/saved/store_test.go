package saved

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved/document"
	"github.com/pingmill/pingmill/store/database"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

func TestMain(m *testing.M) { os.Exit(databasetest.Both(m)) }

var (
	analyst  = &access.Person{ID: "ana", Grants: []access.Grant{{Table: access.AllTables}}}
	searcher = &access.Person{ID: "sue", Grants: []access.Grant{{Table: access.AllTables}, {Table: "secret"}}}
	admin    = &access.Person{ID: "adm", Rights: []access.Right{access.Administer}, Grants: []access.Grant{{Table: access.AllTables}}}
	narrow   = &access.Person{ID: "nat", Grants: []access.Grant{{Table: "addons"}}}
)

// testClock is a time that tests set.
type testClock struct {
	at    time.Time
	place database.Place // of the store
}

func (c *testClock) now() time.Time { return c.at }

// testStore has three tables, one of them restricted.
func testStore(t *testing.T, builtin ...Query) (*Store, *testClock) {
	c := &testClock{time.Date(2018, 3, 10, 12, 0, 0, 0, time.UTC), databasetest.Place(t)}
	tables := []*schema.Table{{Name: "main_summary", Version: "v4"},
		{Name: "addons", Version: "v2", Columns: []schema.Column{{Name: "name"}, {Name: "version"}, {Name: "is-x"}}},
		{Name: "secret", Version: "v3", Restricted: true}}
	s, err := Open(t.Context(), c.place, c.now, tables, builtin)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s, c
}

func titles(list []Query) (all []string) {
	for _, q := range list {
		all = append(all, q.Title)
	}
	return all
}

// TestEdit: a query is created, changed with the right to it in the known revision, forked and removed.
func TestEdit(t *testing.T) {
	s, c := testStore(t, Query{Head: document.Head{ID: "example"}, Doc: Doc{Title: "An example", SQL: "SELECT 1"}})
	q, err := s.Create(t.Context(), analyst,
		Doc{Title: " Actives ", SQL: "SELECT count(*) FROM main_summary WHERE day = {{day}} AND x > {{n}}",
			Tags:       []string{"Daily  Use", "daily use", "a"},
			Parameters: []params.Parameter{{Name: "n", Kind: params.Number, Default: 5.0}, {Name: "gone", Kind: params.Text}},
			Chart:      &Chart{Kind: "number"}}, "")
	require.NoError(t, err)
	got, err := s.Get(t.Context(), searcher, q.ID)
	require.NoError(t, err)
	require.Equal(t, q, got)
	require.Equal(t, "Actives", got.Title)
	require.Equal(t, []string{"a", "daily use"}, got.Tags)
	require.Equal(t, []params.Parameter{{Name: "n", Kind: params.Number, Default: 5.0}, {Name: "day", Kind: params.Day}}, got.Parameters)

	c.at = c.at.Add(time.Hour)
	d := got.Doc
	d.Title = "Clients"
	_, err = s.Update(t.Context(), searcher, q.ID, 1, d)
	require.ErrorIs(t, err, ErrNotYours)
	_, err = s.Update(t.Context(), narrow, q.ID, 1, d)
	require.ErrorIs(t, err, ErrNotFound)
	two, err := s.Update(t.Context(), admin, q.ID, 1, d)
	require.NoError(t, err)
	require.Equal(t, 2, two.Revision)
	require.Equal(t, "ana", two.Owner)
	var conflict *ConflictError
	_, err = s.Update(t.Context(), analyst, q.ID, 1, d)
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, ConflictError{Revision: 2, Updated: c.at}, *conflict)
	revisions, err := s.Revisions(t.Context(), searcher, q.ID)
	require.NoError(t, err)
	require.Len(t, revisions, 2)
	require.Equal(t, []any{"adm", "Clients", "ana", "Actives"},
		[]any{revisions[0].Person, revisions[0].Title, revisions[1].Person, revisions[1].Title})

	fork, err := s.Fork(t.Context(), searcher, q.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"sue", q.ID, "Clients (copy)", 1}, []any{fork.Owner, fork.ForkOf, fork.Title, fork.Revision})
	require.ErrorIs(t, s.Delete(t.Context(), searcher, q.ID), ErrNotYours)
	require.NoError(t, s.Delete(t.Context(), analyst, q.ID))
	require.ErrorIs(t, s.Delete(t.Context(), analyst, q.ID), ErrNotFound)

	_, err = s.Update(t.Context(), admin, "example", 1, d)
	require.ErrorIs(t, err, ErrBuiltin)
	require.ErrorIs(t, s.Delete(t.Context(), admin, "example"), ErrBuiltin)
	fork, err = s.Fork(t.Context(), narrow, "example")
	require.NoError(t, err)
	require.False(t, fork.Builtin)
}

// TestReopen: what was saved stays, and built-in queries become those of the program.
func TestReopen(t *testing.T) {
	place, now := databasetest.Place(t), func() time.Time { return time.UnixMilli(5).UTC() }
	open := func(titles ...string) []string {
		var builtin []Query
		for _, title := range titles {
			builtin = append(builtin, Query{Head: document.Head{ID: title}, Doc: Doc{Title: title, SQL: "SELECT 1"}})
		}
		s, err := Open(t.Context(), place, now, nil, builtin)
		require.NoError(t, err)
		defer s.Close()
		if len(titles) == 2 {
			_, err = s.Create(t.Context(), analyst, Doc{Title: "mine", SQL: "SELECT 2"}, "")
			require.NoError(t, err)
		}
		var all []string
		for _, text := range []string{"", "select"} {
			list, _, err := s.List(t.Context(), narrow, Filter{Text: text})
			require.NoError(t, err)
			for _, q := range list {
				all = append(all, q.Title)
			}
		}
		return all
	}
	require.ElementsMatch(t, []string{"mine", "a", "b", "mine", "a", "b"}, open("a", "b"))
	require.ElementsMatch(t, []string{"mine", "c", "mine", "c"}, open("c"))
	_, err := Open(t.Context(), place, now, nil, []Query{{Head: document.Head{ID: "bad"}, Doc: Doc{Title: "no text"}}})
	require.ErrorContains(t, err, "example bad")
}

// TestInvalid: what cannot be kept is refused with what is wanted.
func TestInvalid(t *testing.T) {
	s, _ := testStore(t)
	good := Doc{Title: "t", SQL: "SELECT {{a}}"}
	for want, change := range map[string]func(*Doc){
		"want a title":               func(d *Doc) { d.Title = " " },
		"one line":                   func(d *Doc) { d.Title = "a\nb" },
		"want a text":                func(d *Doc) { d.SQL = "\n" },
		"want a text of 1 to 200000": func(d *Doc) { d.SQL = strings.Repeat("x", 200_001) },
		"no dialect":                 func(d *Doc) { d.Dialect = "mysql" },
		"a tag has":                  func(d *Doc) { d.Tags = []string{""} },
		"at most 20 tags":            func(d *Doc) { d.Tags = strings.Split("abcdefghijklmnopqrstu", "") },
		"no chart of kind":           func(d *Doc) { d.Chart = &Chart{Kind: "pie"} },
		"at most 20 columns":         func(d *Doc) { d.Chart = &Chart{Kind: "bar", Y: make([]string, 21)} },
		"longer than 1000":           func(d *Doc) { d.Chart = &Chart{Kind: "bar", X: strings.Repeat("x", 1001)} },
		"is no parameter":            func(d *Doc) { d.SQL = "SELECT {{a b}}" },
		"no kind":                    func(d *Doc) { d.Parameters = []params.Parameter{{Name: "a", Kind: "x"}} },
	} {
		d := good
		change(&d)
		_, err := s.Create(context.Background(), analyst, d, "")
		require.ErrorContains(t, err, want)
	}
	_, _, err := s.List(t.Context(), analyst, Filter{Cursor: "x"})
	require.ErrorContains(t, err, "no cursor")
}
