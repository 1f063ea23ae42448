package syntax

import (
	"strconv"
	"strings"
)

// Format writes an expression or a query in one way, whatever its blanks, cases
// and superfluous brackets: two parts of a query are the same when their texts
// are. Parse reads the text of a query back to the same tree.
func Format(n Node) string { return FormatNames(n, nil) }

// FormatNames is Format that writes a *Column or *Field as names gives it, if it
// gives true.
func FormatNames(n Node, names func(Expr) (string, bool)) string {
	w := &printer{names: names}
	switch n := n.(type) {
	case Expr:
		w.expr(n)
	case Body:
		w.body(n)
	}
	return w.b.String()
}

type printer struct {
	b     strings.Builder
	names func(Expr) (string, bool)
}

func (w *printer) str(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
	}
}

// comma writes items between commas.
func comma[T any](w *printer, items []T, item func(T)) {
	for i, it := range items {
		if i > 0 {
			w.str(", ")
		}
		item(it)
	}
}

func (w *printer) exprs(items []Expr) { comma(w, items, w.expr) }

func (w *printer) ident(i Ident) { w.str(quoteName(i.Key())) }

// quoteName writes a name in double quotes.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// quoteText writes text in single quotes.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (w *printer) name(n Name) {
	for i, part := range n.Parts {
		if i > 0 {
			w.str(".")
		}
		w.ident(part)
	}
}

func (w *printer) idents(names []Ident) {
	w.str("(")
	comma(w, names, w.ident)
	w.str(")")
}

// when writes a word when a condition holds.
func (w *printer) when(cond bool, word string) {
	if cond {
		w.str(word)
	}
}

func (w *printer) query(q *Query) {
	if len(q.With) > 0 {
		w.str("WITH ")
		w.when(q.Recursive, "RECURSIVE ")
		comma(w, q.With, func(c CTE) {
			w.ident(c.Name)
			if c.Columns != nil {
				w.idents(c.Columns)
			}
			w.str(" AS (")
			w.query(c.Query)
			w.str(")")
		})
		w.str(" ")
	}
	w.term(q.Body)
	w.orderBy(q.OrderBy)
	if q.Offset != nil {
		w.str(" OFFSET ", strconv.FormatInt(q.Offset.Count, 10))
	}
	w.limit(q.Limit)
}

func (w *printer) limit(l *Limit) {
	switch {
	case l == nil:
	case l.All:
		w.str(" LIMIT ALL")
	case l.Ties:
		w.str(" FETCH FIRST ", strconv.FormatInt(l.Count, 10), " ROWS WITH TIES")
	default:
		w.str(" LIMIT ", strconv.FormatInt(l.Count, 10))
	}
}

func (w *printer) orderBy(items []SortItem) {
	if len(items) == 0 {
		return
	}
	w.str(" ORDER BY ")
	comma(w, items, func(s SortItem) {
		w.expr(s.Expr)
		w.when(s.Desc, " DESC")
		w.when(s.Nulls == NullsFirst, " NULLS FIRST")
		w.when(s.Nulls == NullsLast, " NULLS LAST")
	})
}

// term writes what gives rows, in brackets when it is a whole query.
func (w *printer) term(b Body) {
	if q, ok := b.(*Query); ok {
		w.str("(")
		w.query(q)
		w.str(")")
		return
	}
	w.body(b)
}

func (w *printer) body(b Body) {
	switch b := b.(type) {
	case *Query:
		w.query(b)
	case *SetOperation:
		w.side(b.Left, b.Op == Intersect)
		w.str([]string{" UNION ", " INTERSECT ", " EXCEPT "}[b.Op])
		w.when(b.All, "ALL ")
		w.term(b.Right)
	case *Values:
		w.str("VALUES ")
		w.exprs(b.Rows)
	case *Table:
		w.str("TABLE ")
		w.name(b.Name)
	case *Select:
		w.selectBody(b)
	}
}

// side writes the left side of a set operation. The tree of the parser has a
// UNION left of an INTERSECT only as a query in brackets, so tight changes nothing there.
func (w *printer) side(b Body, tight bool) {
	if s, ok := b.(*SetOperation); ok && tight && s.Op != Intersect {
		b = &Query{Body: s}
	}
	w.term(b)
}

func (w *printer) selectBody(s *Select) {
	w.str("SELECT ")
	w.when(s.Distinct, "DISTINCT ")
	comma(w, s.Items, w.selectItem)
	if s.From != nil {
		w.str(" FROM ")
		w.relation(s.From)
	}
	if s.Where != nil {
		w.str(" WHERE ")
		w.expr(s.Where)
	}
	if s.GroupBy != nil {
		w.str(" GROUP BY ")
		w.when(s.GroupBy.Distinct, "DISTINCT ")
		comma(w, s.GroupBy.Elements, w.groupElement)
	}
	if s.Having != nil {
		w.str(" HAVING ")
		w.expr(s.Having)
	}
	if len(s.Windows) > 0 {
		w.str(" WINDOW ")
		comma(w, s.Windows, func(d WindowDef) {
			w.ident(d.Name)
			w.str(" AS (")
			w.window(d.Spec)
			w.str(")")
		})
	}
}

func (w *printer) selectItem(s SelectItem) {
	switch {
	case s.Expr == nil:
		w.str("*")
		return
	case s.Star:
		w.expr(s.Expr)
		w.str(".*")
	default:
		w.expr(s.Expr)
	}
	if s.Alias != nil {
		w.str(" AS ")
		w.ident(*s.Alias)
	}
	if s.Columns != nil {
		w.str(" AS ")
		w.idents(s.Columns)
	}
}

func (w *printer) groupElement(g GroupElement) {
	set := func(set []Expr) {
		w.str("(")
		w.exprs(set)
		w.str(")")
	}
	if g.Kind == GroupSimple {
		set(g.Sets[0])
		return
	}
	w.str([]string{"", "ROLLUP (", "CUBE (", "GROUPING SETS ("}[g.Kind])
	comma(w, g.Sets, set)
	w.str(")")
}
