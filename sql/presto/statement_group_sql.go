package presto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
)

// key returns the expression that DuckDB groups by for key i.
func (g *grouping) key(i int) string { return cast.Key(g.keys[i].sql, g.keys[i].typ) }

// sql writes the inner SELECT: keys are g0, g1, …, aggregates a0, a1, ….
func (g *grouping) sql(from, where string) string {
	var items []string
	for i, k := range g.keys {
		sql := k.sql
		if key := g.key(i); key != k.sql { // one of the values that are equal
			sql = "first(" + sql + ")"
			if len(g.sets) > 1 {
				sql = "CASE WHEN GROUPING(" + key + ") = 0 THEN " + sql + " END"
			}
		}
		items = append(items, fmt.Sprintf("%s AS g%d", sql, i))
	}
	for i, a := range g.aggregates {
		items = append(items, fmt.Sprintf("%s AS a%d", a, i))
	}
	if len(items) == 0 || len(g.aggregates) == 0 && len(g.keys) == 0 {
		items = append(items, "count(*) AS n")
	}
	sql := "SELECT " + strings.Join(items, ", ")
	if from != "" {
		sql += " FROM " + from
	}
	return sql + where + g.by()
}

// by writes GROUP BY.
func (g *grouping) by() string {
	sets := make([]string, len(g.sets))
	for i, set := range g.sets {
		var keys []string
		for _, k := range set {
			if !slices.Contains(keys, g.key(k)) {
				keys = append(keys, g.key(k))
			}
		}
		sets[i] = strings.Join(keys, ", ")
	}
	switch {
	case len(sets) == 1 && sets[0] == "":
		return ""
	case len(sets) == 1:
		return " GROUP BY " + sets[0]
	}
	return " GROUP BY GROUPING SETS ((" + strings.Join(sets, "), (") + "))"
}

// multiply joins each set so far with each of the sets.
func (g *grouping) multiply(sets [][]int) {
	var out [][]int
	for _, a := range g.sets {
		for _, b := range sets {
			out = append(out, slices.Concat(a, b))
		}
	}
	g.sets = out
}

// distinct removes sets that are there already.
func (g *grouping) distinct() {
	seen := map[string]bool{}
	g.sets = slices.DeleteFunc(g.sets, func(set []int) bool {
		set = slices.Compact(slices.Sorted(slices.Values(set)))
		text := fmt.Sprint(set)
		defer func() { seen[text] = true }()
		return seen[text]
	})
}
