package catalog

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/query"
)

// TestTotalsAndClients: what is published is summed up by table and by client.
func TestTotalsAndClients(t *testing.T) {
	s, lt := publishingSite(t)
	require.NoError(t, (&publishing{lt, "20180301"}).publish(t.Context(), 3)) // client 3 has three rows in each of two files
	totals, err := s.Totals(t.Context())
	require.NoError(t, err)
	if st := totals["crash_summary"]; st.Days != 1 || st.First != "20180301" || st.Last != "20180301" || st.Rows != 6 || st.Bytes == 0 {
		t.Errorf("crash_summary: %+v", st)
	}
	if st := totals["main_summary"]; st != (site.Total{}) {
		t.Errorf("main_summary: %+v", st)
	}
	rows, err := CountClients(t.Context(), s, t.TempDir(), []string{"3", "4"})
	require.NoError(t, err)
	if rows.Clients["3"] != 6 || rows.Clients["4"] != 0 || rows.Tables["crash_summary"] != 6 {
		t.Errorf("rows of clients: %+v", rows)
	}
	paths, err := Files(t.Context(), lt, []string{"20180302"})
	if err != nil || len(paths) != 0 {
		t.Errorf("files of another day: %v, %v", paths, err)
	}
	db, err := Open(t.Context(), s, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// TestAgain: what failed since a file was replaced is done again, a few times, and nothing else is.
func TestAgain(t *testing.T) {
	away := &query.Error{Kind: "IO Error", Table: "addons", Message: `Cannot open file "addons/part": Permission denied`}
	for _, c := range []struct {
		errs []error
		want error
	}{
		{[]error{away, away, nil}, nil},
		{append(slices.Repeat([]error{away}, maxReplaced+1), nil), away},
		{[]error{&query.Error{Kind: "IO Error", Table: "addons", Message: "No space"}, nil},
			&query.Error{Kind: "IO Error", Table: "addons", Message: "No space"}},
	} {
		n := -1
		err := Again(t.Context(), func(context.Context, []string) error { n++; return c.errs[n] })
		require.Equal(t, c.want, err)
	}
}
