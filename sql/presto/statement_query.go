package presto

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// block is a translated query or a part of one.
type block struct {
	sql     string  // its columns are c0, c1, …, and behind them hidden ones to sort by
	columns []Named // without SQL
	tail    string  // ORDER BY, LIMIT and OFFSET, for a SELECT from it
}

// query translates a query to one whose columns are c0, c1, …. Its order is kept only where
// LIMIT makes it count, as in Presto.
func (t *translator) query(outer *Scope, q *syntax.Query) (sql string, columns []Named) {
	b := t.ordered(outer, q)
	if b.tail == "" || q.Limit == nil && q.Offset == nil {
		return b.sql, b.columns
	}
	return "SELECT " + columnList(len(b.columns)) + " FROM (" + b.sql + ") AS " + t.alias("r") + b.tail, b.columns
}

func columnList(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = column(i)
	}
	return strings.Join(names, ", ")
}

// ordered translates a query whose order counts.
func (t *translator) ordered(outer *Scope, q *syntax.Query) block {
	with := t.ctes
	defer func() { t.ctes = with }()
	prefix := t.with(outer, q)
	b, order := t.body(outer, q.Body, q.OrderBy)
	if inner, ok := q.Body.(*syntax.Query); ok && len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == nil {
		b = t.ordered(outer, inner) // (SELECT … ORDER BY …) in brackets
	}
	b.sql = prefix + b.sql
	if len(order) > 0 {
		b.tail = " ORDER BY " + strings.Join(order, ", ")
	}
	if q.Limit != nil && q.Limit.Ties {
		return t.ties(q, b, order)
	}
	b.tail += limits(q)
	return b
}

func limits(q *syntax.Query) string {
	text := ""
	if q.Limit != nil && !q.Limit.All {
		text = fmt.Sprintf(" LIMIT %d", q.Limit.Count)
	}
	if q.Offset != nil {
		text += fmt.Sprintf(" OFFSET %d", q.Offset.Count)
	}
	return text
}

// ties translates FETCH FIRST n ROWS WITH TIES by the rank of the rows behind the offset.
func (t *translator) ties(q *syntax.Query, b block, order []string) block {
	if len(order) == 0 {
		t.fail(q.Limit, "", "WITH TIES needs ORDER BY")
	}
	by := strings.Join(order, ", ")
	from := "(" + b.sql + ") AS " + t.alias("r")
	if q.Offset != nil {
		from = fmt.Sprintf("(SELECT * FROM %s ORDER BY %s OFFSET %d) AS %s", from, by, q.Offset.Count, t.alias("r"))
	}
	b.sql = fmt.Sprintf("SELECT * FROM (SELECT *, rank() OVER (ORDER BY %s) AS place FROM %s) AS %s WHERE place <= %d", by, from, t.alias("r"),
		q.Limit.Count)
	return b
}

// cte is a query of WITH.
type cte struct {
	name    string // in lower case
	sql     string // how the SQL names it
	columns []Named
	outer   *cte
}

// cte finds a query of WITH; nil if there is none.
func (t *translator) cte(name string) *cte {
	for c := t.ctes; c != nil; c = c.outer {
		if c.name == name {
			return c
		}
	}
	return nil
}

// with translates WITH, and makes its queries known.
func (t *translator) with(outer *Scope, q *syntax.Query) string {
	if len(q.With) == 0 {
		return ""
	}
	own := map[string]bool{}
	parts := make([]string, len(q.With))
	for i, w := range q.With {
		if own[w.Name.Key()] {
			t.fail(w.Name, "", "WITH has %s twice", w.Name.Name)
		}
		own[w.Name.Key()] = true
		if q.Recursive && names(w.Query, w.Name.Key()) {
			parts[i] = t.recursive(outer, w)
			continue
		}
		sql, columns := t.query(outer, w.Query)
		c := &cte{name: w.Name.Key(), sql: t.alias("w"), columns: t.renamed(w, columns, w.Columns), outer: t.ctes}
		materialized := ""
		if cheap(w.Query) {
			materialized = "NOT MATERIALIZED "
		}
		parts[i] = c.sql + " AS " + materialized + "(" + sql + ")"
		t.ctes = c
	}
	word := "WITH "
	if q.Recursive {
		word = "WITH RECURSIVE "
	}
	return word + strings.Join(parts, ", ") + " "
}

// names reports whether a query reads a table of this name.
func names(q *syntax.Query, name string) bool {
	found := false
	syntax.Inspect(q, func(n syntax.Node) bool {
		if table, ok := n.(*syntax.TableName); ok {
			found = found || table.Name.Key() == name
		}
		return !found
	})
	return found
}

// cheap reports whether a query only selects from its relations, so that it is better
// computed twice, with the conditions of the query around, than kept.
func cheap(q *syntax.Query) bool {
	s, ok := q.Body.(*syntax.Select)
	return ok && len(q.OrderBy) == 0 && q.Limit == nil && s.GroupBy == nil && s.Having == nil && !s.Distinct && !aggregates(s) && !windows(s)
}

// recursive translates a query of WITH RECURSIVE that reads itself: what its first part gives
// decides the types.
func (t *translator) recursive(outer *Scope, w syntax.CTE) string {
	union, ok := w.Query.Body.(*syntax.SetOperation)
	if !ok || union.Op != syntax.Union || !union.All || len(w.Query.OrderBy) > 0 || w.Query.Limit != nil || w.Query.Offset != nil ||
		len(w.Query.With) > 0 {
		t.fail(w, "write … UNION ALL …", "a recursive query is a UNION ALL of its first rows and of what follows from rows")
	}
	if len(w.Columns) == 0 {
		t.fail(w, "write "+w.Name.Name+"(n) AS (…)", "a recursive query needs names of its columns")
	}
	first, _ := t.body(outer, union.Left, nil)
	c := &cte{name: w.Name.Key(), sql: t.alias("w"), columns: t.renamed(w, first.columns, w.Columns), outer: t.ctes}
	t.ctes = c
	step, _ := t.body(outer, union.Right, nil)
	if len(step.columns) != len(first.columns) {
		t.fail(union.Right, "", "both sides of UNION must have as many columns: %d and %d", len(first.columns), len(step.columns))
	}
	for i, column := range step.columns {
		if !types.Coerces(column.Type, first.columns[i].Type) {
			t.fail(union.Right, "", "column %d is %s at first and then %s", i+1, first.columns[i].Type, column.Type)
		}
	}
	to := typesOf(first.columns)
	return fmt.Sprintf("%s(%s) AS (%s UNION ALL %s)", c.sql, columnList(len(c.columns)), t.converted(first, to), t.converted(step, to))
}

// renamed returns columns the names of a list (or leaves them).
func (t *translator) renamed(at syntax.Node, columns []Named, to []syntax.Ident) []Named {
	if len(to) == 0 {
		return columns
	}
	if len(to) != len(columns) {
		t.fail(at, "", "there are %d names for %d columns", len(to), len(columns))
	}
	out := make([]Named, len(columns))
	for i, c := range columns {
		c.Name, c.Shown = to[i].Key(), to[i].Name
		out[i] = c
	}
	return out
}
