package web

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
)

// TestSavedAsTable: a saved query is a table for those who see it, as it is stored when a query is submitted, and for others it does not
// exist.
func TestSavedAsTable(t *testing.T) {
	v := newViewers(t)
	owner := v.add("owner", "*")
	v.add("viewer", "*")
	v.add("other", "crash_summary")
	inner, err := v.Saved.Create(t.Context(), &owner.Person, saved.Doc{Title: "Rows", SQL: "SELECT count(*) + 1 AS n FROM main_summary"}, "")
	require.NoError(t, err)
	submit := func(name, sql string) (int, queryservice.Query) {
		var q queryservice.Query
		status := v.do(name, "POST", "/queries", map[string]any{"sql": sql, "wait": 60}, &q)
		return status, q
	}
	rows := func(name, id string) string {
		var page struct{ Rows [][]int }
		require.Equal(t, 200, v.do(name, "GET", "/queries/"+id+"/rows", nil, &page))
		require.Len(t, page.Rows, 1)
		return string(rune('0' + page.Rows[0][0]))
	}
	sql := "SELECT n FROM query_" + inner.ID
	for _, name := range []string{"owner", "viewer"} {
		status, q := submit(name, sql)
		require.Equal(t, 201, status)
		require.Equal(t, "1", rows(name, q.ID))
	}
	status, q := submit("other", sql)
	require.Equal(t, 201, status)
	missing := "SELECT n FROM query_" + "aaaaaaaaaaaaa"
	_, none := submit("other", missing)
	require.Equal(t, "there is no table query_"+inner.ID, q.Error.Message)
	require.Equal(t, "there is no table query_aaaaaaaaaaaaa", none.Error.Message)
	require.Equal(t, []any{none.Error.Kind, none.Error.Hint, none.Error.Line, none.Error.Column},
		[]any{q.Error.Kind, q.Error.Hint, q.Error.Line, q.Error.Column})

	doc := inner.Doc
	doc.SQL = "SELECT 5 AS n"
	_, err = v.Saved.Update(t.Context(), &owner.Person, inner.ID, inner.Revision, doc)
	require.NoError(t, err)
	_, q = submit("other", sql) // it names no table any more
	require.Equal(t, "5", rows("other", q.ID))
	require.NoError(t, v.Saved.Delete(t.Context(), &owner.Person, inner.ID))
	_, q = submit("owner", sql)
	require.Equal(t, "there is no table query_"+inner.ID, q.Error.Message)
}
