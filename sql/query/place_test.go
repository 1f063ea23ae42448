package query

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlaceAtRunTime: an error of a running query has a place if one expression alone can have caused it.
func TestPlaceAtRunTime(t *testing.T) {
	db, err := Open(t.Context(), nil, Options{})
	require.NoError(t, err)
	defer db.Close()
	from := " FROM (VALUES ('12', 0), ('x1', 1)) t(s, n)"
	for sql, want := range map[string]string{
		"SELECT 1 / n" + from:                                                           "/",
		"SELECT '/' AS \"/\" /* / */, n % n" + from:                                     "%",
		"SELECT mod(7, n)" + from:                                                       "mod(",
		"SELECT CAST(7 AS decimal(3, 1)) / n" + from:                                    "/",
		"SELECT 1 / (n + 1), 1 / n" + from:                                              "",
		"SELECT 1 / (n + 1), n % n" + from:                                              "",
		"SELECT n,\n  cast(s AS bigint)" + from:                                         "cast(s AS bigint",
		"SELECT CAST(n AS varchar), CAST(s AS integer)" + from:                          "CAST(s AS integer",
		"SELECT CAST(n AS bigint), CAST(s AS bigint)" + from:                            "",
		"SELECT CAST(ARRAY[s] AS array(bigint)), CAST(n AS varchar)" + from:             "CAST(ARRAY",
		"SELECT CAST(s AS double)" + from:                                               "CAST(",
		"SELECT CAST(s AS decimal(4, 1))" + from:                                        "CAST(",
		"SELECT CAST(s AS boolean)" + from:                                              "CAST(",
		"SELECT CAST(s AS date), CAST(s AS varchar(1))" + from:                          "CAST(s AS date",
		"SELECT date(s)" + from:                                                         "date(",
		"SELECT CAST(s AS timestamp)" + from:                                            "CAST(",
		"SELECT try_cast(s AS bigint), CAST(s AS bigint)" + from:                        "CAST(s AS bigint",
		"SELECT CAST(CAST(n AS varchar) AS bigint) + CAST(s AS bigint)" + from:          "",
		"WITH a AS (SELECT s" + from + ")\nSELECT sum(CAST(a.s AS bigint)) FROM a":      "CAST(",
		"SELECT CAST(s AS bigint)" + from + " WHERE s LIKE '1%' UNION ALL SELECT 1 / 2": "",
		"SELECT element_at(ARRAY[1], n)" + from:                                         "",
	} {
		rows, err := db.QueryIn(t.Context(), Presto, sql)
		if err == nil {
			for err == nil {
				_, err = rows.Next()
			}
			require.NoError(t, rows.Close())
		}
		var e *Error
		if !errors.As(err, &e) {
			require.Empty(t, want, "%s: %v", sql, err)
			continue
		}
		if want == "" {
			require.Zero(t, e.Line, "%s: %v", sql, e)
			continue
		}
		require.NotZero(t, e.Line, "%s: %s", sql, e.Message)
		require.Contains(t, e.Text[e.Column-1:], want, sql)
		require.Equal(t, want, e.Text[e.Column-1:][:len(want)], sql)
	}
}
