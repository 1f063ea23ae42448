package saved

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// TestSees: a person without a table's grant sees no queries with its name, in any place; who wrote it does.
func TestSees(t *testing.T) {
	s, _ := testStore(t)
	sql := "SELECT 1"
	for _, c := range []struct {
		doc                      Doc
		analyst, searcher, narow bool
	}{
		{Doc{Title: "t", SQL: sql}, true, true, true},
		{Doc{Title: "t", SQL: "SELECT * FROM main_summary"}, true, true, false},
		{Doc{Title: "t", SQL: "SELECT active_addons FROM Main_Summary_v4 m"}, true, true, false},
		{Doc{Title: "t", SQL: "SELECT active_addons FROM x"}, true, true, true},
		{Doc{Title: "t", SQL: "FROM \"ADDONS\""}, true, true, true},
		{Doc{Title: "t", SQL: "no SQL at all, addons"}, true, true, true},
		{Doc{Title: "t", SQL: "SELECT 1 -- not main_summary"}, true, true, false},
		{Doc{Title: "t", SQL: "SELECT '", Tags: []string{"main_summary"}}, true, true, true},
		{Doc{Title: "t", SQL: "SELECT * FROM secret"}, false, true, false},
		{Doc{Title: "t", SQL: "SELECT * FROM SECRET_V3"}, false, true, false},
		{Doc{Title: "t", SQL: "((( 'topsecret_x"}, false, true, false},
		{Doc{Title: "The Secret", SQL: sql}, false, true, false},
		{Doc{Title: "t", SQL: sql, Description: "see secrets"}, false, true, false},
		{Doc{Title: "t", SQL: sql, Tags: []string{"secret"}}, false, true, false},
		{Doc{Title: "t", SQL: sql, Chart: &Chart{Kind: "bar", Title: "Secret"}}, false, true, false},
		{Doc{Title: "t", SQL: "{{a}}", Parameters: []params.Parameter{{Name: "a", Kind: "text", Default: "secret"}}}, false, true, false},
		{Doc{Title: "t", SQL: "SELECT {{secret}}"}, false, true, false},
	} {
		q, err := s.Create(t.Context(), &access.Person{ID: "author"}, c.doc, "")
		require.NoError(t, err)
		for p, want := range map[*access.Person]bool{analyst: c.analyst, admin: c.analyst, searcher: c.searcher, narrow: c.narow,
			{ID: "author"}: true, {ID: "nobody"}: c.narow && !wordIn(s, c.doc.SQL)} {
			_, err := s.Get(t.Context(), p, q.ID)
			require.Equal(t, want, err == nil, "%s: %+v", p.ID, c.doc)
			list, _, err := s.List(t.Context(), p, Filter{Owner: "author"})
			require.NoError(t, err)
			require.Equal(t, want, len(list) == 1, "%s: %+v", p.ID, c.doc)
		}
		require.NoError(t, s.Delete(t.Context(), &access.Person{ID: "author"}, q.ID))
	}
}

func wordIn(s *Store, sql string) bool {
	return slices.ContainsFunc(s.tables, func(t *schema.Table) bool { return names(lexer.Words(sql), t) })
}

// TestList: search, tags, owners and tables; cursors count only what is seen.
func TestList(t *testing.T) {
	s, c := testStore(t, Query{Head: document.Head{ID: "example"},
		Doc: Doc{Title: "Crashes", SQL: "SELECT 1 FROM addons", Tags: []string{"stability"}}})
	for _, d := range []Doc{
		{Title: "Daily actives", SQL: "SELECT count(*) FROM main_summary", Description: "by channel", Tags: []string{"use"}},
		{Title: "Hidden actives", SQL: "SELECT count(*) FROM secret", Tags: []string{"use", "hidden"}},
		{Title: "Hidden too", SQL: "SELECT count(*) FROM secret"},
		{Title: "Übersicht", SQL: "SELECT 'actives' FROM addons", Tags: []string{"use"}},
	} {
		c.at = c.at.Add(1e9)
		_, err := s.Create(t.Context(), searcher, d, "")
		require.NoError(t, err)
	}
	for _, c := range []struct {
		p    *access.Person
		f    Filter
		want []string
	}{
		{searcher, Filter{}, []string{"Übersicht", "Hidden too", "Hidden actives", "Daily actives", "Crashes"}},
		{analyst, Filter{}, []string{"Übersicht", "Daily actives", "Crashes"}},
		{analyst, Filter{Text: "activ"}, []string{"Daily actives", "Übersicht"}}, // the title counts most
		{analyst, Filter{Text: "hidden"}, nil},
		{analyst, Filter{Text: "uber"}, []string{"Übersicht"}},
		{analyst, Filter{Text: "CHANNEL actives"}, []string{"Daily actives"}},
		{analyst, Filter{Text: `"' OR NEAR( * main_summary`}, nil},
		{analyst, Filter{Text: "main_summary"}, []string{"Daily actives"}},
		{analyst, Filter{Text: "*()"}, nil},
		{analyst, Filter{Tag: "Use"}, []string{"Übersicht", "Daily actives"}},
		{analyst, Filter{Tag: "hidden"}, nil},
		{analyst, Filter{Owner: "sue", Table: "addons"}, []string{"Übersicht"}},
		{analyst, Filter{Table: "addons"}, []string{"Übersicht", "Crashes"}},
	} {
		list, next, err := s.List(t.Context(), c.p, c.f)
		require.NoError(t, err, "%+v", c.f)
		require.Empty(t, next)
		require.Equal(t, c.want, titles(list), "%+v", c.f)
	}
	var all []string
	for f := (Filter{Limit: 1}); ; {
		list, next, err := s.List(t.Context(), analyst, f)
		require.NoError(t, err)
		all = append(append(all, titles(list)...), next)
		if f.Cursor = next; next == "" {
			break
		}
	}
	require.Equal(t, []string{"Übersicht", "1", "Daily actives", "2", "Crashes", ""}, all)
	tags, err := s.Tags(t.Context(), analyst)
	require.NoError(t, err)
	require.Equal(t, []Tag{{Name: "use", Count: 2}, {Name: "stability", Count: 1}}, tags)
}

// TestRevisions: what a query once was is seen up to where the person may not read it.
func TestRevisions(t *testing.T) {
	s, _ := testStore(t)
	q, err := s.Create(t.Context(), searcher, Doc{Title: "t", SQL: "SELECT 1"}, "")
	require.NoError(t, err)
	for i, sql := range []string{"SELECT * FROM secret", "SELECT 2", "SELECT 3"} {
		_, err := s.Update(t.Context(), searcher, q.ID, i+1, Doc{Title: "t", SQL: sql})
		require.NoError(t, err)
	}
	for p, want := range map[*access.Person][]string{searcher: {"SELECT 3", "SELECT 2", "SELECT * FROM secret", "SELECT 1"},
		analyst: {"SELECT 3", "SELECT 2"}} {
		list, err := s.Revisions(t.Context(), p, q.ID)
		require.NoError(t, err)
		var got []string
		for _, r := range list {
			got = append(got, r.SQL)
		}
		require.Equal(t, want, got)
	}
}

// TestLargeDocuments: pages of queries and lists of revisions end early where documents are large, and cursors lead to the rest.
func TestLargeDocuments(t *testing.T) {
	s, _ := testStore(t)
	large := Doc{Title: "t", SQL: "SELECT 1 --" + strings.Repeat("x", 199_000)}
	const documents, most = 50, document.MaxBytes/199_000 + 1
	var id string
	for range documents {
		q, err := s.Create(t.Context(), searcher, large, "")
		require.NoError(t, err)
		id = q.ID
	}
	seen := map[string]bool{}
	for f := (Filter{Owner: searcher.ID, Limit: 200}); ; {
		list, next, err := s.List(t.Context(), searcher, f)
		require.NoError(t, err)
		require.LessOrEqual(t, len(list), most)
		for _, q := range list {
			seen[q.ID] = true
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	require.Len(t, seen, documents)
	for n := range documents {
		_, err := s.Update(t.Context(), searcher, id, n+1, large)
		require.NoError(t, err)
	}
	revisions, err := s.Revisions(t.Context(), searcher, id)
	require.NoError(t, err)
	require.Len(t, revisions, most)
}

// TestColumns: a person with some columns of a table sees no query with the name of another.
func TestColumns(t *testing.T) {
	s, _ := testStore(t)
	some := &access.Person{ID: "som", Grants: []access.Grant{{Table: "addons", Columns: []string{"name"}}}}
	for sql, want := range map[string]bool{"SELECT Name FROM addons": true, "SELECT \"VERSION\" FROM addons": false,
		"SELECT version FROM x": true, "SELECT count(*) FROM addons": true, "SELECT \"is-x\" FROM addons": false,
		"SELECT is, x FROM addons": true} {
		q, err := s.Create(t.Context(), analyst, Doc{Title: "t", SQL: sql}, "")
		require.NoError(t, err)
		_, err = s.Get(t.Context(), some, q.ID)
		require.Equal(t, want, err == nil, sql)
	}
}

// TestOwnWords: to somebody who writes a restricted name without knowing of it, it is like any other word.
func TestOwnWords(t *testing.T) {
	s, _ := testStore(t)
	for _, name := range []string{"secret", "nothing", "Secret_v3", "Nothing_v3"} {
		_, err := s.Create(t.Context(), analyst, Doc{Title: "t", SQL: "SELECT * FROM " + name, Tags: []string{name}}, "")
		require.NoError(t, err)
	}
	for _, filter := range []func(name string) Filter{
		func(name string) Filter { return Filter{Table: name} }, func(name string) Filter { return Filter{Text: name} },
		func(name string) Filter { return Filter{Tag: name} },
	} {
		list, _, err := s.List(t.Context(), analyst, filter("secret"))
		require.NoError(t, err)
		other, _, err := s.List(t.Context(), analyst, filter("nothing"))
		require.NoError(t, err)
		require.NotEmpty(t, list)
		require.Len(t, other, len(list))
	}
}
