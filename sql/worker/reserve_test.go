package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
)

// wide is a table of a day with a struct of as many members as that of Firefox's metrics.
func wide(t *testing.T) query.View {
	t.Helper()
	var counters, labeled, values []string
	for i := range 2000 {
		counters = append(counters, fmt.Sprintf(`"c%d" BIGINT`, i))
		labeled = append(labeled, fmt.Sprintf(`"l%d" STRUCT("sum" BIGINT, "values" MAP(VARCHAR, BIGINT))`, i))
		values = append(values, fmt.Sprintf(`'c%d': i + %d`, i, i))
	}
	metrics := `STRUCT("counter" STRUCT(` + strings.Join(counters, ", ") + `), "labeled" STRUCT(` + strings.Join(labeled, ", ") + `))`
	dir := filepath.Join(t.TempDir(), "wide", "day=20180301")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	file := filepath.Join(dir, "part-0.parquet")
	db, err := query.Open(t.Context(), nil, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(t.Context(), "COPY (SELECT 'client-' || i AS client_id, CAST({'counter': {"+strings.Join(values, ", ")+"}, "+
		"'labeled': {'l7': {'sum': i, 'values': MAP {'a': i}}}} AS "+metrics+") AS metrics FROM range(3) AS t(i)) TO '"+file+"'")
	require.NoError(t, err)
	_, err = rows.Next()
	require.NoError(t, err)
	require.NoError(t, rows.Close())
	return query.View{Name: "wide", Files: []string{file}, PartitionKeys: []string{"day"}, Client: "client_id", Columns: []query.Column{
		{Name: "client_id", Type: "VARCHAR"}, {Name: "metrics", Type: metrics}, {Name: "day", Type: "VARCHAR"},
	}}
}

// TestWide: a table of thousands of members can be queried with the limits that the query tool has without configuration, and
// more memory than that ends a query as before.
func TestWide(t *testing.T) {
	v := wide(t)
	limits := Limits{Memory: 2 << 30}
	for _, c := range []struct {
		sql, want string
		most      int64 // bytes of memory
	}{
		{"SELECT day, count(*), sum(metrics.counter.c5) FROM wide WHERE day >= '20180301' GROUP BY 1", "20180301,3,18\n", 400 << 20},
		{"SELECT sum(metrics.counter.c1999), max(metrics.labeled.l7.sum), count(metrics.labeled.l8.sum) FROM wide", "6000,2,0\n", 400 << 20},
		{"SELECT client_id, day FROM (SELECT * FROM wide LIMIT 10) AS t ORDER BY 1",
			"client-0,20180301\nclient-1,20180301\nclient-2,20180301\n", limits.Memory},
	} {
		for _, d := range []query.Dialect{query.Presto, query.DuckDB} {
			out, s, err := runRequest(t, Request{SQL: c.sql, Dialect: d, Views: []query.View{v}, Limits: limits})
			require.NoError(t, err, "%s: %s", d, c.sql)
			_, values, _ := strings.Cut(out, "\n")
			require.Equal(t, c.want, values, "%s: %s", d, c.sql)
			require.Less(t, s.Memory, c.most)
		}
	}
	out, _, err := runRequest(t, Request{SQL: "SELECT * FROM wide ORDER BY client_id LIMIT 10", Views: []query.View{v}, Limits: limits})
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(out, "\n"))
	require.Contains(t, out, `""c1999"":2001`)

	limits.Memory = 512 << 20
	_, s, err := runRequest(t, Request{SQL: "SELECT list_sum(range(n + 1000000000)) FROM (SELECT metrics.counter.c0 AS n FROM wide) AS t",
		Dialect: query.DuckDB, Views: []query.View{v}, Limits: limits})
	require.ErrorContains(t, err, "out of memory: the limit is 512 MiB")
	require.Less(t, s.Memory, limits.Memory+ownMemory+1<<30)
}

// TestReserve: tables of hundreds of columns have no reserve, and one of thousands takes threads from the query rather than
// all memory.
func TestReserve(t *testing.T) {
	table := func(columns int) query.View {
		v := query.View{Name: "t", Files: []string{"a"}}
		for i := range columns {
			v.Columns = append(v.Columns, query.Column{Name: fmt.Sprint("c", i, "_"), Type: "MAP(VARCHAR, BIGINT)"})
		}
		return v
	}
	for _, c := range []struct {
		sql     string
		columns int
		threads int
		want    reserve
	}{
		{"SELECT * FROM t", 100, 2, reserve{}},
		{"SELECT count(*) FROM t", 5000, 2, reserve{}},
		{"SELECT C7_, count(*) FROM t", 5000, 2, reserve{}},
		{"SELECT * FROM t", 2000, 1, reserve{0, 4 * 2 * 2000 * 40 * 2048, 16 * 2 * 2000 * 40 * 2048}},
		{"SELECT * FROM t", 2000, 16, reserve{6, 4 * 7 * 2000 * 40 * 2048, 16 * 7 * 2000 * 40 * 2048}},
		{"SELECT * FROM t", 100000, 16, reserve{1, 4 * 2 * 100000 * 40 * 2048, 16 * 2 * 100000 * 40 * 2048}},
	} {
		require.Equal(t, c.want, reserveOf(&Request{SQL: c.sql, Views: []query.View{table(c.columns)}}, c.threads, 2<<30), c.sql)
	}
	unread := table(5000)
	unread.Files = nil
	require.Equal(t, reserve{}, reserveOf(&Request{SQL: "SELECT * FROM t", Views: []query.View{unread}}, 2, 2<<30))
}
