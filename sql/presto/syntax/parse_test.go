package syntax

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// formatted are queries, or expressions, and how Format writes them.
var formatted = [][2]string{
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
	{"WITH RECURSIVE a(n) AS (SELECT 1), b AS (TABLE a) SELECT * FROM a, b", `WITH RECURSIVE "a"("n") AS (SELECT 1), "b" AS (TABLE "a") SELECT * FROM "a", "b"`},
	{"SELECT * FROM a JOIN b JOIN c ON x ON y LEFT OUTER JOIN d USING (k, l) NATURAL FULL JOIN e CROSS JOIN f",
		`SELECT * FROM "a" INNER JOIN ("b" INNER JOIN "c" ON "x") ON "y" LEFT JOIN "d" USING ("k", "l") NATURAL FULL JOIN "e" CROSS JOIN "f"`},
	{"SELECT * FROM (a CROSS JOIN b) AS t, ((SELECT 1) UNION SELECT 2) u(v) TABLESAMPLE SYSTEM (10)",
		`SELECT * FROM ("a" CROSS JOIN "b") AS "t", ((SELECT 1) UNION SELECT 2) AS "u"("v") TABLESAMPLE SYSTEM (10)`},
	{"SELECT * FROM t CROSS JOIN UNNEST(a, b) WITH ORDINALITY AS u(x, y, n), LATERAL (SELECT t.a) l",
		`SELECT * FROM "t" CROSS JOIN UNNEST("a", "b") WITH ORDINALITY AS "u"("x", "y", "n"), LATERAL (SELECT "t"."a") AS "l"`},
	{"SELECT a FROM t GROUP BY DISTINCT (a, b), ROLLUP (a, (b, c)), CUBE (a), GROUPING SETS ((), a), (a) + 1 HAVING count(*) > 1",
		`SELECT "a" FROM "t" GROUP BY DISTINCT ("a", "b"), ROLLUP (("a"), ("b", "c")), CUBE (("a")), GROUPING SETS ((), ("a")), (("a" + 1)) HAVING ("count"(*) > 1)`},
	{"SELECT sum(x) OVER w, rank() OVER (w ORDER BY a ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), lag(x) IGNORE NULLS OVER (PARTITION BY p RANGE CURRENT ROW) FROM t WINDOW w AS (PARTITION BY b)",
		`SELECT "sum"("x") OVER "w", "rank"() OVER ("w" ORDER BY "a" ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), "lag"("x") IGNORE NULLS OVER ( PARTITION BY "p" RANGE CURRENT ROW) FROM "t" WINDOW "w" AS ( PARTITION BY "b")`},
	{"SELECT count(*) over FROM t", `SELECT "count"(*) AS "over" FROM "t"`},
	{"SELECT x FROM t WHERE a IN ((SELECT 1)) AND b IN (SELECT 2) AND c = ANY (VALUES 1) AND EXISTS ((SELECT 1))",
		`SELECT "x" FROM "t" WHERE (("a" IN ((SELECT 1))) AND ("b" IN (SELECT 2)) AND ("c" = ANY (VALUES 1)) AND (EXISTS ((SELECT 1))))`},
}

// expressions are written as one column.
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
	{"try_cast(x AS row(a bigint, b double precision, timestamp, c timestamp(3) with time zone, interval day to second, d array(int), int array))",
		`TRY_CAST("x" AS row("a" bigint, "b" double, timestamp, "c" timestamp(3) with time zone, interval day to second, "d" array(int), array(int)))`},
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
	{"trim(BOTH 'x' FROM a) || trim(LEADING FROM b) || trim(c) || trim(d, 'y')", `((("trim"("a", 'x') || "ltrim"("b")) || "trim"("c")) || "trim"("d", 'y'))`},
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

// parseExpression reads one expression.
func parseExpression(text string) (Expr, error) {
	s, err := Parse("SELECT " + text)
	if err != nil {
		return nil, err
	}
	return s.(*Query).Body.(*Select).Items[0].Expr, nil
}

func TestFormat(t *testing.T) {
	for _, c := range formatted {
		s, err := Parse(c[0])
		require.NoError(t, err, c[0])
		require.Equal(t, c[1], Format(s), c[0])
		again, err := Parse(c[1])
		require.NoError(t, err, c[1])
		require.Equal(t, c[1], Format(again), "the text of the text")
	}
	for _, c := range expressions {
		x, err := parseExpression(c[0])
		if c[1] == "" {
			require.Error(t, err, c[0])
			continue
		}
		require.NoError(t, err, c[0])
		require.Equal(t, c[1], Format(x), c[0])
		again, err := parseExpression(c[1])
		require.NoError(t, err, c[1])
		require.Equal(t, c[1], Format(again), "the text of the text")
	}
}

func TestShowStatements(t *testing.T) {
	for _, text := range []string{
		"SHOW TABLES", "SHOW TABLES FROM default LIKE 'm%'", "SHOW COLUMNS IN t LIKE 'a$_b' ESCAPE '$'", "DESCRIBE hive.default.t", "DESC t",
		"SHOW PARTITIONS FROM t WHERE day > '1' ORDER BY day LIMIT 3", "SHOW FUNCTIONS LIKE 'array%'", "SHOW PARTITIONS t", "SHOW SCHEMAS", "SHOW CATALOGS LIKE 'h%'", "SHOW STATS FOR t", "SHOW STATS FOR (SELECT 1)",
		"EXPLAIN SELECT 1", "EXPLAIN (TYPE LOGICAL, FORMAT JSON) SELECT 1", "EXPLAIN (SELECT 1)", "EXPLAIN ANALYZE VERBOSE SELECT 1;",
	} {
		s, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, strings.TrimSuffix(text, ";"), s.Bounds().Of(text))
	}
}

// Every node's span holds those of the nodes below it.
func TestSpans(t *testing.T) {
	for _, c := range formatted {
		s, err := Parse(c[0])
		require.NoError(t, err)
		checkSpans(t, reflect.ValueOf(s), Span{0, len(c[0])}, c[0])
	}
	s, err := Parse("SELECT (a + 1)  AS b , x.y FROM t")
	require.NoError(t, err)
	items := s.(*Query).Body.(*Select).Items
	text := "SELECT (a + 1)  AS b , x.y FROM t"
	require.Equal(t, "(a + 1)", items[0].Text.Of(text))
	require.Equal(t, "a + 1", items[0].Expr.Bounds().Of(text))
	require.Equal(t, "x.y", items[1].Span.Of(text))
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
