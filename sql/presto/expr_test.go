package presto

import (
	"errors"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/stretchr/testify/require"
)

// TestTypes: the types of expressions are those that Trino's typeof prints.
func TestTypes(t *testing.T) {
	for sql, want := range map[string]string{
		"1": "integer", "2147483648": "bigint", "-2147483648": "integer", "1.50": "decimal(3,2)", ".5": "decimal(1,1)", "00.05": "decimal(2,2)",
		"1e0": "double", "'ab'": "varchar(2)",
		"NULL": "unknown", "1 + 1.5": "decimal(12,1)", "n / 3.00": "decimal(23,2)", "1.1 * 2.22": "decimal(5,3)", "1.1 % 2.22": "decimal(3,2)",
		"n + 1": "bigint", "n + 1e0": "double",
		"TINYINT '1' * TINYINT '1'": "tinyint", "ARRAY[1, 2.5]": "array(decimal(11,1))", "ROW(1, NULL)": "row(integer, unknown)",
		"ARRAY[]":                              "array(unknown)",
		"DATE '2018-03-01' + INTERVAL '1' DAY": "date", "DATE '2018-03-01' - DATE '2018-03-01'": "interval day to second",
		"TIMESTAMP '2018-03-01 12:00:00'": "timestamp(0)", "TIMESTAMP '2018-03-01 12:00:00.12 Europe/Berlin'": "timestamp(2) with time zone",
		"INTERVAL '1' DAY * 2": "interval day to second", "CASE WHEN true THEN 1 ELSE 2.5 END": "decimal(11,1)", "nullif(1, 2.5)": "integer",
		"coalesce(NULL, n)": "bigint",
		"searches[1]":       "row(engine varchar, count bigint)", "searches[1].count": "bigint", "env['a']": "varchar",
		"env": "map(varchar, varchar)",
		"CAST(NULL AS map(varchar, array(integer)))": "map(varchar, array(integer))", "transform(tags, x -> n)": "array(bigint)",
		"reduce(ARRAY[n], 0, (s, x) -> s + x, s -> s)":         "bigint",
		"date_trunc('day', TIMESTAMP '2018-03-01 12:00:00.5')": "timestamp(1)", "'a' || 'bc'": "varchar(3)", "ARRAY[1] || n": "array(bigint)",
		"now()": "timestamp(3) with time zone",
	} {
		got, err := Translate("SELECT "+sql+" FROM pings", tables(t))
		require.NoError(t, err, sql)
		require.Equal(t, want, got.Columns[0].Type.String(), sql)
	}
}

// TestPointLiterals: numbers with a point are decimals or doubles, and those that round a quotient are noted.
func TestPointLiterals(t *testing.T) {
	catalog := tables(t)
	for sql, want := range map[string]struct {
		typ   string
		noted []Rounded
	}{
		"100.0 * n / 3":                       {"decimal(23,1)", []Rounded{{"100.0", "100.0e0", 1}}},
		"round(n / 1.25, 4)":                  {"decimal(24,2)", []Rounded{{"1.25", "1.25e0", 2}}},
		"sum(n) * 1. / count(*) + 1.0 / 3":    {"decimal(22,1)", []Rounded{{"1.", "1.e0", 0}, {"1.0", "1.0e0", 1}}},
		"n * 1.0000 / 3":                      {"decimal(24,4)", nil},
		"n * 1.5":                             {"decimal(21,1)", nil},
		"n / 1.0e0":                           {"double", nil},
		"n / (SELECT 2 * 1.5)":                {"decimal(21,1)", nil},
		"CAST(n AS decimal(10,1)) / n":        {"decimal(10,1)", nil},
		"(SELECT 1.5 / n FROM pings LIMIT 1)": {"decimal(2,1)", []Rounded{{"1.5", "1.5e0", 1}}},
	} {
		catalog.DoubleLiterals = false
		got, err := Translate("SELECT "+sql+" FROM pings", catalog)
		require.NoError(t, err, sql)
		require.Equal(t, want.typ, got.Columns[0].Type.String(), sql)
		require.Equal(t, want.noted, got.Rounded, sql)
		written := sql
		for _, r := range want.noted {
			written = strings.ReplaceAll(written, r.Literal+" ", r.Double+" ")
		}
		if written != sql { // what is to be written instead makes doubles
			got, err = Translate("SELECT "+written+" FROM pings", catalog)
			require.NoError(t, err, written)
			require.Equal(t, "double", got.Columns[0].Type.String(), written)
			require.Empty(t, got.Rounded)
		}
		catalog.DoubleLiterals = true
		if got, err = Translate("SELECT "+sql+" FROM pings", catalog); strings.Contains(sql, "CAST") {
			continue
		}
		require.NoError(t, err, sql)
		require.Equal(t, "double", got.Columns[0].Type.String(), sql)
		require.Empty(t, got.Rounded)
	}
}

// TestMistakes: what is wrong in an expression is said where it is, with what to write.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ sql, at, message, hint string }{
		{"client_id = 5", "client_id = 5", "cannot compare varchar with integer", "write the number as text: '5'"},
		{"n = '5'", "n = '5'", "cannot compare bigint with varchar(1)", "without quotes: 5"},
		{"n IN (1, 'a')", "'a'", "cannot compare", "CAST"},
		{"day > DATE '2018-03-01'", "day > DATE '2018-03-01'", "cannot compare varchar with date", "date_parse"},
		{"DATE '2018-03-01' = '2018-03-01'", "DATE '2018-03-01' = '2018-03-01'", "cannot compare", "write DATE '2018-03-01'"},
		{`client_id = "abc"`, `"abc"`, "column abc is not known", "'abc'"},
		{"date_add('day', 1, day)", "date_add('day', 1, day)", "date_add does not take", "date_parse"},
		{"date_trunc('eon', now())", "date_trunc('eon', now())", "'eon' is not a unit", ""},
		{"now() AT TIME ZONE 'Nowhere'", "now() AT TIME ZONE 'Nowhere'", "not a valid time zone", ""},
		{"CAST(n AS date)", "CAST(n AS date)", "cannot cast bigint to date", "from_unixtime"},
		{"TIMESTAMP '2018-13-01'", "TIMESTAMP '2018-13-01'", "not a valid TIMESTAMP literal", ""},
		{"place.town", "town", "has no field town", ""}, {"n.a", "a", "has no field a", ""},
		{"tags['a']", "'a'", "the subscript of an array is a number", ""}, {"env[1]", "1", "the keys of the map are varchar", ""},
		{"'a' || 1", "'a' || 1", "cannot concatenate", "CAST"}, {"NOT n", "n", "must be boolean", ""},
		{"-client_id", "-client_id", "does not take varchar", ""},
		{"CASE WHEN true THEN 1 ELSE 'a' END", "'a'", "must be of one type", ""}, {"substr(day)", "substr(day)", "substr does not take", ""},
		{"strpos(day, 1)", "strpos(day, 1)", "strpos does not take", ""},
		{"transform(tags, 1)", "transform(tags, 1)", "transform does not take", ""},
		{"transform(tags, x -> y)", "y", "column y is not known", ""}, {"abs(DISTINCT n)", "abs(DISTINCT n)", "is no aggregate", ""},
		{"DATE '2018-03-01' + INTERVAL '1' HOUR", "DATE '2018-03-01' + INTERVAL '1' HOUR", "Cannot add hour", "timestamp"},
		{"CAST(day AS timestamp(9))", "timestamp(9)", "microseconds", "timestamp(6)"}, {"searches < searches", "", "", ""},
	} {
		_, err := Translate("SELECT "+c.sql+" FROM pings", tables(t))
		if c.message == "" {
			require.NoError(t, err, c.sql)
			continue
		}
		var e *syntax.Error
		require.True(t, errors.As(err, &e), "%s: %v", c.sql, err)
		require.Equal(t, c.at, e.Text("SELECT "+c.sql+" FROM pings"), c.sql)
		require.Contains(t, e.Message, c.message, c.sql)
		require.Contains(t, e.Hint, c.hint, c.sql)
	}
}

// TestPlain: what is exact in DuckDB is written plainly, since it runs over many rows.
func TestPlain(t *testing.T) {
	for sql, want := range map[string]string{
		"n + 1": `(r1."n" + CAST(1 AS BIGINT))`, "n / 7": `(r1."n" // CAST(7 AS BIGINT))`, "n = 5": `(r1."n" = CAST(5 AS BIGINT))`,
		"n BETWEEN 1 AND 5":                             `(r1."n" BETWEEN CAST(1 AS BIGINT) AND CAST(5 AS BIGINT))`,
		"day >= '20180301' AND client_id IN ('a', 'b')": `((r1."day" >= '20180301') AND (r1."client_id" IN ('a', 'b')))`,
		"n % n": `CASE WHEN r1."n" = 0 AND r1."n" IS NOT NULL THEN error('Division by zero') ELSE (r1."n" % r1."n") END`,
	} {
		got, err := Translate("SELECT "+sql+" FROM pings", tables(t))
		require.NoError(t, err, sql)
		require.Contains(t, got.SQL, want, sql)
	}
	at, err := Translate("SELECT n, CAST(client_id AS bigint) FROM pings", tables(t))
	require.NoError(t, err)
	for i := range at.SQL {
		if at.SQL[i:min(len(at.SQL), i+15)] == "regexp_full_mat" {
			require.Equal(t, 10, at.Origin(i))
		}
	}
	require.True(t, types.New(types.Bigint).Equal(at.Columns[1].Type))
}
