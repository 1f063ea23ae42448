package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
)

// TestDays: only days that a query can read are listed, by the day as the column has it.
func TestDays(t *testing.T) {
	s, lt := publishingSite(t) // of crash_summary, whose days have dashes
	for _, day := range []string{"20180301", "20180302", "20180303"} {
		require.NoError(t, (&publishing{lt, day}).publish(t.Context(), 3))
	}
	for _, c := range []struct {
		dialect query.Dialect
		sql     string
		want    int
	}{
		{query.Presto, "SELECT count(*) FROM crash_summary", 3},
		{query.Presto, "SELECT count(*) FROM crash_summary WHERE submission_date = '2018-03-02'", 1},
		{query.Presto, "SELECT count(*) FROM Crash_Summary_V1 WHERE submission_date >= '2018-03-02'", 2},
		{query.Presto, "SELECT count(*) FROM crash_summary WHERE submission_date = '20180302'", 0},
		{query.Presto, "SELECT count(*) FROM \"crash_summary$partitions\" WHERE submission_date = '2018-03-02'", 3},
		{query.DuckDB, "SELECT count(*) FROM crash_summary WHERE submission_date = '2018-03-02'", 3},
	} {
		q, err := Request(t.Context(), s, c.dialect, c.sql)
		require.NoError(t, err)
		listed := map[string]bool{}
		for _, v := range q.Views {
			require.Equal(t, v.Name != lt.Schema.Name, v.Unlisted, v.Name)
			for _, f := range v.Files {
				listed[v.Day(f)] = true
			}
		}
		require.Len(t, listed, c.want, c.sql)
	}
}

// TestNamesOnly: a worker gets the columns of a table that its query does not read only where the query can ask for them.
func TestNamesOnly(t *testing.T) {
	s, _ := publishingSite(t)
	for sql, want := range map[string]bool{
		"SELECT count(*) FROM crash_summary":              false,
		"SELECT count(*) FROM information_schema.columns": true,
		"DESCRIBE clients_daily":                          true,
		"not a query":                                     true,
	} {
		q, err := Request(t.Context(), s, query.Presto, sql)
		require.NoError(t, err)
		names := map[string]bool{}
		for _, v := range q.Views {
			names[v.Name] = true
			require.Equal(t, want || v.Name == "crash_summary", len(v.Columns) > 0, "%s: %s", sql, v.Name)
		}
		for _, table := range s.Tables {
			require.Equal(t, !table.Internal(), names[table.Name], table.Name)
		}
	}
}
