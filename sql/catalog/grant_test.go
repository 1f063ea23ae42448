package catalog

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
	"github.com/pingmill/pingmill/sql/query"
)

// readerOf is a Reader of tables and columns, with all of their rows.
type readerOf func(*schema.Table) ([]string, bool)

func (r readerOf) Reads(t *schema.Table) ([]string, bool) { return r(t) }
func (r readerOf) Rows(*schema.Table) []rows.Selection    { return nil }

// TestGranted: a request has the granted tables and columns, those of the partitions with them, and nothing that names others.
func TestGranted(t *testing.T) {
	s, lt := publishingSite(t)
	require.NoError(t, (&publishing{lt, "20180301"}).publish(t.Context(), 3))
	some := func(t *schema.Table) ([]string, bool) {
		return []string{"application"}, t.Name == "crash_summary"
	}
	q, err := Granted(t.Context(), s, readerOf(some), query.Presto, "SELECT * FROM crash_summary, clients_daily")
	require.NoError(t, err)
	require.Len(t, q.Views, 1)
	v := q.Views[0]
	require.Equal(t, "crash_summary", v.Name)
	require.NotEmpty(t, v.Files)
	require.Equal(t, "client_id", v.Client, "rows of clients stay hidden")
	var names []string
	for _, c := range v.Columns {
		names = append(names, c.Name)
	}
	require.ElementsMatch(t, []string{"application", "submission_date"}, names)
	nothing := readerOf(func(*schema.Table) ([]string, bool) { return nil, false })
	q, err = Granted(t.Context(), s, nothing, query.Presto, "SELECT * FROM crash_summary")
	require.NoError(t, err)
	require.Empty(t, q.Views)
	require.Empty(t, Tables(s.Tables, nothing))
	forQueries := slices.DeleteFunc(slices.Clone(s.Tables), (*schema.Table).Internal)
	require.Len(t, Tables(s.Tables, everything{}), len(forQueries))
}
