package syntax

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct{ sql, message, hint string }{
		{"", "line 1:1: the query is empty", ""},
		{"SELECT\n  a b c", "line 2:7: found c, expected the end of the query", ""},
		{"SELECT 1; SELECT 2", "line 1:11: there is more than one statement", "one after the other"},
		{"SELECT ä FROM t", `line 1:8: "ä" cannot be here`, "double quotes"},
		{"SELECT ‘a’", `"‘" cannot be here`, "straight quotes"},
		{"SELECT 'a", "the text has no closing quote", ""},
		{"SELECT /* a", "the comment has no end", ""},
		{"SELECT `a`", "backquotes", `"double quotes"`},
		{"SELECT 1a", "a name cannot begin with a digit", `"1a"`},
		{"SELECT 1 AS 'x'", "found 'x', expected a name", "double quotes"},
		{"SELECT 1 AS order", "found order, expected a name", `write "order"`},
		{"SELECT 99999999999999999999", "too large for a bigint", ""},
		{"SELECT a, FROM t", "found FROM", "remove the comma"},
		{"SELECT a = b = c", "a second comparison", "AND"},
		{"SELECT x IN ()", "the list of IN is empty", ""},
		{"SELECT x IS TRUE", "Presto has no IS TRUE", "x = true"},
		{"SELECT * FROM t WHERE x = ?", "a parameter is not supported", "with its values"},
		{"SELECT * FROM t LIMIT 5, 10", "LIMIT takes one number", "OFFSET n LIMIT m"},
		{"SELECT * FROM t LIMIT 5 OFFSET 10", "OFFSET comes behind LIMIT", "before LIMIT"},
		{"SELECT INTERVAL 7 DAY", "the number of an interval is in quotes", "INTERVAL '7' DAY"},
		{"SELECT INTERVAL '7 days'", "expected a unit", "INTERVAL '7' DAY"},
		{"SELECT listagg(x, ',')", "expected WITHIN GROUP", "listagg(x, ', ') WITHIN GROUP (ORDER BY x)"},
		{"SELECT lag(x IGNORE NULLS) OVER ()", "found IGNORE", "behind the brackets"},
		{"SELECT left(a, 2)", "found left, expected an expression", "substr(x, 1, n)"},
		{"SELECT * FROM t WHERE a == 1", "found ==", "write ="},
		{"SELECT * FROM t WHERE a ILIKE 'x'", "found ILIKE", "lower(x) LIKE"},
		{"SELECT a FROM t LATERAL VIEW explode(x) u", "found", "UNNEST"},

		{"SELECT a::date FROM t", "found ::", "--dialect duckdb"},
		{"FROM t", "found FROM", "--dialect duckdb"},
		{"SELECT * EXCLUDE (a) FROM t", "found EXCLUDE", "--dialect duckdb"},
		{"SELECT * FROM t QUALIFY row_number() OVER (ORDER BY a) = 1", "found QUALIFY", "--dialect duckdb"},
		{"SELECT * FROM read_parquet('x')", "read_parquet(…) is not a table", "--dialect duckdb"},
		{"SELECT * FROM 'x.parquet'", "found 'x.parquet'", "--dialect duckdb"},
		{"SELECT [1, 2]", "found [", "ARRAY[…]"},
		{"SELECT {'a': 1}", "found {", "--dialect duckdb"},
		{"SELECT a, count(*) FROM t GROUP BY ALL", "found the end", "--dialect duckdb"},
		{"SELECT DISTINCT ON (a) b FROM t", "found ON", "--dialect duckdb"},
		{"COPY t TO 'x'", "found COPY", "--dialect duckdb"},

		{"INSERT INTO t SELECT 1", "INSERT is not supported", "read-only"},
		{"CREATE TABLE t AS SELECT 1", "CREATE is not supported", "read-only"},
		{"EXPLAIN DELETE FROM t", "EXPLAIN DELETE is not supported", "read-only"},
		{"SET SESSION a = 1", "SET is not supported", "runs alone"},
		{"PREPARE q FROM SELECT 1", "PREPARE is not supported", "the query itself"},
		{"SHOW CREATE TABLE t", "SHOW CREATE is not supported", "pingmill schema"},
		{"SELECT * FROM t MATCH_RECOGNIZE (PATTERN (a))", "MATCH_RECOGNIZE is not supported", "lag"},
		{"SELECT * FROM TABLE(sequence(1, 2))", "a table function is not supported", "UNNEST"},

		{"SELECT " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000), "nested more than 500 levels", ""},
		{"SELECT " + strings.Repeat("(", 1_000_000), "nested more than 500 levels", ""},
		{"SELECT 1" + strings.Repeat(" + 1", 1000), "more than 500 operations", ""},
		{"SELECT " + strings.Repeat("-(", 1000), "nested more than 500 levels", ""},
		{"SELECT CAST(1 AS " + strings.Repeat("array(", 1000), "nested more than 500 levels", ""},
	} {
		_, err := Parse(c.sql)
		require.Error(t, err, c.sql)
		var e *Error
		require.True(t, errors.As(err, &e))
		require.Contains(t, e.Error(), c.message)
		require.Contains(t, e.Hint, c.hint, c.sql)
		if c.hint == "" {
			require.Empty(t, e.Hint, c.sql)
		}
	}
	_, err := Parse("SELECT 1 WHERE a" + strings.Repeat(" OR a", 10_000))
	require.NoError(t, err, "OR and AND are not nested")
}
