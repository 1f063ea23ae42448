package queries

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/queryservice"
)

// TestFailsMidway: a query that fails after many rows shows none of them, in any format.
func TestFailsMidway(t *testing.T) {
	a := served(t)
	q := answered(t, a, bob, map[string]any{"sql": "SELECT CAST(IF(a * b = 250000, 'x', '1') AS bigint) AS n " +
		"FROM UNNEST(sequence(1, 500)) AS t(a) CROSS JOIN UNNEST(sequence(1, 500)) AS u(b)"})
	for range 100 {
		if q.State.Ended() {
			break
		}
		status, text := a.Do(t, bob, "GET /queries/"+q.ID+"?wait=60", nil)
		require.Equal(t, 200, status)
		require.NoError(t, json.Unmarshal([]byte(text), &q))
	}
	require.Equal(t, queryservice.Failed, q.State)
	require.Contains(t, q.Error.Message, "'x'")
	for _, what := range []string{"rows", "result?format=csv", "result?format=parquet", "result?format=arrow", "result?format=json"} {
		status, text := a.Do(t, bob, "GET /queries/"+q.ID+"/"+what, nil)
		require.Equal(t, http.StatusConflict, status, text)
	}
}
