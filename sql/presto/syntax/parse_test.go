package syntax

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// queries are queries, each with the same in another writing, with all brackets.
var queries = [][2]string{
	{"SELECT 1 day, 2 share, 3 AS \"Limit\"", `SELECT 1 AS "day", 2 AS "share", 3 AS "limit"`},
	{"select count, date, timestamp from t limit limit 5", `SELECT "count", "date", "timestamp" FROM "t" AS "limit" LIMIT 5`},
	{"-- what\nSELECT /* all */ * FROM a.b.c;;", `SELECT * FROM "a"."b"."c"`},
	{"SELECT t.*, (x).y.* AS (a, b), t.\"a b\" FROM t", `SELECT "t".*, "x"."y".* AS ("a", "b"), "t"."a b" FROM "t"`},
	{"VALUES 1, (2), (3, 'a''b')", `VALUES 1, 2, ROW(3, 'a''b')`},
	{"TABLE t ORDER BY 1 DESC NULLS FIRST OFFSET 2 ROWS FETCH FIRST ROW ONLY", `TABLE "t" ORDER BY 1 DESC NULLS FIRST OFFSET 2 LIMIT 1`},
	{"SELECT 1 FETCH NEXT 3 ROWS WITH TIES", `SELECT 1 FETCH FIRST 3 ROWS WITH TIES`},
	{"SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 EXCEPT VALUES 4 LIMIT ALL",
		`SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 EXCEPT VALUES 4 LIMIT ALL`},
	{"(SELECT 1 UNION SELECT 2) INTERSECT (SELECT 3 LIMIT 1)", `(SELECT 1 UNION SELECT 2) INTERSECT (SELECT 3 LIMIT 1)`},
	{"WITH RECURSIVE a(n) AS (SELECT 1), b AS (TABLE a) SELECT * FROM a, b",
		`WITH RECURSIVE "a"("n") AS (SELECT 1), "b" AS (TABLE "a") SELECT * FROM "a", "b"`},
	{"SELECT * FROM a JOIN b JOIN c ON x ON y LEFT OUTER JOIN d USING (k, l) NATURAL FULL JOIN e CROSS JOIN f",
		`SELECT * FROM "a" INNER JOIN ("b" INNER JOIN "c" ON "x") ON "y" LEFT JOIN "d" USING ("k", "l") NATURAL FULL JOIN "e" CROSS JOIN "f"`},
	{"SELECT * FROM (a CROSS JOIN b) AS t, ((SELECT 1) UNION SELECT 2) u(v) TABLESAMPLE SYSTEM (10)",
		`SELECT * FROM ("a" CROSS JOIN "b") AS "t", ((SELECT 1) UNION SELECT 2) AS "u"("v") TABLESAMPLE SYSTEM (10)`},
	{"SELECT * FROM t CROSS JOIN UNNEST(a, b) WITH ORDINALITY AS u(x, y, n), LATERAL (SELECT t.a) l",
		`SELECT * FROM "t" CROSS JOIN UNNEST("a", "b") WITH ORDINALITY AS "u"("x", "y", "n"), LATERAL (SELECT "t"."a") AS "l"`},
	{"SELECT a FROM t GROUP BY DISTINCT (a, b), ROLLUP (a, (b, c)), CUBE (a), GROUPING SETS ((), a), (a) + 1 HAVING count(*) > 1",
		`SELECT "a" FROM "t" GROUP BY DISTINCT ("a", "b"), ROLLUP (("a"), ("b", "c")), CUBE (("a")), GROUPING SETS ((), ("a")), (("a" + 1)) ` +
			`HAVING ("count"(*) > 1)`},
	{"SELECT sum(x) OVER w, rank() OVER (w ORDER BY a ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), lag(x) IGNORE NULLS OVER " +
		"(PARTITION BY p RANGE CURRENT ROW) FROM t WINDOW w AS (PARTITION BY b)",
		`SELECT "sum"("x") OVER "w", "rank"() OVER ("w" ORDER BY "a" ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), "lag"("x") IGNORE ` +
			`NULLS OVER ( PARTITION BY "p" RANGE CURRENT ROW) FROM "t" WINDOW "w" AS ( PARTITION BY "b")`},
	{"SELECT count(*) over FROM t", `SELECT "count"(*) AS "over" FROM "t"`},
	{"SELECT x FROM t WHERE a IN ((SELECT 1)) AND b IN (SELECT 2) AND c = ANY (VALUES 1) AND EXISTS ((SELECT 1))",
		`SELECT "x" FROM "t" WHERE (("a" IN ((SELECT 1))) AND ("b" IN (SELECT 2)) AND ("c" = ANY (VALUES 1)) AND (EXISTS ((SELECT 1))))`},
}

// expressions are expressions, each with the same in another writing, with all brackets; "" for one that is refused.
var expressions = [][2]string{
	{"NOT a = 1 OR b AND NOT c", `((NOT ("a" = 1)) OR ("b" AND (NOT "c")))`},
	{"-a * b + c || d", `((((- "a") * "b") + "c") || "d")`},
	{"a - -1 - 1", `(("a" - (- 1)) - 1)`},
	{"-9223372036854775808", `-9223372036854775808`},
	{"- x AT TIME ZONE 'UTC' + INTERVAL -'1' DAY", `((- ("x" AT TIME ZONE 'UTC')) + INTERVAL -'1' DAY)`},
	{"x AT TIME ZONE INTERVAL '2' HOUR TO MINUTE", `("x" AT TIME ZONE INTERVAL '2' HOUR TO MINUTE)`},
	{"a != b", `("a" <> "b")`},
	{"a NOT BETWEEN 1 AND 2 AND b NOT LIKE 'x' ESCAPE '$'", `(("a" NOT BETWEEN 1 AND 2) AND ("b" NOT LIKE 'x' ESCAPE '$'))`},
	{"a IS NOT DISTINCT FROM b + 1", `("a" IS NOT DISTINCT FROM ("b" + 1))`},
	{"(a, b) IN ((1, 2), row(3, 4))", `(ROW("a", "b") IN (ROW(1, 2), ROW(3, 4)))`},
	{"1_000 + 0xff + 1.5 + .5 + 5. + 1e3", `(((((1000 + 255) + 1.5) + .5) + 5.) + 1E+03)`},
	{`U&'d\0061t\+000061' || U&'x!0061' UESCAPE '!' || X'65 68'`, `(('data' || 'xa') || X'6568')`},
	{"date '2018-03-01' > timestamp '2018-03-01 01:00' AND double precision '1' = decimal '1.5'",
		`(("date" '2018-03-01' > "timestamp" '2018-03-01 01:00') AND (DOUBLE PRECISION '1' = "decimal" '1.5'))`},
	{"interval + day", `("interval" + "day")`},
	{"CASE x WHEN 1 THEN 2 END + CASE WHEN a THEN b ELSE c END", `(CASE "x" WHEN 1 THEN 2 END + CASE WHEN "a" THEN "b" ELSE "c" END)`},
	{"cast(x AS array<map<bigint,array<double>>>)", `CAST("x" AS array(map(bigint, array(double))))`},
	{"try_cast(x AS row(a bigint, b double precision, timestamp, c timestamp(3) with time zone, interval day to second, d array(int), " +
		"int array))",
		`TRY_CAST("x" AS row("a" bigint, "b" double, timestamp, "c" timestamp(3) with time zone, interval day to second, "d" array(int), ` +
			`array(int)))`},
	{"cast(x AS decimal(38, 2)) + try_cast", `(CAST("x" AS decimal(38, 2)) + "try_cast")`},
	{"transform(a, x -> x + 1)[1].y", `"transform"("a", (("x") -> ("x" + 1)))[1]."y"`},
	{"reduce(a, 0, (s, x) -> s + x, () -> 1)", `"reduce"("a", 0, (("s", "x") -> ("s" + "x")), (() -> 1))`},
	{"array[1, 2] || ARRAY[]", `(ARRAY[1, 2] || ARRAY[])`},
	{"array_agg(DISTINCT x ORDER BY y DESC) FILTER (WHERE z)", `"array_agg"(DISTINCT "x" ORDER BY "y" DESC) FILTER (WHERE "z")`},
	{"listagg(DISTINCT x, ', ' ON OVERFLOW TRUNCATE '…' WITHOUT COUNT) WITHIN GROUP (ORDER BY x)",
		`LISTAGG(DISTINCT "x", ', ' ON OVERFLOW TRUNCATE '…' WITHOUT COUNT) WITHIN GROUP ( ORDER BY "x")`},
	{"extract(dow FROM x) + extract(YEAR FROM y)", `(EXTRACT("dow" FROM "x") + EXTRACT("year" FROM "y"))`},
	{"position('a' IN b) + position", `("strpos"("b", 'a') + "position")`},
	{"substring(a FROM 2 FOR 3) || substring(a, 2)", `("substring"("a", 2, 3) || "substring"("a", 2))`},
	{"trim(BOTH 'x' FROM a) || trim(LEADING FROM b) || trim(c) || trim(d, 'y')",
		`((("trim"("a", 'x') || "ltrim"("b")) || "trim"("c")) || "trim"("d", 'y'))`},
	{"normalize(a, NFKD)", `"normalize"("a", 'NFKD')`},
	{"grouping(a, t.b)", `GROUPING("a", "t"."b")`},
	{"current_timestamp(3) > localtime", `(CURRENT_TIMESTAMP(3) > LOCALTIME)`},
	{"json_exists(x, 'lax $.a' TRUE ON ERROR)", `JSON_EXISTS("x", 'lax $.a' TRUE ON ERROR)`},
	{"json_value(x FORMAT JSON, '$' PASSING 1 AS a, b AS \"B\" RETURNING bigint NULL ON EMPTY DEFAULT -1 ON ERROR)",
		`JSON_VALUE("x" FORMAT JSON, '$' PASSING 1 AS "a", "b" AS "b" RETURNING bigint NULL ON EMPTY DEFAULT (- 1) ON ERROR)`},
	{"json_query(x, '$' WITH CONDITIONAL ARRAY WRAPPER OMIT QUOTES ON SCALAR STRING EMPTY ARRAY ON EMPTY)",
		`JSON_QUERY("x", '$' WITH CONDITIONAL WRAPPER OMIT QUOTES EMPTY ARRAY ON EMPTY)`},
	{"json_object('a' : 1, KEY 'b' VALUE x FORMAT JSON ABSENT ON NULL WITH UNIQUE KEYS RETURNING varchar FORMAT JSON)",
		`JSON_OBJECT(KEY 'a' VALUE 1, KEY 'b' VALUE "x" FORMAT JSON ABSENT ON NULL WITH UNIQUE KEYS RETURNING varchar FORMAT JSON)`},
	{"json_array(1, NULL NULL ON NULL)", `JSON_ARRAY(1, NULL NULL ON NULL)`},
	{"a <= ALL (SELECT 1) = true", ""},
}

// different are queries of which no two are equal.
var different = []string{
	"SELECT a", "SELECT b", "SELECT a AS b", "SELECT a AS c", "SELECT DISTINCT a", "SELECT a, a", "SELECT *", "SELECT a.*",
	"SELECT a.* AS (b)", "SELECT a.b", "SELECT 1", "SELECT 1.0", "SELECT 1.00", "SELECT 1e0", "SELECT '1'", "SELECT X'31'",
	"SELECT -1", "SELECT +1", "SELECT NULL", "SELECT TRUE", "SELECT FALSE", "SELECT 'a'", "SELECT 'A'", "SELECT DATE '1'",
	"SELECT TIME '1'", "SELECT DATE '2'", "SELECT INTERVAL '1' DAY", "SELECT INTERVAL -'1' DAY", "SELECT INTERVAL '1' HOUR",
	"SELECT INTERVAL '1' DAY TO HOUR", "SELECT CURRENT_TIME", "SELECT CURRENT_TIME(3)", "SELECT LOCALTIME", "SELECT a[1]",
	"SELECT a[2]", "SELECT ARRAY[1]", "SELECT ROW(1)", "SELECT a + b", "SELECT a - b", "SELECT b + a", "SELECT a + (b + c)",
	"SELECT a + b + c", "SELECT a = b", "SELECT a < b", "SELECT a = ALL (SELECT 1)", "SELECT a = ANY (SELECT 1)", "SELECT a AND b",
	"SELECT a OR b", "SELECT (a AND b) AND c", "SELECT a AND b AND c", "SELECT NOT a", "SELECT a IS NULL", "SELECT a IS NOT NULL",
	"SELECT a IS DISTINCT FROM b", "SELECT a IS NOT DISTINCT FROM b", "SELECT a BETWEEN 1 AND 2", "SELECT a NOT BETWEEN 1 AND 2",
	"SELECT a IN (1)", "SELECT a IN (1, 2)", "SELECT a NOT IN (1)", "SELECT a IN (SELECT 1)", "SELECT a NOT IN (SELECT 1)",
	"SELECT a IN ((SELECT 1))", "SELECT a LIKE b", "SELECT a NOT LIKE b", "SELECT a LIKE b ESCAPE c", "SELECT EXISTS (SELECT 1)",
	"SELECT (SELECT 1)", "SELECT CASE WHEN a THEN b END", "SELECT CASE a WHEN a THEN b END", "SELECT CASE WHEN a THEN b ELSE c END",
	"SELECT CASE WHEN a THEN b WHEN a THEN b END", "SELECT CAST(a AS date)", "SELECT TRY_CAST(a AS date)", "SELECT CAST(a AS time)",
	"SELECT CAST(a AS time(1))", "SELECT CAST(a AS time(2))", "SELECT CAST(a AS row(b date))", "SELECT CAST(a AS row(c date))",
	"SELECT CAST(a AS row(date))", "SELECT a AT TIME ZONE 'UTC'", "SELECT a AT TIME ZONE 'GMT'", "SELECT f(x -> 1)",
	"SELECT f(y -> 1)", "SELECT f((x, y) -> 1)", "SELECT f()", "SELECT f(a)", "SELECT f(*)", "SELECT g(a)", "SELECT f(DISTINCT a)",
	"SELECT f(a ORDER BY b)", "SELECT f(a ORDER BY b DESC)", "SELECT f(a ORDER BY b NULLS FIRST)", "SELECT f(a) FILTER (WHERE b)",
	"SELECT f(a) IGNORE NULLS OVER ()", "SELECT f(a) RESPECT NULLS OVER ()", "SELECT f(a) OVER ()", "SELECT f(a) OVER w",
	"SELECT f(a) OVER (w)", "SELECT f(a) OVER (PARTITION BY b)", "SELECT f(a) OVER (ORDER BY b)",
	"SELECT f(a) OVER (ORDER BY b ROWS 1 PRECEDING)", "SELECT f(a) OVER (ORDER BY b RANGE 1 PRECEDING)",
	"SELECT f(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)", "SELECT f(a) OVER (ORDER BY b ROWS CURRENT ROW)",
	"SELECT EXTRACT(day FROM a)", "SELECT EXTRACT(month FROM a)", "SELECT GROUPING(a)", "SELECT GROUPING(a, b)",
	"SELECT LISTAGG(a) WITHIN GROUP (ORDER BY b)", "SELECT LISTAGG(DISTINCT a) WITHIN GROUP (ORDER BY b)",
	"SELECT LISTAGG(a, ',') WITHIN GROUP (ORDER BY b)", "SELECT LISTAGG(a ON OVERFLOW ERROR) WITHIN GROUP (ORDER BY b)",
	"SELECT LISTAGG(a ON OVERFLOW TRUNCATE WITH COUNT) WITHIN GROUP (ORDER BY b)",
	"SELECT LISTAGG(a ON OVERFLOW TRUNCATE WITHOUT COUNT) WITHIN GROUP (ORDER BY b)",
	"SELECT LISTAGG(a ON OVERFLOW TRUNCATE '-' WITH COUNT) WITHIN GROUP (ORDER BY b)", "SELECT JSON_EXISTS(a, '$')",
	"SELECT JSON_EXISTS(a, '$.b')", "SELECT JSON_EXISTS(a FORMAT JSON, '$')", "SELECT JSON_EXISTS(a, '$' TRUE ON ERROR)",
	"SELECT JSON_EXISTS(a, '$' PASSING b AS c)", "SELECT JSON_VALUE(a, '$')", "SELECT JSON_VALUE(a, '$' RETURNING date)",
	"SELECT JSON_VALUE(a, '$' NULL ON EMPTY)", "SELECT JSON_VALUE(a, '$' NULL ON ERROR)",
	"SELECT JSON_VALUE(a, '$' DEFAULT 1 ON ERROR)", "SELECT JSON_VALUE(a, '$' DEFAULT 2 ON ERROR)", "SELECT JSON_QUERY(a, '$')",
	"SELECT JSON_QUERY(a, '$' WITH WRAPPER)", "SELECT JSON_QUERY(a, '$' WITH CONDITIONAL WRAPPER)",
	"SELECT JSON_QUERY(a, '$' OMIT QUOTES)", "SELECT JSON_QUERY(a, '$' RETURNING varchar)", "SELECT JSON_OBJECT(KEY a VALUE b)",
	"SELECT JSON_OBJECT(KEY a VALUE b ABSENT ON NULL)", "SELECT JSON_OBJECT(KEY a VALUE b WITH UNIQUE KEYS)",
	"SELECT JSON_ARRAY(a)", "SELECT JSON_ARRAY(a NULL ON NULL)", "SELECT 1 FROM t", "SELECT 1 FROM s.t", "SELECT 1 FROM t AS u",
	"SELECT 1 FROM t AS u(a)", "SELECT 1 FROM t TABLESAMPLE SYSTEM (1)", "SELECT 1 FROM t TABLESAMPLE BERNOULLI (1)",
	"SELECT 1 FROM (SELECT 1)", "SELECT 1 FROM LATERAL (SELECT 1)", "SELECT 1 FROM UNNEST(a)",
	"SELECT 1 FROM UNNEST(a) WITH ORDINALITY", "SELECT 1 FROM t, u", "SELECT 1 FROM t CROSS JOIN u", "SELECT 1 FROM t JOIN u ON a",
	"SELECT 1 FROM t LEFT JOIN u ON a", "SELECT 1 FROM t RIGHT JOIN u ON a", "SELECT 1 FROM t FULL JOIN u ON a",
	"SELECT 1 FROM t JOIN u USING (a)", "SELECT 1 FROM t NATURAL JOIN u", "SELECT 1 FROM t CROSS JOIN (u CROSS JOIN v)",
	"SELECT 1 FROM t CROSS JOIN u CROSS JOIN v", "SELECT 1 WHERE a", "SELECT 1 HAVING a", "SELECT 1 GROUP BY a",
	"SELECT 1 GROUP BY DISTINCT a", "SELECT 1 GROUP BY a, b", "SELECT 1 GROUP BY (a, b)", "SELECT 1 GROUP BY ROLLUP (a)",
	"SELECT 1 GROUP BY CUBE (a)", "SELECT 1 GROUP BY GROUPING SETS (a)", "SELECT 1 WINDOW w AS (ORDER BY a)",
	"SELECT 1 WINDOW w AS (PARTITION BY a)", "VALUES 1", "VALUES 1, 2", "VALUES (1, 2)", "TABLE t", "(SELECT 1)",
	"SELECT 1 UNION SELECT 2", "SELECT 1 UNION ALL SELECT 2", "SELECT 1 INTERSECT SELECT 2", "SELECT 1 EXCEPT SELECT 2",
	"SELECT 1 UNION (SELECT 2)", "SELECT 1 ORDER BY a", "SELECT 1 ORDER BY a DESC", "SELECT 1 ORDER BY a NULLS FIRST",
	"SELECT 1 ORDER BY a NULLS LAST", "SELECT 1 OFFSET 1", "SELECT 1 LIMIT 1", "SELECT 1 LIMIT 2", "SELECT 1 LIMIT ALL",
	"SELECT 1 FETCH FIRST ROW WITH TIES", "WITH t AS (SELECT 1) SELECT 1", "WITH u AS (SELECT 1) SELECT 1",
	"WITH t(a) AS (SELECT 1) SELECT 1", "WITH RECURSIVE t AS (SELECT 1) SELECT 1", "SHOW TABLES", "SHOW TABLES LIKE 'a'",
	"SHOW COLUMNS FROM t", "SHOW FUNCTIONS", "SHOW PARTITIONS FROM t", "EXPLAIN SELECT 1", "EXPLAIN ANALYZE SELECT 1",
}

func TestEqual(t *testing.T) {
	parsed := func(sql string) Node {
		s, err := Parse(sql)
		require.NoError(t, err, sql)
		return s
	}
	for _, c := range queries {
		require.True(t, Equal(parsed(c[0]), parsed(c[1]), nil), c[0])
	}
	for _, c := range expressions {
		if c[1] == "" {
			_, err := Parse("SELECT " + c[0])
			require.Error(t, err, c[0])
			continue
		}
		require.True(t, Equal(parsed("SELECT "+c[0]), parsed("SELECT "+c[1]), nil), c[0])
	}
	for i, a := range different {
		for j, b := range different {
			require.Equal(t, i == j, Equal(parsed(a), parsed(b), nil), "%s and %s", a, b)
		}
	}
	column := func(e Expr) string {
		switch e := e.(type) {
		case *Column:
			return e.Name.Key()
		case *Field:
			return e.Name.Key()
		}
		return ""
	}
	require.True(t, Equal(parsed("SELECT t.a + b"), parsed("SELECT A + u.b"), column))
	require.False(t, Equal(parsed("SELECT t.a + b"), parsed("SELECT a + c"), column))
	require.False(t, Equal(parsed("SELECT a"), parsed("SELECT 'a'"), column))
}

func TestShowStatements(t *testing.T) {
	for _, text := range []string{
		"SHOW TABLES", "SHOW TABLES FROM default LIKE 'm%'", "SHOW COLUMNS IN t LIKE 'a$_b' ESCAPE '$'", "DESCRIBE hive.default.t", "DESC t",
		"SHOW PARTITIONS FROM t WHERE day > '1' ORDER BY day LIMIT 3", "SHOW FUNCTIONS LIKE 'array%'", "SHOW PARTITIONS t", "SHOW SCHEMAS",
		"SHOW CATALOGS LIKE 'h%'", "SHOW STATS FOR t", "SHOW STATS FOR (SELECT 1)",
		"EXPLAIN SELECT 1", "EXPLAIN (TYPE LOGICAL, FORMAT JSON) SELECT 1", "EXPLAIN (SELECT 1)", "EXPLAIN ANALYZE VERBOSE SELECT 1;",
	} {
		s, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, strings.TrimSuffix(text, ";"), s.Bounds().Text(text))
	}
}

// Every node's span holds those of the nodes below it.
func TestSpans(t *testing.T) {
	for _, c := range queries {
		s, err := Parse(c[0])
		require.NoError(t, err)
		checkSpans(t, reflect.ValueOf(s), Span{0, len(c[0])}, c[0])
	}
	s, err := Parse("SELECT (a + 1)  AS b , x.y FROM t")
	require.NoError(t, err)
	items := s.(*Query).Body.(*Select).Items
	text := "SELECT (a + 1)  AS b , x.y FROM t"
	require.Equal(t, "(a + 1)", items[0].Text.Text(text))
	require.Equal(t, "a + 1", items[0].Expr.Bounds().Text(text))
	require.Equal(t, "x.y", items[1].Span.Text(text))
}

// checkSpans walks all nodes by reflection.
func checkSpans(t *testing.T, v reflect.Value, outer Span, text string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			checkSpans(t, v.Elem(), outer, text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkSpans(t, v.Index(i), outer, text)
		}
	case reflect.Struct:
		if v.IsZero() { // what the query does not say
			return
		}
		if n, ok := v.Interface().(Node); ok && v.Type() != reflect.TypeFor[Span]() {
			s := n.Bounds()
			if s.Start < outer.Start || s.End > outer.End || s.Start > s.End {
				t.Fatalf("%T at %v is outside %v in %q", n, s, outer, text)
			}
			outer = s
		}
		for i := range v.NumField() {
			if v.Type().Field(i).Type != reflect.TypeFor[Span]() {
				checkSpans(t, v.Field(i), outer, text)
			}
		}
	}
}
