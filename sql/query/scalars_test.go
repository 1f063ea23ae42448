package query

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestErrorOfFunction: an error of a function in Go is the query's, with Presto's name of it.
func TestErrorOfFunction(t *testing.T) {
	rows, err := open(t).QueryIn(t.Context(), DuckDB, "SELECT presto_split('a', '') FROM range(3)")
	if err == nil {
		defer rows.Close()
		_, err = rows.Next()
	}
	require.EqualError(t, err, "INVALID_FUNCTION_ARGUMENT: The delimiter may not be the empty string")
}
