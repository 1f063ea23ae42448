package presto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/presto/duck"
	"github.com/pingmill/pingmill/presto/syntax"
	"github.com/pingmill/pingmill/presto/types"
)

// statement translates a statement.
func (t *translator) statement(s syntax.Statement) *Translation {
	q, ok := s.(*syntax.Query)
	if !ok {
		t.refuse(s, "", "this statement is not supported")
	}
	sql, columns := t.query(nil, q)
	out := make([]string, len(columns))
	result := make([]Column, len(columns))
	for i, c := range columns {
		out[i] = fmt.Sprintf("%s AS %s", render(fmt.Sprintf("c%d", i), c.Type), duck.Name(c.Name))
		result[i] = Column{Name: c.Name, Type: c.Type}
	}
	return &Translation{SQL: "SELECT " + strings.Join(out, ", ") + " FROM (" + sql + ")", Columns: result}
}

// query translates a query to one whose columns are c0, c1, ….
func (t *translator) query(outer *Scope, q *syntax.Query) (sql string, columns []Named) {
	sel, ok := q.Body.(*syntax.Select)
	if !ok || len(q.With) > 0 || len(q.OrderBy) > 0 || q.Limit != nil || q.Offset != nil || sel.GroupBy != nil || sel.Having != nil || len(sel.Windows) > 0 {
		t.refuse(q, "", "this query is not supported")
	}
	s := &Scope{Outer: outer, Windows: true, Clause: "SELECT clause"}
	from := ""
	if sel.From != nil {
		from = " FROM " + t.from(s, sel.From)
	}
	s.Aggregates = s
	var items []string
	for _, item := range sel.Items {
		if item.Star || item.Columns != nil {
			t.refuse(item, "", "* is not supported")
		}
		x := t.expr(s, item.Expr)
		name := fmt.Sprintf("_col%d", len(items))
		if c, ok := item.Expr.(*syntax.Column); ok {
			name = c.Name.Key()
		}
		if item.Alias != nil {
			name = item.Alias.Name
		}
		columns = append(columns, Named{Name: name, Type: x.Type})
		items = append(items, fmt.Sprintf("%s AS c%d", x.SQL, len(items)))
	}
	where := ""
	if sel.Where != nil {
		where = " WHERE " + t.boolean(s.within("WHERE clause"), sel.Where, "WHERE").SQL
	}
	return "SELECT " + strings.Join(items, ", ") + from + where, columns
}

// from adds the columns of a relation to the scope.
func (t *translator) from(s *Scope, r syntax.Relation) string {
	name, ok := r.(*syntax.TableName)
	if !ok {
		t.refuse(r, "", "this relation is not supported")
	}
	table := t.catalog.Table(name.Name.Last().Name)
	if table == nil {
		t.fail(name, "", "there is no table %s", name.Name.Key())
	}
	t.tables[table.Name] = true
	alias := name.Name.Last().Key()
	for _, c := range table.Columns {
		s.Names = append(s.Names, Named{Table: alias, Qualifier: []string{"hive", "default"}, Name: strings.ToLower(c.Name), SQL: duck.Name(alias) + "." + duck.Name(c.Name), Type: c.Type, Key: slices.Contains(table.PartitionKeys, c.Name)})
	}
	return duck.Name(table.Name) + " AS " + duck.Name(alias)
}

// subquery translates EXISTS, (query), x IN (query) and x = ANY (query).
func (t *translator) subquery(s *Scope, e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.Exists:
		sql, _ := t.query(s, e.Query)
		return Expr{SQL: "EXISTS (" + sql + ")", Type: types.Of(types.Boolean)}
	case *syntax.Subquery:
		sql, columns := t.query(s, e.Query)
		if len(columns) != 1 {
			t.fail(e, "", "a query as a value gives one column, not %d", len(columns))
		}
		return Expr{SQL: "(" + sql + ")", Type: columns[0].Type}
	}
	t.refuse(e, "", "this subquery is not supported")
	return Expr{}
}

// over writes a window, in brackets or by its name.
func (t *translator) over(s *Scope, o *syntax.Over) string {
	t.refuse(o, "", "windows are not supported")
	return ""
}

// listagg translates LISTAGG.
func (t *translator) listagg(s *Scope, e *syntax.Listagg) Expr {
	t.refuse(e, "", "listagg is not supported")
	return Expr{}
}

// grouping translates GROUPING(…).
func (t *translator) grouping(s *Scope, e *syntax.Grouping) Expr {
	t.fail(e, "", "GROUPING is for queries with GROUP BY")
	return Expr{}
}

// special translates functions with a syntax of their own, such as JSON_VALUE.
func (t *translator) special(s *Scope, e syntax.Expr) Expr {
	t.refuse(e, "", "this expression is not supported")
	return Expr{}
}
