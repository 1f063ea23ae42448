package presto

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

var joinWords = map[syntax.JoinKind]string{
	syntax.CrossJoin: " CROSS JOIN ", syntax.InnerJoin: " JOIN ", syntax.LeftJoin: " LEFT JOIN ", syntax.RightJoin: " RIGHT JOIN ",
	syntax.FullJoin: " FULL JOIN ",
}

// join translates a join.
func (t *translator) join(outer *Scope, j *syntax.Join) relation {
	if j.Natural {
		t.fail(j, "write JOIN … USING (column)", "Presto has no NATURAL JOIN")
	}
	left := t.from(outer, j.Left)
	switch r := bare(j.Right).(type) {
	case *syntax.Unnest:
		return t.unnestJoin(outer, j, left, r)
	case *syntax.Lateral:
		return t.lateralJoin(outer, j, left, r)
	}
	right := t.from(outer, j.Right)
	if j.Using != nil {
		return t.using(j, left, right)
	}
	out := relation{join: true, names: slices.Concat(left.names, right.names), sql: left.sql + joinWords[j.Kind] + right.in()}
	if j.On != nil {
		s := &Scope{Outer: outer, Names: out.names, Clause: "JOIN condition"}
		t.filter(j.On)
		out.sql += " ON " + t.boolean(s, j.On, "the condition of JOIN").SQL
	}
	return out
}

// bare returns a relation without its alias.
func bare(r syntax.Relation) syntax.Relation {
	if a, ok := r.(*syntax.Aliased); ok {
		return bare(a.Relation)
	}
	return r
}

// always reports whether the condition is TRUE.
func always(e syntax.Expr) bool {
	b, ok := e.(*syntax.BoolLit)
	return ok && b.Value
}

// lateralJoin joins a query that may name columns of the left side.
func (t *translator) lateralJoin(outer *Scope, j *syntax.Join, left relation, l *syntax.Lateral) relation {
	if j.Using != nil || j.Kind == syntax.RightJoin || j.Kind == syntax.FullJoin || j.On != nil && !always(j.On) {
		t.refuse(j, "write CROSS JOIN LATERAL, or LEFT JOIN LATERAL … ON true", "this join with LATERAL is not supported")
	}
	s := &Scope{Outer: outer, Names: left.names, Clause: "LATERAL"}
	right := t.derived(s, l.Query, "LATERAL ")
	if a, ok := j.Right.(*syntax.Aliased); ok {
		right = t.aliased(right, a)
	}
	word, on := " CROSS JOIN ", ""
	if j.Kind == syntax.LeftJoin {
		word, on = " LEFT JOIN ", " ON true"
	}
	return relation{join: true, names: slices.Concat(left.names, right.names), sql: left.sql + word + right.sql + on}
}

// using translates JOIN … USING: its columns are one for both tables, without a table of their
// own, and come first.
func (t *translator) using(j *syntax.Join, left, right relation) relation {
	out := relation{join: true}
	var conditions []string
	drop := map[string]bool{}
	for _, name := range j.Using {
		if drop[name.Key()] {
			t.fail(name, "", "USING has %s twice", name.Name)
		}
		drop[name.Key()] = true
		l, r := t.joined(name, left, "left"), t.joined(name, right, "right")
		l, r = t.comparable(name, "=", l, r)
		conditions = append(conditions, compareSQL("=", l, r))
		out.names = append(out.names, Named{Name: name.Key(), Shown: name.Name, Type: l.Type, SQL: either(j.Kind, l, r)})
	}
	for _, n := range slices.Concat(left.names, right.names) {
		if !drop[n.Name] {
			out.names = append(out.names, n)
		}
	}
	out.sql = left.sql + joinWords[j.Kind] + right.in() + " ON " + strings.Join(conditions, " AND ")
	return out
}

// either returns the value of a column of USING.
func either(kind syntax.JoinKind, l, r Expr) string {
	switch {
	case l.Type.Has(types.TimestampTZ, types.Char) || kind == syntax.FullJoin:
		return "coalesce(" + l.SQL + ", " + r.SQL + ")"
	case kind == syntax.RightJoin:
		return r.SQL
	}
	return l.SQL
}

// joined finds a column of USING on one side.
func (t *translator) joined(name syntax.Ident, r relation, side string) Expr {
	s := &Scope{Names: r.names}
	found := s.lookup([]string{name.Key()})
	switch len(found) {
	case 0:
		t.fail(name, "", "the %s side of the join has no column %s", side, name.Name)
	case 1:
	default:
		t.fail(name, "", "the %s side of the join has column %s twice", side, name.Name)
	}
	return Expr{SQL: found[0].SQL, Type: found[0].Type, Node: name}
}
