package pretty

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/saved/examples"
)

// TestSQL: layouts as they are meant.
func TestSQL(t *testing.T) {
	for _, c := range [][2]string{
		{"select 1", "SELECT 1"},
		{"select a,b , c from t where a=1 and b<>-2", "SELECT a, b, c\nFROM t\nWHERE a = 1 AND b <> -2"},
		{"SELECT * FROM a left join b on a.x=b.x;select 2;", "SELECT *\nFROM a\nLEFT JOIN b ON a.x = b.x;\n\nSELECT 2;"},
		{"select count(*) from t -- the rows\nwhere x='a' -- of a", "SELECT count(*)\nFROM t -- the rows\nWHERE x = 'a' -- of a"},
		{"-- first\nselect 1", "-- first\nSELECT 1"},
		{"with d as (select submission_date_obj, client_id, count(*) as n from main_summary group by 1,2) select n from d",
			"WITH\n  d AS (\n    SELECT submission_date_obj, client_id, count(*) AS n\n    FROM main_summary\n    GROUP BY 1, 2\n  )\nSELECT " +
				"n\nFROM d"},
		{"select a from t where submission_date_obj between '20180301' and '20180307' and normalized_channel='release' and x in (1,2,3)",
			"SELECT a\nFROM t\nWHERE\n  submission_date_obj BETWEEN '20180301' AND '20180307'\n  AND normalized_channel = 'release'\n  AND x " +
				"IN (1, 2, 3)"},
		{"select x from t where day='{{day}}' and d={{ day.dashed }} and 1e-5<2.5e+3",
			"SELECT x\nFROM t\nWHERE day = '{{day}}' AND d = {{ day.dashed }} AND 1e-5 < 2.5e+3"},
		{"SELECT sum(x) over (partition by a order by b), extract(year from d), date, left(a, 1) FROM t",
			"SELECT sum(x) OVER (PARTITION BY a ORDER BY b), extract(year FROM d), date, left(a, 1)\nFROM t"},
		{"SELECT 'it''s", "SELECT 'it''s"},
		{"SELECT (1", "SELECT (1"},
		{"", ""},
	} {
		require.Equal(t, c[1], SQL(c[0]))
		require.Equal(t, c[1], SQL(c[1]), "again")
	}
}

// TestLargeTexts: texts as long as a request may have take no time or room that grows with the square of their length.
func TestLargeTexts(t *testing.T) {
	const length = 1_000_000
	for _, piece := range []string{"and x ", "/*/", "/**/", "{{a}} ", "a, ", "select a from b ", "case when x then y end ", "--\n", "1;",
		"between a and b ", "join ", "()", "(select 1) "} {
		out := SQL("SELECT 1 FROM t WHERE x " + strings.Repeat(piece, length/len(piece)))
		require.Less(t, len(out), 8*length, piece)
	}
	for depth, laidOut := range map[int]bool{maxDepth - 1: true, maxDepth + 2: false, length / 10: false} {
		for _, open := range []string{"(select ", "(", "[", "(select a, (", "(with a as "} {
			n := strings.Count(open, "(") + strings.Count(open, "[")
			text := "select " + strings.Repeat(open, depth/n) + "1" + strings.Repeat(map[bool]string{true: "]", false: ")"}[open == "["], depth/n*n)
			require.Equal(t, laidOut, SQL(text) != text, "%d times %s", depth, open)
		}
	}
}

// checkLaidOut checks that a text is laid out once and for all, and means the same.
func checkLaidOut(t *testing.T, sql string) {
	out := SQL(sql)
	require.Equal(t, out, SQL(out), "laid out again: %s", sql)
	before, err := syntax.Parse(sql)
	if err != nil {
		return
	}
	after, err := syntax.Parse(out)
	require.NoError(t, err, out)
	require.True(t, syntax.Equal(before, after, nil), out)
}

// TestExamples: the examples mean the same.
func TestExamples(t *testing.T) {
	for _, e := range examples.All {
		checkLaidOut(t, e.SQL)
	}
}

// FuzzSQL: any text comes out once and for all, and one that is SQL means the same.
func FuzzSQL(f *testing.F) {
	for _, e := range examples.All {
		f.Add(e.SQL)
	}
	f.Add("SELECT a--b\n,c/**/FROM t;;-- x\nSELECT x'ff' U&\"a\" {{b}}")
	f.Fuzz(checkLaidOut)
}
