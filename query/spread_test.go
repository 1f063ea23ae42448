package query

import (
	"strings"
	"testing"
)

// spreadLake has a table t of two days: arrays, a map, rows, and null in all.
func spreadLake(t *testing.T) *DB {
	l := newLake(t)
	const columns = `n::BIGINT AS n, a::BIGINT[] AS a, b::VARCHAR[] AS b, m::MAP(VARCHAR, BIGINT) AS m, r::STRUCT(x BIGINT, y VARCHAR)[] AS r`
	files := []string{
		l.copy("t/v1/day=1/p.parquet", `SELECT `+columns+` FROM (VALUES (1, [10, 20], ['x'], MAP{'k': 1, 'l': 2}, [{'x': 1, 'y': 'p'}, {'x': 2, 'y': NULL}])) AS v(n, a, b, m, r)`),
		l.copy("t/v1/day=2/p.parquet", `SELECT `+columns+` FROM (VALUES (2, [], NULL, MAP {}, NULL), (3, [30, NULL], ['y', 'z', 'w'], MAP{'k': 3}, [{'x': 3, 'y': 'q'}])) AS v(n, a, b, m, r)`),
	}
	view := View{Name: "t", Aliases: []string{"t_v1"}, Files: files, PartitionKeys: []string{"day"}, Columns: []Column{
		{"n", "BIGINT"}, {"a", "BIGINT[]"}, {"b", "VARCHAR[]"}, {"m", "MAP(VARCHAR, BIGINT)"}, {"r", "STRUCT(x BIGINT, y VARCHAR)[]"}, {"day", "VARCHAR"}}}
	return open(t, view, View{Name: "other", Columns: []Column{{"k", "VARCHAR"}, {"n", "BIGINT"}}})
}

// TestSpread compares queries in which the UNNEST is taken into the table with
// the same over a CTE, whose columns are not known and which is left alone.
// The number of files tells that the condition reached the table.
func TestSpread(t *testing.T) {
	db := spreadLake(t)
	for _, c := range []struct{ sql, files string }{
		{`SELECT x.n, e FROM t AS x CROSS JOIN UNNEST(a) AS u(e) WHERE day = '2'`, "1/2"},
		{`SELECT * FROM t CROSS JOIN UNNEST(a) AS u(e) WHERE day = '2'`, "1/2"},
		{`SELECT t.n, u.e FROM t, UNNEST(t.a) u(e) WHERE day = '2' AND u.e > 10`, "1/2"},
		{`SELECT n, u.e, u.o FROM t CROSS JOIN UNNEST(a) WITH ORDINALITY AS u(e, o) WHERE day = '1'`, "1/2"},
		{`SELECT n, e, f FROM t CROSS JOIN UNNEST(a, b) AS u(e, f) WHERE day = '2'`, "1/2"},
		{`SELECT n, e, f, o FROM t CROSS JOIN UNNEST(a, b) WITH ORDINALITY AS u(e, f, o) WHERE day = '2'`, "1/2"},
		{`SELECT n, k, v FROM t CROSS JOIN UNNEST(m) AS u(k, v) WHERE day = '1'`, "1/2"},
		{`SELECT n, k, v, o FROM t CROSS JOIN UNNEST(m) WITH ORDINALITY AS u(k, v, o) WHERE day = '1'`, "1/2"},
		{`SELECT n, e, o FROM t LEFT JOIN UNNEST(a) WITH ORDINALITY AS u(e, o) ON true WHERE day = '2'`, "1/2"},
		{`SELECT n, k, v FROM t LEFT JOIN UNNEST(m) AS u(k, v) ON 1 = 1 WHERE day = '2'`, "1/2"},
		{`SELECT n, e, f FROM t LEFT JOIN UNNEST(a, b) AS u(e, f) ON TRUE WHERE day = '2'`, "1/2"},
		{`SELECT n, s.x, s.y FROM t CROSS JOIN UNNEST(r) AS u(s) WHERE day = '1'`, "1/2"},
		{`SELECT n, s.x, s.s.y FROM t CROSS JOIN UNNEST(r) AS s(s) WHERE day = '1'`, "1/2"},
		{`SELECT n, p, q FROM t CROSS JOIN UNNEST(r) AS u(p, q) WHERE day = '1'`, "1/2"},
		{`SELECT n, p, q, o FROM t CROSS JOIN UNNEST(r) WITH ORDINALITY AS u(p, q, o) WHERE day = '1'`, "1/2"},
		{`SELECT u.*, t.*, w.f FROM t CROSS JOIN UNNEST(a) AS u(e) CROSS JOIN UNNEST(b) AS w(f) WHERE day = '2'`, "1/2"},
		{`SELECT n, e, k FROM t CROSS JOIN UNNEST(a) AS u(e) CROSS JOIN UNNEST(ARRAY[u.e, e + 1]) AS w(k) WHERE day = '1'`, "1/2"},
		{`SELECT n, e FROM t CROSS JOIN UNNEST(filter(transform(a, x -> x + n), (x) -> x > cardinality(b))) AS u(e) WHERE day = '1'`, "1/2"},
		{`SELECT n, e FROM t CROSS JOIN UNNEST(CAST(a AS array(varchar))) AS u(e) WHERE day = '1'`, "1/2"},
		{`SELECT t.n, e, o.c FROM (SELECT 1 AS n, 7 AS c) AS o JOIN t ON o.n = t.n CROSS JOIN UNNEST(t.a) AS u(e) WHERE day = '1'`, "1/2"},
		{`SELECT t.n, e FROM t LEFT JOIN other ON other.n = t.n CROSS JOIN UNNEST(a) AS u(e) WHERE t.day = '1'`, "1/2"},
		{`SELECT n, e FROM t CROSS JOIN UNNEST(a) AS u(e) WHERE day = '1' UNION ALL SELECT n, e FROM t CROSS JOIN UNNEST(b) AS u(x) CROSS JOIN UNNEST(a) AS w(e) WHERE day = '1'`, "1/2"},
		{`SELECT count(*) FROM (SELECT u.e FROM t CROSS JOIN UNNEST(a) AS u(e) WHERE day = '1' GROUP BY u.e) AS u`, "1/2"},
		{`SELECT "U"."e" FROM t AS "Q" CROSS JOIN UNNEST("Q"."a") AS "U"("e") WHERE "Q".day = '1'`, "1/2"},
		{`SELECT n, (SELECT max(u.e + z) FROM (VALUES (1)) AS l(z)) FROM t CROSS JOIN UNNEST(a) AS u(e) WHERE day = '1'`, "1/2"},
		{`SELECT n, e FROM t_v1 CROSS JOIN UNNEST(a) AS u(e) WHERE extract(year FROM DATE '2018-01-01') = 2018 AND t_v1.day = '1'`, "1/2"},
		// left to DuckDB: a name twice, an alias twice, a nullable table, other relations
		{`SELECT t.n, u.n FROM t CROSS JOIN UNNEST(a) AS u(n) WHERE day = '1'`, ""},
		{`SELECT t.n, u.e, (SELECT max(u.z) FROM (VALUES (1)) AS u(z)) FROM t CROSS JOIN UNNEST(a) AS u(e) WHERE day = '1'`, ""},
		{`SELECT o.n, e FROM (SELECT 9 AS n) AS o LEFT JOIN t ON t.n = o.n CROSS JOIN UNNEST(t.a) AS u(e)`, ""},
		{`SELECT o.n, e FROM t RIGHT JOIN (SELECT 1 AS n) AS o ON t.n = o.n CROSS JOIN UNNEST(t.a) AS u(e)`, ""},
		{`SELECT n, e FROM t CROSS JOIN UNNEST(a) AS u(e) WHERE EXISTS (SELECT 1 FROM UNNEST(b) AS w(f) WHERE f = 'x')`, ""},
		{`SELECT t.n, e FROM t JOIN (SELECT [5] AS z) AS o ON true CROSS JOIN UNNEST(a || z) AS u(e)`, ""},
		{`SELECT n, e FROM t TABLESAMPLE SYSTEM (100) CROSS JOIN UNNEST(a) AS u(e)`, ""},
		{`SELECT n, e FROM (SELECT * FROM t WHERE day = '1') AS t CROSS JOIN UNNEST(a) AS u(e)`, "1/2"},
	} {
		plain := "WITH copy AS (SELECT * FROM t), t AS (SELECT * FROM copy), t_v1 AS (SELECT * FROM copy) " + c.sql
		got, want := sorted(values(t, db, c.sql)), sorted(values(t, db, plain))
		if got != want || got == "" && c.files != "" && !strings.Contains(c.sql, "other") {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, want)
		}
		if files := scanned(t, db, c.sql); files != c.files {
			t.Errorf("%s\nreads %q files, want %q", c.sql, files, c.files)
		}
	}
}

func sorted(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		for j := range i {
			if lines[i] < lines[j] {
				lines[i], lines[j] = lines[j], lines[i]
			}
		}
	}
	return strings.Join(lines, "\n")
}
