package examples

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/presto/syntax"
	"github.com/pingmill/pingmill/query/params"
)

// TestParse: all examples are SQL of Presto with the parameters that they declare, and each has what a page shows of it.
func TestParse(t *testing.T) {
	day := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	names := map[string]bool{}
	for _, e := range All {
		sql, err := e.Query(Days{day, day.AddDate(0, 0, 6)})
		require.NoError(t, err)
		_, err = syntax.Parse(sql)
		require.NoError(t, err, e.Name)
		found, err := params.Find(e.SQL, params.Presto)
		require.NoError(t, err)
		require.Len(t, found, len(e.Parameters), e.Name)
		require.NoError(t, params.Check(e.Parameters))
		require.NotNil(t, e.Chart, e.Name)
		require.NotEmpty(t, e.Title+e.Description, e.Name)
		require.NotEmpty(t, e.Tags, e.Name)
		require.False(t, names[e.Name], e.Name)
		names[e.Name] = true
	}
	require.Len(t, Saved(), len(All))
}
