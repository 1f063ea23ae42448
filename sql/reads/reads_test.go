package reads

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/lexer"
)

var tables = []Table{{Names: []string{"t", "t_v2"}, Key: "day"}, {Names: []string{"u"}, Key: "date"},
	{Names: []string{"snap"}, Snapshots: true}}

// limited returns the days of each table that a query in Presto's SQL limits.
func limited(sql string) map[int]Range {
	if Parse(lexer.Presto, sql).tree == nil {
		return nil
	}
	found := Parse(lexer.Presto, sql).Find(tables)
	maps.DeleteFunc(found, func(_ int, r Range) bool { return r.All() })
	return found
}

// TestDays: the days of each table, by the first letter of its name; none where all are read.
func TestDays(t *testing.T) {
	for sql, want := range map[string]map[int]Range{
		"SELECT 1":                              {},
		"SELECT * FROM t":                       {},
		"SELECT day FROM other WHERE day = '5'": {},
		"SELECT * FROM t WHERE day = '5'":       {0: {"5", "5"}},
		"SELECT * FROM T_V2 WHERE DAY = '5'":    {0: {"5", "5"}},
		"SELECT * FROM hive.default.t WHERE \"day\" BETWEEN '5' AND '7' AND n > 1": {0: {"5", "7"}},
		"SELECT * FROM t WHERE (day > '3' AND '5' > day)":                          {0: {"3", "5"}},
		"SELECT * FROM t WHERE day IN ('3', '1')":                                  {0: {"1", "3"}},
		"SELECT * FROM t WHERE day >= '3'":                                         {0: {"3", last}},
		"SELECT * FROM t WHERE day = '3' AND day = '5'":                            {0: {"5", "3"}},
		"EXPLAIN SELECT * FROM t x WHERE x.day = '5'":                              {0: {"5", "5"}},
		// Conditions that leave no day out, or of which it is not known.
		"SELECT * FROM t WHERE day = '5' OR n = 1":                 {},
		"SELECT * FROM t WHERE NOT day = '5'":                      {},
		"SELECT * FROM t WHERE day <> '5'":                         {},
		"SELECT * FROM t WHERE day NOT BETWEEN '1' AND '2'":        {},
		"SELECT * FROM t WHERE day NOT IN ('1')":                   {},
		"SELECT * FROM t WHERE day IN ('1', n)":                    {},
		"SELECT * FROM t WHERE day > date_format(now(), '%Y%m%d')": {},
		"SELECT * FROM t WHERE lower(day) = '5'":                   {},
		"SELECT * FROM t WHERE t2.day = '5'":                       {},
		"SELECT * FROM t x WHERE t.day = '5'":                      {},
		"SELECT * FROM t AS x(day, n) WHERE day = '5'":             {},
		"SELECT * FROM (t CROSS JOIN u) x WHERE day = '5'":         {},
		"SELECT day = '5' FROM t HAVING day = '5'":                 {},
		"SELECT * FROM t WHERE day IS NULL":                        {},
		"TABLE t":                                                  {},
		"SHOW PARTITIONS FROM t WHERE day = '5'":                   nil,
		"SELECT * FROM \"t$partitions\" WHERE day = '5'":           {},
		"this is no query":                                         nil,
		// Several places of a table.
		"SELECT * FROM t WHERE day = '3' UNION ALL SELECT * FROM t WHERE day = '7'":           {0: {"3", "7"}},
		"SELECT * FROM t WHERE day = '3' UNION ALL SELECT * FROM t":                           {},
		"SELECT * FROM t WHERE day = '3' AND n IN (SELECT n FROM t WHERE day = '4')":          {0: {"3", "4"}},
		"SELECT * FROM t WHERE day = '3' AND n IN (SELECT n FROM t)":                          {},
		"SELECT * FROM t WHERE day = '3' AND n = (SELECT max(n) FROM t AS x)":                 {},
		"WITH a AS (SELECT * FROM t WHERE day = '3') SELECT * FROM a":                         {0: {"3", "3"}},
		"WITH a AS (SELECT * FROM t) SELECT * FROM a WHERE day = '3'":                         {},
		"WITH t AS (SELECT * FROM u) SELECT * FROM t WHERE day = '3'":                         {},
		"SELECT * FROM t WHERE day = '1' AND day = '0' UNION SELECT * FROM t WHERE day = '7'": {0: {"7", "7"}},
		// Joins.
		"SELECT * FROM t, u WHERE day = '3' AND date = '4'":                          {0: {"3", "3"}, 1: {"4", "4"}},
		"SELECT * FROM t LEFT JOIN u ON t.n = u.n WHERE u.date = '4'":                {1: {"4", "4"}},
		"SELECT * FROM t LEFT JOIN u ON t.n = u.n AND u.date = '4' AND t.day = '3'":  {1: {"4", "4"}},
		"SELECT * FROM t RIGHT JOIN u ON t.n = u.n AND u.date = '4' AND t.day = '3'": {0: {"3", "3"}},
		"SELECT * FROM t JOIN u ON t.n = u.n AND u.date = '4' AND t.day = '3'":       {0: {"3", "3"}, 1: {"4", "4"}},
		"SELECT * FROM t FULL JOIN u ON t.n = u.n AND u.date = '4' AND t.day = '3'":  {},
		"SELECT * FROM t a JOIN t b USING (n) WHERE a.day = '1' AND b.day >= '5'":    {0: {"1", last}},
		"SELECT * FROM t a JOIN t b USING (day) WHERE day = '1'":                     {0: {"1", "1"}},
		"SELECT * FROM t TABLESAMPLE BERNOULLI (10) WHERE day = '1'":                 {0: {"1", "1"}},
		"SELECT * FROM t CROSS JOIN UNNEST(a) AS x(k) WHERE day = '1'":               {0: {"1", "1"}},
	} {
		require.Equal(t, want, limited(sql), sql)
	}
}

// TestHas: both ends are in.
func TestHas(t *testing.T) {
	r := Range{"20180301", "20180303"}
	for day, want := range map[string]bool{"20180228": false, "20180301": true, "20180303": true, "20180304": false} {
		require.Equal(t, want, r.Has(day), day)
	}
	require.False(t, Range{"5", "3"}.Has("4"))
	require.True(t, every.Has("20180301"))
}

// TestTables: the tree of Presto's SQL names the tables, and any word of other texts.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		dialect lexer.Dialect
		sql     string
		want    []int
	}{
		{lexer.Presto, "SELECT * FROM t WHERE day = 'u' -- u\n", []int{0}},
		{lexer.Presto, "SELECT (SELECT max(n) FROM \"U\") FROM hive.default.t_v2", []int{0, 1}},
		{lexer.Presto, "SELECT u FROM other", nil},
		{lexer.Presto, "WITH t AS (SELECT 1) SELECT * FROM t", []int{0}},
		{lexer.Presto, "EXPLAIN SELECT * FROM u", []int{1}},
		{lexer.Presto, "DESCRIBE u", []int{1}},
		{lexer.Presto, "SELECT * FROM snap_v20180630", []int{2}},
		{lexer.Presto, "SELECT * FROM t WHERE day = {{u}}", []int{0, 1}},
		{lexer.Presto, "SELECT 'u", []int{1}},
		{lexer.DuckDB, "FROM 't' -- u\n", []int{0, 1}},
		{lexer.DuckDB, "SELECT * FROM another", nil},
		{lexer.DuckDB, "SELECT 1t, \"u$x\"", []int{0, 1}},
	} {
		require.Equal(t, c.want, slices.Sorted(maps.Keys(Parse(c.dialect, c.sql).Find(tables))), "%s: %s", c.dialect, c.sql)
	}
}

// TestOnlyNamed: which queries can request only the names of tables that they do not read.
func TestOnlyNamed(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT 1":                true,
		"SELECT * FROM t":         true,
		"EXPLAIN SELECT * FROM t": true,
		"SELECT * FROM (SELECT * FROM t WHERE x IN (SELECT y FROM u))":                          true,
		"SELECT * FROM information_schema.columns":                                              false,
		"SELECT * FROM hive.INFORMATION_SCHEMA.columns c":                                       false,
		"SELECT * FROM t WHERE x IN (SELECT column_name FROM information_schema.columns)":       false,
		"WITH c AS (SELECT * FROM \"information_schema\".columns) SELECT * FROM t CROSS JOIN c": false,
		"TABLE information_schema.columns":                                                      false,
		"DESCRIBE t":                                                                            false,
		"SHOW TABLES":                                                                           false,
		"this is no query":                                                                      false,
	} {
		require.Equal(t, want, Parse(lexer.Presto, sql).OnlyNamed(), sql)
		require.False(t, Parse(lexer.DuckDB, sql).OnlyNamed(), sql)
	}
}
