package query

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCap: a result ends at its caps, at the end of a row, says so, and is whole where it just fits.
func TestCap(t *testing.T) {
	db := open(t)
	for _, c := range []struct {
		most Cap
		f    Format
		want string
		cut  string
	}{
		{Cap{Rows: 2}, FormatCSV, "i\n0\n1\n", CutRows},
		{Cap{Rows: 3}, FormatCSV, "i\n0\n1\n2\n", ""},
		{Cap{Rows: 2}, FormatJSON, "[\n{\"i\":0},\n{\"i\":1}\n]\n", CutRows},
		{Cap{Rows: 2}, FormatTable, " i\n---\n 0\n 1\n(first 2 rows)\n", CutRows},
		{Cap{Bytes: 5}, FormatCSV, "i\n0\n1\n", CutBytes},
		{Cap{Bytes: 2}, FormatTable, " i\n---\n 0\n 1\n(first 2 rows)\n", CutBytes},
		{Cap{Bytes: 7}, FormatNDJSON, "{\"i\":0}\n", CutBytes},
		{Cap{Bytes: 100}, FormatCSV, "i\n0\n1\n2\n", ""},
	} {
		var out bytes.Buffer
		rows, err := db.Query(t.Context(), "SELECT i FROM range(3) AS t(i) ORDER BY i")
		require.NoError(t, err)
		rows.Cap(c.most)
		_, err = rows.Write(&out, c.f, WriteOptions{})
		require.NoError(t, err)
		if got := out.String(); got != c.want || rows.Cut() != c.cut {
			t.Errorf("%+v %s: %q, cut %q", c.most, c.f, got, rows.Cut())
		}
		require.NoError(t, rows.Close())
	}
	for _, most := range []Cap{{Rows: 2}, {Bytes: 10}} {
		var out bytes.Buffer
		rows, err := db.Query(t.Context(), "SELECT i FROM range(3) AS t(i)")
		require.NoError(t, err)
		rows.Cap(most)
		if _, err = rows.Write(&out, FormatParquet, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "Too large") || out.Len() > 0 {
			t.Errorf("parquet of %+v: %v, %d bytes", most, err, out.Len())
		}
		require.NoError(t, rows.Close())
	}
}

// TestDuckDBDialect: DuckDB reads the text as it is, and errors name the place in it.
func TestDuckDBDialect(t *testing.T) {
	db := open(t)
	rows, err := db.QueryIn(t.Context(), DuckDB, "/* a */ SELECT 'a;b' AS x; -- the end")
	require.NoError(t, err)
	values, err := rows.Next()
	require.NoError(t, err)
	require.Equal(t, []any{"a;b"}, values)
	require.NoError(t, rows.Close())
	_, err = db.QueryIn(t.Context(), DuckDB, "SELECT 1,\n  nothing FROM range(3)")
	require.ErrorContains(t, err, "LINE 2:   nothing FROM")
}
