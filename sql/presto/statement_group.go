package presto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// grouping is a query in groups: an inner SELECT gives keys and aggregates, of which
// the outer one calculates the SELECT list, HAVING, windows and ORDER BY.
type grouping struct {
	alias      string
	keys       []groupKey
	sets       [][]int // keys of each grouping set
	aggregates []string
}

// groupKey holds an expression of GROUP BY.
type groupKey struct {
	sql  string
	expr syntax.Expr // nil for a column of *
	typ  types.Type
	name bool // whether it is a column
}

// grouped reports whether the query has groups, be it one of all rows.
func (t *translator) grouped(sel *selection) bool {
	if sel.node.GroupBy != nil || sel.node.Having != nil || aggregates(sel.node) {
		return true
	}
	for _, o := range sel.order {
		if aggregates(o.Expr) {
			return true
		}
	}
	return false
}

// aggregates reports whether the SELECT list, or an expression, calls an aggregate.
func aggregates(n syntax.Node) bool {
	return calls(n, func(e syntax.Node) bool {
		switch e := e.(type) {
		case *syntax.Call:
			return isAggregate(e)
		case *syntax.Listagg, *syntax.Grouping:
			return true
		}
		return false
	})
}

func isAggregate(e *syntax.Call) bool {
	f := functions.Find(e.Name.Key())
	return f != nil && f.Kind == functions.Aggregate && e.Over == nil
}

// windows reports whether the SELECT list calls a window function.
func windows(n syntax.Node) bool {
	return calls(n, func(e syntax.Node) bool {
		c, ok := e.(*syntax.Call)
		return ok && c.Over != nil
	})
}

// calls looks for a call in the SELECT list of a query, or in an expression, and not in queries
// inside of it.
func calls(n syntax.Node, is func(syntax.Node) bool) bool {
	if s, ok := n.(*syntax.Select); ok {
		return slices.ContainsFunc(s.Items, func(it syntax.SelectItem) bool { return it.Expr != nil && calls(it.Expr, is) })
	}
	found := false
	syntax.Inspect(n, func(e syntax.Node) bool {
		if _, ok := e.(*syntax.Query); ok {
			return false
		}
		found = found || is(e)
		return !found
	})
	return found
}

// groupBy translates GROUP BY, and makes the scope in which only keys and aggregates
// have values.
func (t *translator) groupBy(sel *selection) {
	g := &grouping{alias: t.alias("g"), sets: [][]int{nil}}
	if by := sel.node.GroupBy; by != nil {
		for _, e := range by.Elements {
			g.multiply(t.groupSets(sel, g, e))
			if len(g.sets) > 2048 {
				t.fail(e, "", "GROUP BY has more than 2048 grouping sets")
			}
		}
		if by.Distinct {
			g.distinct()
		}
	}
	sel.group = g
	sel.scope = &Scope{
		Outer: sel.source.Outer, Windows: true, Clause: "SELECT clause", Aliases: sel.source.Aliases, Window: sel.source.Window,
		Rewrite: func(e syntax.Expr) (Expr, bool) { return t.ofGroup(sel, e) },
	}
}

// groupSets returns the sets of an element of GROUP BY.
func (t *translator) groupSets(sel *selection, g *grouping, e syntax.GroupElement) [][]int {
	sets := make([][]int, len(e.Sets))
	for i, set := range e.Sets {
		for _, x := range set {
			sets[i] = append(sets[i], t.groupKey(sel, g, x))
		}
	}
	switch e.Kind {
	case syntax.GroupRollup:
		out := [][]int{}
		for n := len(sets); n >= 0; n-- {
			out = append(out, slices.Concat(sets[:n]...))
		}
		return out
	case syntax.GroupCube:
		if len(sets) > 11 {
			t.fail(e, "", "GROUP BY has more than 2048 grouping sets")
		}
		out := [][]int{}
		for mask := 1<<len(sets) - 1; mask >= 0; mask-- {
			var set []int
			for i := range sets {
				if mask>>(len(sets)-1-i)&1 == 1 {
					set = append(set, sets[i]...)
				}
			}
			out = append(out, set)
		}
		return out
	}
	return sets
}

// groupKey translates an expression of GROUP BY and gives its number.
func (t *translator) groupKey(sel *selection, g *grouping, e syntax.Expr) int {
	scope := sel.source.within("GROUP BY clause")
	if n, ok := t.ordinal(e, len(sel.items), "GROUP BY"); ok {
		it := sel.items[n]
		if it.expr == nil { // a column of *
			return g.add(t, e, groupKey{sql: it.named.SQL, typ: it.named.Type, name: true})
		}
		if aggregates(it.expr) || windows(it.expr) {
			t.fail(e, "", "GROUP BY %d: column %d is calculated from groups", n+1, n+1)
		}
		e = it.expr
	}
	x := t.expr(scope, e)
	parts := dotted(e)
	return g.add(t, e, groupKey{sql: x.SQL, expr: e, typ: x.Type, name: parts != nil && len(sel.source.lookup(parts)) > 0})
}

// add returns the number of a key, an old one if it is there.
func (g *grouping) add(t *translator, at syntax.Node, key groupKey) int {
	if !key.typ.Comparable() {
		t.fail(at, "", "%s has no =, which GROUP BY needs", key.typ)
	}
	for i, k := range g.keys {
		if duck.Unmark(k.sql) == duck.Unmark(key.sql) {
			return i
		}
	}
	g.keys = append(g.keys, key)
	return len(g.keys) - 1
}

// columnSQL returns the SQL of an expression that names exactly one column of FROM, "" for others.
func (sel *selection) columnSQL(e syntax.Expr) string {
	if parts := dotted(e); parts != nil {
		if found := sel.source.lookup(parts); len(found) == 1 {
			return found[0].SQL
		}
	}
	return ""
}

// column returns the group's value of a column, or of an expression by its SQL.
func (g *grouping) column(sql string) (string, bool) {
	for i, k := range g.keys {
		if duck.Unmark(k.sql) == duck.Unmark(sql) {
			return fmt.Sprintf("%s.g%d", g.alias, i), true
		}
	}
	return "", false
}

// ofGroup returns what the groups hold of an expression: a key, an aggregate or GROUPING.
func (t *translator) ofGroup(sel *selection, e syntax.Expr) (Expr, bool) {
	switch e := e.(type) {
	case *syntax.Call:
		if isAggregate(e) {
			return t.collect(sel, e), true
		}
	case *syntax.Listagg:
		return t.collect(sel, e), true
	case *syntax.Grouping:
		return t.groupingBits(sel, e), true
	case *syntax.Column, *syntax.Field:
		parts := dotted(e)
		if parts == nil {
			break
		}
		if n := t.find(sel.source, e, parts); n != nil {
			sql, ok := sel.group.column(n.SQL)
			if !ok {
				t.ungrouped(e, e.Bounds().Text(t.text))
			}
			return Expr{SQL: sql, Type: n.Type}, true
		}
	}
	if sel.group.named() {
		return Expr{}, false
	}
	for i, k := range sel.group.keys {
		if !k.name && syntax.Equal(e, k.expr, sel.columnSQL) {
			return Expr{SQL: fmt.Sprintf("%s.g%d", sel.group.alias, i), Type: k.typ}, true
		}
	}
	return Expr{}, false
}

// named reports whether all keys are columns.
func (g *grouping) named() bool {
	return !slices.ContainsFunc(g.keys, func(k groupKey) bool { return !k.name })
}

func (t *translator) ungrouped(at syntax.Node, name string) {
	t.fail(at, "add it to GROUP BY, or take one of its values: arbitrary("+name+")", "%s must be in GROUP BY or in an aggregate", name)
}

// collect puts an aggregate into the inner SELECT.
func (t *translator) collect(sel *selection, e syntax.Expr) Expr {
	scope, outer := *sel.source, t.hoisted
	scope.Aggregates = sel.source.within("argument of an aggregate")
	t.hoisted = nil
	var x Expr
	switch e := e.(type) {
	case *syntax.Call:
		x = t.call(&scope, e)
	case *syntax.Listagg:
		x = t.listagg(&scope, e)
	}
	t.hoisted = outer
	g := sel.group
	for i, sql := range g.aggregates {
		if duck.Unmark(sql) == duck.Unmark(x.SQL) {
			return Expr{SQL: fmt.Sprintf("%s.a%d", g.alias, i), Type: x.Type}
		}
	}
	g.aggregates = append(g.aggregates, x.SQL)
	return Expr{SQL: fmt.Sprintf("%s.a%d", g.alias, len(g.aggregates)-1), Type: x.Type}
}

// groupingBits translates GROUPING(a, b): a bit for each argument, 1 if the row is a total of it.
func (t *translator) groupingBits(sel *selection, e *syntax.Grouping) Expr {
	g := sel.group
	var keys []string
	for _, a := range e.Args {
		x := t.expr(sel.source.within("GROUPING"), a)
		i := slices.IndexFunc(g.keys, func(k groupKey) bool { return duck.Unmark(k.sql) == duck.Unmark(x.SQL) })
		if i < 0 {
			t.fail(a, "", "%s is not in GROUP BY", a.Bounds().Text(t.text))
		}
		keys = append(keys, g.key(i))
	}
	typ := types.New(types.Integer)
	switch {
	case len(keys) > 30:
		t.refuse(e, "", "GROUPING of more than 30 columns is not supported")
	case len(keys) == 0 || len(g.sets) == 1:
		return Expr{SQL: "0", Type: typ}
	}
	g.aggregates = append(g.aggregates, "CAST(GROUPING("+strings.Join(keys, ", ")+") AS INTEGER)")
	return Expr{SQL: fmt.Sprintf("%s.a%d", g.alias, len(g.aggregates)-1), Type: typ}
}
