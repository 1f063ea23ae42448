package presto

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

func tables(t testing.TB) *Catalog {
	column := func(name, duck string) Column {
		typ, err := types.FromDuckDB(duck)
		require.NoError(t, err)
		return Column{Name: name, Type: typ}
	}
	return NewCatalog(
		Table{Name: "pings", Aliases: []string{"pings_v4"}, PartitionKeys: []string{"day"},
			Partitions: func() [][]string { return [][]string{{"1"}, {"2"}} },
			Columns: []Column{column("client_id", "VARCHAR"), column("n", "BIGINT"),
				column("searches", "STRUCT(engine VARCHAR, \"count\" BIGINT)[]"),
				column("tags", "VARCHAR[]"), column("env", "MAP(VARCHAR, VARCHAR)"), column("place", "STRUCT(city VARCHAR)"),
				column("day", "VARCHAR")}},
		Table{Name: "crashes", Columns: []Column{column("client_id", "VARCHAR"), column("kind", "VARCHAR")}},
		Table{Name: "app_baseline", Aliases: []string{"app.baseline"}, PartitionKeys: []string{"day"},
			Partitions: func() [][]string { return [][]string{{"3"}} }, Columns: []Column{column("seq", "BIGINT"), column("day", "VARCHAR")}},
	)
}

// TestColumnNames: a column is named as the query says, and once.
func TestColumnNames(t *testing.T) {
	for _, c := range []struct{ sql, names string }{
		{"SELECT Client_ID, n AS Number, count( * )  FROM pings GROUP BY 1, 2", "Client_ID|Number|count( * )"},
		{"SELECT n, n, n + 1, place.city FROM pings", "n|n_2|n + 1|city"},
		{"SELECT * FROM (SELECT max(n), n AS N_2, n FROM pings GROUP BY n)", "max(n)|N_2|n"},
		{"SELECT p.*, c.* FROM pings_v4 p JOIN crashes c USING (client_id)", "n|searches|tags|env|place|day|kind"},
		{"SELECT * FROM pings p JOIN crashes c USING (client_id)", "client_id|n|searches|tags|env|place|day|kind"},
		{"SELECT t.* FROM pings CROSS JOIN UNNEST(searches) AS t", "engine|count"},
		{"SELECT t.* FROM pings CROSS JOIN UNNEST(searches) WITH ORDINALITY AS t(a, b, c)", "a|b|c"},
		{"SELECT t.* FROM pings CROSS JOIN UNNEST(searches) AS t(s)", "s"},
		{"WITH a(x, y) AS (VALUES (1, 2)) SELECT *, x + y AS sum FROM a", "x|y|sum"},
		{"VALUES (1, 2)", "_col0|_col1"},
		{"SHOW PARTITIONS FROM pings", "day"},
		{"SHOW TABLES", "Table"},
		{"DESCRIBE pings", "Column|Type|Extra|Comment"},
		{"SELECT * FROM \"pings$partitions\"", "day"},
	} {
		got, err := Translate(c.sql, tables(t))
		require.NoError(t, err, c.sql)
		var names []string
		for _, column := range got.Columns {
			names = append(names, column.Name)
		}
		require.Equal(t, c.names, strings.Join(names, "|"), c.sql)
	}
}

// TestRefusals: queries that Presto refuses too, or that we do not answer, with the text they point at.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ sql, at, message, hint string }{
		{"SELECT x FROM pings", "x", "column x is not known", ""},
		{"SELECT clientid FROM pings", "clientid", "not known", "client_id"},
		{"SELECT n FROM pingz", "pingz", "there is no table pingz", "did you mean pings"},
		{"SELECT n FROM hive.main2.pings", "main2", "there is no schema main2", "hive.default"},
		{"SELECT n FROM app.baselin", "app.baselin", "there is no table app.baselin", "did you mean baseline"},
		{"DESCRIBE app.events", "app.events", "there is no table app.events", "SHOW TABLES FROM app"},
		{"SHOW TABLES FROM nothing", "nothing", "there is no schema nothing", "hive.default"},
		{"SELECT n AS m FROM pings WHERE m > 1", "m", "m is a name of the SELECT list", "repeat the expression: n"},
		{"SELECT n + 1 AS m, count(*) FROM pings GROUP BY m", "m", "a name of the SELECT list", "n + 1"},
		{"SELECT n, count(*) FROM pings", "n", "n must be in GROUP BY or in an aggregate", "arbitrary(n)"},
		{"SELECT count(*) FROM pings GROUP BY count(*)", "count(*)", "GROUP BY clause cannot contain", ""},
		{"SELECT count(*) FROM pings GROUP BY 1", "1", "calculated from groups", ""},
		{"SELECT n FROM pings ORDER BY 3", "3", "there are 1 columns", ""},
		{"SELECT client_id FROM pings, crashes", "client_id", "ambiguous", "pings.client_id or crashes.client_id"},
		{"SELECT p.client_id FROM pings p JOIN crashes USING (client_id)", "client_id", "p has no column client_id", "write client_id alone"},
		{"SELECT 1 FROM pings NATURAL JOIN crashes", "pings NATURAL JOIN crashes", "no NATURAL JOIN", "USING"},
		{"SELECT 1 FROM pings JOIN UNNEST(tags) AS t(x) ON x = 'a'", "pings JOIN UNNEST(tags) AS t(x) ON x = 'a'", "takes no condition", "WHERE"},
		{"SELECT 1 FROM pings CROSS JOIN UNNEST(tags) AS t(x, y)", "UNNEST(tags) AS t(x, y)", "2 names for 1 columns", ""},
		{"SELECT 1 FROM pings CROSS JOIN UNNEST(n) AS t(x)", "n", "UNNEST takes arrays and maps, not bigint", ""},
		{"SELECT 1 UNION SELECT 'a'", "SELECT 'a'", "column 1 of UNION is integer and varchar(1)", ""},
		{"SELECT 1 UNION SELECT 1, 2", "SELECT 1, 2", "as many columns: 1 and 2", ""},
		{"VALUES (1, 2), 3", "3", "have 2 and 1 columns", ""},
		{"SELECT DISTINCT n FROM pings ORDER BY day", "day", "only what is selected", ""},
		{"SELECT sum(n) OVER w FROM pings", "w", "there is no window w", ""},
		{"SELECT \"$path\" FROM pings", "\"$path\"", "hidden column $path is not supported", "SHOW PARTITIONS"},
		{"SELECT 1 FROM pings WHERE n = 'a'", "n = 'a'", "cannot compare bigint with varchar(1)", ""},
		{"SHOW STATS FOR pings", "SHOW STATS FOR pings", "SHOW STATS is not supported", ""},
		{"SELECT grouping(n) FROM pings GROUP BY day", "n", "n is not in GROUP BY", ""},
	} {
		_, err := Translate(c.sql, tables(t))
		var e *syntax.Error
		require.True(t, errors.As(err, &e), c.sql)
		require.Contains(t, e.Message, c.message, c.sql)
		require.Contains(t, e.Hint, c.hint, c.sql)
		require.Equal(t, c.at, e.Span.Text(c.sql), c.sql)
	}
}

// TestGrowth: a text that grows with every level ends with an error.
func TestGrowth(t *testing.T) {
	for _, sql := range []string{
		"SELECT " + strings.Repeat("nullif(", 60) + "n" + strings.Repeat(", 1)", 60) + " FROM pings",
		"SELECT " + strings.Repeat("CASE ", 60) + "n" + strings.Repeat(" WHEN 1 THEN 2 WHEN 2 THEN 1 END", 60) + " FROM pings",
		"SELECT " + strings.Repeat("transform(tags, x -> ", 60) + "'a'" + strings.Repeat(")", 60) + " FROM pings",
	} {
		if _, err := Translate(sql, tables(t)); err != nil {
			require.Contains(t, err.Error(), "too deeply nested", sql)
		}
	}
}

// TestTables: which tables a query reads.
func TestTables(t *testing.T) {
	for sql, want := range map[string][]string{
		"SELECT 1": nil,
		"WITH pings AS (SELECT * FROM crashes) SELECT * FROM pings": {"crashes"},
		"SELECT (SELECT count(*) FROM Pings_V4) FROM crashes":       {"crashes", "pings"},
		"DESCRIBE pings":              nil,
		"SHOW PARTITIONS FROM pings":  nil,
		"EXPLAIN SELECT n FROM pings": {"pings"},
	} {
		got, err := Translate(sql, tables(t))
		require.NoError(t, err, sql)
		require.Equal(t, want, got.Tables, sql)
	}
}

// FuzzTranslate: any text is translated or refused with a place in it.
func FuzzTranslate(f *testing.F) {
	for _, sql := range []string{
		"SELECT day, sum(count) FROM pings CROSS JOIN UNNEST(searches) AS t(e, count) WHERE day > '1' GROUP BY ROLLUP (day) HAVING count(*) " +
			"> 1 ORDER BY 2 DESC LIMIT 3",
		"WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT *, rank() OVER (ORDER BY n) FROM t",
		"SELECT x, (SELECT max(n) FROM pings p WHERE p.client_id = c.client_id), env['a'], transform(tags, x -> x || 'b') FROM crashes c " +
			"FULL JOIN pings USING (client_id), LATERAL (SELECT 1 x)",
		"SELECT CAST(ROW(1, TIMESTAMP '2018-03-01 UTC') AS row(a bigint, b timestamp)).b - INTERVAL '1' DAY, TRY(1 / 0), element_at(env, " +
			"'k') FROM pings",
		"SELECT DISTINCT a, listagg(b) WITHIN GROUP (ORDER BY b) FROM (VALUES (1.5, 'x'), (NULL, U&'\\0061')) t(a, b) GROUP BY GROUPING " +
			"SETS ((a), ())",
	} {
		f.Add(sql)
	}
	catalog := tables(f)
	f.Fuzz(func(t *testing.T, sql string) {
		got, err := Translate(sql, catalog)
		var e *syntax.Error
		switch {
		case err == nil:
			require.NotContains(t, got.SQL, "\x01")
		case !errors.As(err, &e) || e.Start < 0 || e.End > len(sql) || e.Line < 1:
			t.Fatalf("%q: %v", sql, err)
		}
	})
}
