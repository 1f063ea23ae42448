package query

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query/view"
)

// tableOfMembers is a table of two days with a struct of hundreds of members. The files of the second day lack some of them, and rows
// of both have no struct.
func tableOfMembers(t *testing.T) View {
	t.Helper()
	var types, values []string
	for i := range 600 {
		types, values = append(types, fmt.Sprintf("c%d BIGINT", i)), append(values, fmt.Sprintf("'c%d': i + %d", i, i))
	}
	metrics := "STRUCT(counter STRUCT(" + strings.Join(types, ", ") + "), " +
		"labeled STRUCT(a MAP(VARCHAR, BIGINT), b STRUCT(sum BIGINT, \"values\" MAP(VARCHAR, BIGINT))), uuid STRUCT(id VARCHAR))"
	db, err := Open(t.Context(), nil, Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	root := t.TempDir()
	v := View{Name: "wide", PartitionKeys: []string{"day"}, Client: "client_id", Columns: []Column{
		{Name: "client_id", Type: "VARCHAR"}, {Name: "metrics", Type: metrics}, {Name: "n", Type: "INTEGER"}, {Name: "day", Type: "VARCHAR"},
	}, Inner: []view.Member{{Column: Column{Name: "metrics", Type: metrics}, Path: []string{"uuid", "id"}}}}
	for day, row := range []string{
		"{'counter': {" + strings.Join(values, ", ") + "}, " +
			"'labeled': {'a': MAP {'x': i}, 'b': {'sum': i, 'values': MAP {'y': i}}}, 'uuid': {'id': 'u' || i}}",
		"{'counter': {" + strings.Join(values[:300], ", ") + "}, 'uuid': {'id': 'u' || (i + 1)}}",
	} {
		file := filepath.Join(root, fmt.Sprintf("day=2018030%d", day+1), "part.parquet")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		_, err := try(db, "COPY (SELECT 'client-' || i AS client_id, CASE WHEN i <> 3 THEN "+row+" END AS metrics, i::INTEGER AS n "+
			"FROM range(5) AS t(i)) TO "+quoteText(file))
		require.NoError(t, err)
		v.Files = append(v.Files, file)
	}
	return v
}

// TestProjected: a query that reads few members of a wide struct reads files of these alone, with the rows that it has otherwise.
func TestProjected(t *testing.T) {
	v := tableOfMembers(t)
	hidden := func(id string) bool { return id == "client-1" || id == "u4" }
	for _, hide := range []func(string) bool{nil, hidden} {
		whole, err := Open(t.Context(), []View{v}, Options{TempDir: t.TempDir(), Hidden: hide})
		require.NoError(t, err)
		defer whole.Close()
		verify := func(context.Context, []Scan) error { return nil }
		db, err := Open(t.Context(), []View{v}, Options{TempDir: t.TempDir(), Hidden: hide, Verify: verify})
		require.NoError(t, err)
		defer db.Close()
		for _, c := range []struct {
			sql          string
			presto, duck bool // the files are projected
		}{
			{"SELECT day, sum(metrics.counter.c5) AS a, count(metrics.counter.c599) AS b FROM wide GROUP BY 1 ORDER BY 1", true, true},
			{"SELECT n, metrics.counter.c7 FROM wide WHERE metrics.counter.c8 > 9 ORDER BY day, n", true, true},
			{"SELECT day, n, metrics.labeled FROM wide ORDER BY 1, 2", true, true},
			{"SELECT day, n, metrics.labeled.b, metrics.labeled.b.\"values\" AS v FROM wide ORDER BY 1, 2", true, true},
			{"SELECT m.labeled.a FROM (SELECT metrics AS m, n, day FROM wide) AS t ORDER BY day, n", true, false},
			{"SELECT a.day, a.n, b.metrics.counter.c1 FROM wide AS a JOIN wide AS b ON a.metrics.counter.c0 = b.metrics.counter.c2 " +
				"ORDER BY 1, 2, 3", true, true},
			{"SELECT client_id, count(metrics.uuid.id) FROM wide WHERE day = '20180302' GROUP BY 1 ORDER BY 1", true, true},
			{"SELECT length(typeof(metrics.counter)) > 5000 AS long, metrics.counter.c1 FROM wide ORDER BY day, n", true, false},
			{"SELECT * FROM wide ORDER BY day, n", false, false},
			{"SELECT metrics.counter FROM wide ORDER BY day, n", false, false},
			{"SELECT count(*) FROM wide WHERE metrics IS NULL", false, false},
			{"SELECT count(*) FROM wide", false, false},
			{"SELECT day, metrics IS NULL AS none, metrics.counter.c1 FROM wide ORDER BY day, n", false, false},
		} {
			for _, d := range []Dialect{Presto, DuckDB} {
				want, err := whole.QueryJudged(t.Context(), d, c.sql)
				require.NoError(t, err, c.sql)
				got, err := db.QueryJudged(t.Context(), d, c.sql)
				require.NoError(t, err, c.sql)
				projected := false
				for _, n := range got.narrowed {
					projected = projected || len(n.members) > 0
				}
				id := hide != nil && c.sql == "SELECT count(*) FROM wide" // is read, to hide rows by it
				require.Equal(t, d == Presto && c.presto || d == DuckDB && c.duck || id, projected, "%s: %s", d, c.sql)
				require.Equal(t, want.Columns, got.Columns, c.sql)
				var texts [2]strings.Builder
				for i, rows := range []*Rows{want, got} {
					_, err := rows.Write(&texts[i], FormatNDJSON, WriteOptions{})
					require.NoError(t, err, c.sql)
					require.NoError(t, rows.Close())
				}
				require.Equal(t, texts[0].String(), texts[1].String(), "%s: %s", d, c.sql)
				require.NotEmpty(t, texts[0].String())
			}
		}
	}
}

// TestProjectedTypes: a statement that depends on members that it does not read gets the whole struct.
func TestProjectedTypes(t *testing.T) {
	v := tableOfMembers(t)
	db, err := Open(t.Context(), []View{v}, Options{TempDir: t.TempDir(), Verify: func(context.Context, []Scan) error { return nil }})
	require.NoError(t, err)
	defer db.Close()
	for _, c := range []struct{ sql, want string }{
		{"SELECT metrics.counter.c1 AS c FROM wide WHERE length(typeof(metrics.counter)) > 5000 AND n = 0 AND day = '20180301'", `{"c":1}`},
		{"SELECT a.c FROM (SELECT metrics.counter.c1 AS c, metrics.counter AS unused, n, day FROM wide) AS a" +
			" WHERE n = 0 AND day = '20180301'", `{"c":1}`},
		{"SELECT metrics.counter.c1 AS c FROM wide WHERE n = 0 AND day = '20180301' AND (true OR metrics.counter.c2 = 9)", `{"c":1}`},
		{"SELECT sum(c3) AS c FROM (SELECT unnest(metrics.counter) FROM wide WHERE day = '20180301') AS t", `{"c":19}`},
		{"SELECT sum(y) AS c FROM (SELECT unnest(metrics.counter) FROM wide WHERE day = '20180301') AS t(x, y)", `{"c":11}`},
		{"SELECT struct_extract(metrics, 'counter').c4 AS c FROM wide WHERE n = 0 AND day = '20180301'", `{"c":4}`},
		{"SELECT max(metrics.COUNTER.c4) AS c FROM wide", `{"c":8}`},
	} {
		rows, err := db.QueryJudged(t.Context(), DuckDB, c.sql)
		require.NoError(t, err, c.sql)
		var text strings.Builder
		_, err = rows.Write(&text, FormatNDJSON, WriteOptions{})
		require.NoError(t, err, c.sql)
		require.NoError(t, rows.Close())
		require.Equal(t, c.want+"\n", text.String(), c.sql)
	}
}

// TestProjectedNot: files that cannot be projected are read as they are, so that errors are the same.
func TestProjectedNot(t *testing.T) {
	v := tableOfMembers(t)
	verify := func(_ context.Context, scans []Scan) error {
		require.NoError(t, os.WriteFile(v.Files[0], []byte("PAR1 nothing PAR1"), 0o600))
		return nil
	}
	db, err := Open(t.Context(), []View{v}, Options{TempDir: t.TempDir(), Verify: verify})
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.QueryIn(t.Context(), Presto, "SELECT sum(metrics.counter.c1) FROM wide")
	if err == nil {
		_, err = rows.Next()
		require.NoError(t, rows.Close())
	}
	require.ErrorContains(t, err, v.Files[0])
}
