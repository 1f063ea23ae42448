package presto

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// selection is one SELECT while it is translated.
type selection struct {
	node   *syntax.Select
	order  []syntax.SortItem
	from   relation
	source *Scope // the columns of FROM
	scope  *Scope // of the SELECT list
	group  *grouping
	items  []item
	hidden []string // SQL that only ORDER BY needs
}

// item is a column of the result: an expression, or a column that a * stands for.
type item struct {
	expr  syntax.Expr // or nil
	named Named       // of a *; else the name alone
	sql   string
}

// selectBody translates SELECT …. Sorting by what is not in the result adds hidden columns.
func (t *translator) selectBody(outer *Scope, s *syntax.Select, order []syntax.SortItem) (block, []string) {
	sel := &selection{node: s, order: order, from: relation{}}
	if s.From != nil {
		sel.from = t.from(outer, s.From)
	}
	sel.source = &Scope{Outer: outer, Names: sel.from.names, Windows: true, Clause: "SELECT clause", Window: t.windowNames(s)}
	sel.scope = sel.source
	t.expand(sel)
	sel.source.Aliases = sel.aliases()
	where := ""
	if s.Where != nil {
		t.filter(s.Where)
		where = " WHERE " + t.boolean(sel.source.within("WHERE clause"), s.Where, "WHERE").SQL
	}
	if t.grouped(sel) {
		t.groupBy(sel)
	}
	for i := range sel.items {
		t.item(sel, &sel.items[i])
	}
	terms := t.orderTerms(sel)
	having := ""
	if s.Having != nil {
		clause := *sel.scope
		clause.Windows, clause.Clause = false, "HAVING clause"
		t.filter(s.Having)
		having = " WHERE " + t.boolean(&clause, s.Having, "HAVING").SQL
	}
	if sel.group != nil {
		sel.from.sql, where = "("+sel.group.sql(sel.from.sql, where)+") AS "+sel.group.alias, having
	}
	return block{sql: sel.sql(where), columns: sel.columns()}, terms
}

func (sel *selection) columns() []Named {
	columns := make([]Named, len(sel.items))
	for i, it := range sel.items {
		columns[i] = Named{Name: it.named.Name, Shown: it.named.Shown, Type: it.named.Type, Key: it.named.Key}
	}
	return columns
}

// sql writes the SELECT.
func (sel *selection) sql(where string) string {
	list := make([]string, 0, len(sel.items)+len(sel.hidden))
	for i, it := range sel.items {
		list = append(list, it.sql+" AS "+column(i))
	}
	for i, sql := range sel.hidden {
		list = append(list, sql+fmt.Sprintf(" AS s%d", i))
	}
	text := "SELECT "
	keys, special := keysOf(sel.columns())
	if sel.node.Distinct && !special {
		text = "SELECT DISTINCT "
	}
	text += strings.Join(list, ", ")
	if sel.from.sql != "" {
		text += " FROM " + sel.from.sql
	}
	text += where
	if sel.node.Distinct && special {
		text = "SELECT DISTINCT ON (" + strings.Join(keys, ", ") + ") * FROM (" + text + ") AS d"
	}
	return text
}

// expand lists the columns of the result: a * is replaced by what it stands for.
func (t *translator) expand(sel *selection) {
	for _, it := range sel.node.Items {
		if it.Star {
			sel.items = append(sel.items, t.star(sel, it)...)
			continue
		}
		named := Named{Shown: t.shown(it.Text)}
		switch e := it.Expr.(type) {
		case *syntax.Column:
			named.Name, named.Shown = e.Name.Key(), e.Name.Name
		case *syntax.Field:
			named.Name, named.Shown = e.Name.Key(), e.Name.Name
		}
		if it.Alias != nil {
			named.Name, named.Shown = it.Alias.Key(), it.Alias.Name
		}
		sel.items = append(sel.items, item{expr: it.Expr, named: named})
	}
}

// shown returns the text of an expression as the name of its column.
func (t *translator) shown(at syntax.Span) string {
	return strings.Join(strings.Fields(at.Text(t.text)), " ")
}

// star returns the columns of * and t.*, or the fields of row.*.
func (t *translator) star(sel *selection, it syntax.SelectItem) []item {
	if it.Expr == nil {
		if sel.node.From == nil {
			t.fail(it, "", "* needs FROM")
		}
		return t.stars(it, sel.from.names)
	}
	parts := dotted(it.Expr)
	var found []Named
	for _, n := range sel.from.names {
		if parts != nil && n.belongsTo(parts) {
			found = append(found, n)
		}
	}
	if found != nil {
		return t.stars(it, found)
	}
	if len(parts) == 1 && len(sel.source.lookup(parts)) == 0 {
		t.fail(it, "", "there is no table %s in FROM", parts[0])
	}
	row := t.expr(sel.source, it.Expr)
	if row.Type.Kind != types.Row {
		t.fail(it.Expr, "", "%s is %s: .* takes a table or a row", it.Expr.Bounds().Text(t.text), row.Type)
	}
	return t.stars(it, fieldsOf(row.SQL, row.Type))
}

func (t *translator) stars(it syntax.SelectItem, names []Named) []item {
	items := make([]item, len(names))
	for i, n := range t.renamed(it, names, it.Columns) {
		items[i] = item{named: n}
	}
	return items
}

// aliases returns the names that the SELECT list gives, with the text of their expressions.
func (sel *selection) aliases() map[string]syntax.Expr {
	names := map[string]syntax.Expr{}
	for _, it := range sel.node.Items {
		if it.Alias != nil {
			names[it.Alias.Key()] = it.Expr
		}
	}
	return names
}

// item translates one column of the result.
func (t *translator) item(sel *selection, it *item) {
	if it.expr != nil {
		x := t.expr(sel.scope, it.expr)
		it.sql, it.named.Type, it.named.Key = x.SQL, x.Type, x.Key
		if x.Lambda != nil {
			t.fail(it.expr, "", "a lambda can only be an argument of a function")
		}
	} else if it.sql = it.named.SQL; sel.group != nil {
		sql, ok := sel.group.column(it.named.SQL)
		if !ok {
			t.ungrouped(sel.node, it.named.Shown)
		}
		it.sql = sql
	}
	if sel.node.Distinct && !it.named.Type.Comparable() {
		t.fail(sel.node, "", "%s has no =, which DISTINCT needs", it.named.Type)
	}
}

// orderTerms translates ORDER BY: numbers and names of the result first, then what the SELECT list
// could name.
func (t *translator) orderTerms(sel *selection) []string {
	scope := *sel.scope
	scope.Clause = "ORDER BY clause"
	scope.Rewrite = func(e syntax.Expr) (Expr, bool) {
		if c, ok := e.(*syntax.Column); ok {
			if it := t.named(sel, c); it != nil {
				return Expr{SQL: it.sql, Type: it.named.Type}, true
			}
		}
		if sel.scope.Rewrite != nil {
			return sel.scope.Rewrite(e)
		}
		return Expr{}, false
	}
	terms := make([]string, len(sel.order))
	for i, o := range sel.order {
		var x Expr
		if n, ok := t.ordinal(o.Expr, len(sel.items), "ORDER BY"); ok {
			x = Expr{SQL: column(n), Type: sel.items[n].named.Type, Node: o.Expr}
		} else {
			x = t.expr(&scope, o.Expr)
			x.SQL = t.sortColumn(sel, o.Expr, x.SQL)
		}
		terms[i] = t.sortKey(x) + sortSuffix(o)
	}
	return terms
}

// named returns the column of the result that ORDER BY names; nil if there is none.
func (t *translator) named(sel *selection, c *syntax.Column) *item {
	var found *item
	for i := range sel.items {
		it := &sel.items[i]
		if it.named.Name != c.Name.Key() {
			continue
		}
		if found != nil && duck.Unmark(found.sql) != duck.Unmark(it.sql) {
			t.fail(c, "", "column %s is ambiguous: the result has it twice", c.Name.Name)
		}
		found = it
	}
	return found
}

// sortColumn returns the column of the SQL that has the value: one of the result, or a hidden one.
func (t *translator) sortColumn(sel *selection, at syntax.Expr, sql string) string {
	for i, it := range sel.items {
		if duck.Unmark(it.sql) == duck.Unmark(sql) {
			return column(i)
		}
	}
	if sel.node.Distinct {
		t.fail(at, "", "with SELECT DISTINCT, ORDER BY takes only what is selected")
	}
	sel.hidden = append(sel.hidden, sql)
	return fmt.Sprintf("s%d", len(sel.hidden)-1)
}
