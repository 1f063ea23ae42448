package presto

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// body translates what gives rows, and the terms of ORDER BY over the columns of its SQL.
func (t *translator) body(outer *Scope, b syntax.Body, order []syntax.SortItem) (block, []string) {
	defer t.deeper(b)()
	switch b := b.(type) {
	case *syntax.Select:
		return t.selectBody(outer, b, order)
	case *syntax.Values:
		return t.sorted(outer, t.values(outer, b), order)
	case *syntax.Table:
		r := t.table(&syntax.TableName{Span: b.Name.Span, Name: b.Name})
		items := make([]string, len(r.names))
		for i, n := range r.names {
			items[i] = n.SQL + " AS " + column(i)
		}
		return t.sorted(outer, block{sql: "SELECT " + strings.Join(items, ", ") + " FROM " + r.sql, columns: r.names}, order)
	case *syntax.SetOperation:
		return t.sorted(outer, t.setOperation(outer, b), order)
	}
	sql, columns := t.query(outer, b.(*syntax.Query))
	return t.sorted(outer, block{sql: sql, columns: columns}, order)
}

// deeper keeps the SQL below the depth that DuckDB's parser takes.
func (t *translator) deeper(at syntax.Node) func() {
	if t.depth++; t.depth > 100 {
		t.refuse(at, "", "queries more than 100 levels deep")
	}
	return func() { t.depth-- }
}

// sorted translates ORDER BY of a query other than SELECT: it sees the columns of the result alone.
func (t *translator) sorted(outer *Scope, b block, order []syntax.SortItem) (block, []string) {
	s := &Scope{Outer: outer, Names: make([]Named, len(b.columns)), Clause: "ORDER BY clause"}
	for i, c := range b.columns {
		c.SQL, c.Table, c.Qualifier = column(i), "", nil
		s.Names[i] = c
	}
	terms := make([]string, len(order))
	for i, item := range order {
		var x Expr
		if n, ok := t.ordinal(item.Expr, len(b.columns), "ORDER BY"); ok {
			x = Expr{SQL: column(n), Type: b.columns[n].Type, Node: item.Expr}
		} else {
			x = t.expr(s, item.Expr)
		}
		terms[i] = t.sortKey(x) + sortSuffix(item)
	}
	return b, terms
}

// ordinal returns the index of the column that a number in ORDER BY or GROUP BY means.
func (t *translator) ordinal(e syntax.Expr, columns int, clause string) (int, bool) {
	n, ok := e.(*syntax.IntLit)
	if !ok {
		return 0, false
	}
	if n.Value < 1 || n.Value > int64(columns) {
		t.fail(e, "", "%s %d: there are %d columns", clause, n.Value, columns)
	}
	return int(n.Value) - 1, true
}

// values translates VALUES.
func (t *translator) values(outer *Scope, v *syntax.Values) block {
	s := &Scope{Outer: outer, Clause: "VALUES"}
	rows := make([][]Expr, len(v.Rows))
	for i, e := range v.Rows {
		rows[i] = t.valuesRow(s, e)
		if len(rows[i]) != len(rows[0]) {
			t.fail(e, "", "the rows of VALUES have %d and %d columns", len(rows[0]), len(rows[i]))
		}
	}
	b := block{columns: make([]Named, len(rows[0]))}
	for i := range b.columns {
		all := make([]Expr, len(rows))
		for n := range rows {
			all[n] = rows[n][i]
		}
		all, typ := t.common("the rows of VALUES", all)
		for n := range rows {
			rows[n][i] = all[n]
		}
		b.columns[i] = Named{Shown: "_col" + strconv.Itoa(i), Type: typ}
	}
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = "(" + sqls(row) + ")"
	}
	b.sql = "SELECT * FROM (VALUES " + strings.Join(list, ", ") + ") AS " + t.alias("r") + "(" + columnList(len(b.columns)) + ")"
	return b
}

// valuesRow returns the columns of a row: several of (a, b), and of any value that is a row.
func (t *translator) valuesRow(s *Scope, e syntax.Expr) []Expr {
	if row, ok := e.(*syntax.Row); ok {
		return t.exprs(s, row.Elems)
	}
	x := t.expr(s, e)
	if x.Type.Kind != types.Row {
		return []Expr{x}
	}
	fields := make([]Expr, len(x.Type.Elems))
	for i, f := range x.Type.Elems {
		fields[i] = Expr{SQL: cast.Field(x.SQL, x.Type, i), Type: f, Node: e}
	}
	return fields
}

var setWords = map[syntax.SetOp]string{syntax.Union: "UNION", syntax.Intersect: "INTERSECT", syntax.Except: "EXCEPT"}

// setOperation translates UNION and the like: the columns of both sides are coerced to one type.
func (t *translator) setOperation(outer *Scope, s *syntax.SetOperation) block {
	left, _ := t.body(outer, s.Left, nil)
	right, _ := t.body(outer, s.Right, nil)
	word := setWords[s.Op]
	if len(left.columns) != len(right.columns) {
		t.fail(s.Right, "", "both sides of %s must have as many columns: %d and %d", word, len(left.columns), len(right.columns))
	}
	b := block{columns: make([]Named, len(left.columns))}
	for i, c := range left.columns {
		typ, ok := types.Common(c.Type, right.columns[i].Type)
		if !ok {
			t.fail(s.Right, "", "column %d of %s is %s and %s", i+1, word, c.Type, right.columns[i].Type)
		}
		if !typ.Comparable() && !s.All {
			t.fail(s, "", "%s has no =, which %s needs", typ, word)
		}
		b.columns[i] = Named{Name: c.Name, Shown: c.Shown, Type: typ}
	}
	if s.All {
		word += " ALL"
	}
	to := typesOf(b.columns)
	first, second := "("+t.converted(left, to)+") ", " ("+t.converted(right, to)+")"
	keys, special := keysOf(b.columns)
	switch {
	case !special || s.All && s.Op == syntax.Union:
		b.sql = first + word + second
	case s.Op == syntax.Union:
		b.sql = "SELECT DISTINCT ON (" + strings.Join(keys, ", ") + ") * FROM (" + first + "UNION ALL" + second + ") AS " + t.alias("r")
	default:
		t.refuse(s, "", "%s of maps, char and timestamps with time zone is not supported", word)
	}
	return b
}

// keysOf returns the keys by which rows are distinct, and whether these are other than their columns.
func keysOf(columns []Named) (keys []string, special bool) {
	for i, c := range columns {
		key := cast.Key(column(i), c.Type)
		keys, special = append(keys, key), special || key != column(i)
	}
	return keys, special
}

func typesOf(columns []Named) []types.Type {
	list := make([]types.Type, len(columns))
	for i, c := range columns {
		list[i] = c.Type
	}
	return list
}

// converted returns the SQL of a block with its columns coerced to other types.
func (t *translator) converted(b block, to []types.Type) string {
	items, same := make([]string, len(to)), true
	for i, c := range b.columns {
		sql := column(i)
		if !c.Type.Equal(to[i]) {
			sql = cast.Coerce(sql, c.Type, to[i])
		}
		same = same && sql == column(i)
		items[i] = fmt.Sprintf("%s AS %s", sql, column(i))
	}
	if same {
		return b.sql
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + b.sql + ") AS " + t.alias("r")
}
