package query

import (
	"testing"
)

// spreadLake has a table t of two days: arrays, a map, rows, and null in all.
func spreadLake(t *testing.T) *DB {
	l := newLake(t)
	const columns = `n::BIGINT AS n, a::BIGINT[] AS a, b::VARCHAR[] AS b, m::MAP(VARCHAR, BIGINT) AS m, r::STRUCT(x BIGINT, y VARCHAR)[] AS r`
	files := []string{
		l.copy("t/v1/day=1/p.parquet",
			`SELECT `+columns+` FROM (VALUES (1, [10, 20], ['x'], MAP{'k': 1, 'l': 2}, [{'x': 1, 'y': 'p'}, {'x': 2, 'y': NULL}])) AS v(n, a, `+
				`b, m, r)`),
		l.copy("t/v1/day=2/p.parquet", `SELECT `+columns+` FROM (VALUES (2, [], NULL, MAP {}, NULL), (3, [30, NULL], ['y', 'z', 'w'], `+
			`MAP{'k': 3}, [{'x': 3, 'y': 'q'}])) AS v(n, a, b, m, r)`),
	}
	view := View{Name: "t", Aliases: []string{"t_v1"}, Files: files, PartitionKeys: []string{"day"}, Columns: []Column{
		{Name: "n", Type: "BIGINT"}, {Name: "a", Type: "BIGINT[]"}, {Name: "b", Type: "VARCHAR[]"}, {Name: "m", Type: "MAP(VARCHAR, BIGINT)"},
		{Name: "r", Type: "STRUCT(x BIGINT, y VARCHAR)[]"}, {Name: "day", Type: "VARCHAR"}}}
	return open(t, view, View{Name: "other", Columns: []Column{{Name: "k", Type: "VARCHAR"}, {Name: "n", Type: "BIGINT"}}})
}
