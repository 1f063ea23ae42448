// Package reads finds in the text of a query which tables and days it can read at most, so that nobody has to list the
// files of the others. It knows conditions in which a day is compared with a text, as nearly all queries have them;
// what it does not understand reads all days.
package reads

import (
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// Table is one that a query may read.
type Table struct {
	Names []string // in lower case
	Key   string   // the column of the days, a varchar, in lower case; "" if there is none
	// Snapshots means that each snapshot has a name, too: the table's, _v and its day.
	Snapshots bool
}

// named reports whether a name in lower case is the table's.
func (t Table) named(name string) bool {
	return slices.Contains(t.Names, name) || t.Snapshots && strings.HasPrefix(name, t.Names[0]+"_v")
}

// Range is the days from First to Last, as they are in the column. The zero value is none.
type Range struct{ First, Last string }

// Has reports whether a day is in the range.
func (r Range) Has(day string) bool { return r.First <= day && day <= r.Last }

// last is behind every text of a day.
const last = "\U0010ffff"

var every = Range{"", last}

// and returns the days of both.
func (r Range) and(o Range) Range { return Range{max(r.First, o.First), min(r.Last, o.Last)} }

// or returns the smallest range with the days of both.
func (r Range) or(o Range) Range {
	switch {
	case r.First > r.Last:
		return o
	case o.First > o.Last:
		return r
	}
	return Range{min(r.First, o.First), max(r.Last, o.Last)}
}

// Tables returns the names and the day column of each table.
func Tables(tables []*schema.Table) []Table {
	all := make([]Table, len(tables))
	for i, t := range tables {
		all[i].Snapshots = t.IsSnapshots()
		if len(t.PartitionKeys) > 0 {
			all[i].Key = strings.ToLower(t.PartitionKeys[0])
		}
		for _, view := range t.WithViews() {
			for _, name := range append([]string{view.Name}, view.Aliases()...) {
				all[i].Names = append(all[i].Names, strings.ToLower(name))
			}
		}
	}
	return all
}

// Find returns the tables that a query can read, by index, with the days that it can read at most.
//
// They are those in the tree of a query in Presto's SQL. Of any other text, such as one in DuckDB's SQL, one with
// parameters or a mistake, they are the tables whose name begins a word, wherever the word stands: the worker of the
// query finds its tree, and a table that this has beyond the text has no files.
//
// A condition on the day of a table that stands in the WHERE of the same SELECT leaves out the rows of all other days,
// whatever the joins: where such a row would have had a partner, nulls would replace it, and the condition does not
// hold for these either. The same is true of the ON of a join, for the sides from which only partners are taken.
func (q Query) Find(tables []Table) map[int]Range {
	if q.tree != nil {
		f := finder{tables: tables, limits: map[*syntax.TableName]Range{}, days: map[int]Range{}}
		syntax.Inspect(q.tree, f.limit)
		syntax.Inspect(q.tree, f.sum)
		return f.days
	}
	words, found := lexer.Words(q.sql), map[int]Range{}
	for i, t := range tables {
		if slices.ContainsFunc(t.Names, func(name string) bool { return begins(words, name) }) {
			found[i] = every
		}
	}
	return found
}

// begins reports whether a name begins a word. Of a name with a point, both parts must.
func begins(words map[string]bool, name string) bool {
	if schema, table, ok := strings.Cut(name, "."); ok {
		return begins(words, schema) && begins(words, table)
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(words)), func(w string) bool { return strings.HasPrefix(w, name) })
}

// Named returns a function that reports whether a query can read one of the tables.
func Named(d lexer.Dialect, sql string, tables []*schema.Table) func(*schema.Table) bool {
	names := map[string]bool{}
	for i := range Parse(d, sql).Find(Tables(tables)) {
		names[tables[i].Name] = true
	}
	return func(t *schema.Table) bool { return names[t.Name] }
}

// All reports whether the range has all days.
func (r Range) All() bool { return r == every }

// finder looks at a query twice: for the limits of each place where a table stands, and for all places.
type finder struct {
	tables []Table
	limits map[*syntax.TableName]Range
	days   map[int]Range
}

// limit finds the limits of the tables of a SELECT.
func (f *finder) limit(n syntax.Node) bool {
	if s, ok := n.(*syntax.Select); ok {
		all := f.relation(s.From)
		f.narrow(all, s.Where)
	}
	return true
}

// sum adds up the days of all places of each table.
func (f *finder) sum(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.TableName:
		r, ok := f.limits[n]
		if !ok {
			r = every
		}
		f.add(n.Name, r)
	case *syntax.Table:
		f.add(n.Name, every)
	case *syntax.Query:
		for _, c := range n.With { // the name may stand for this
			f.add(syntax.Name{Parts: []syntax.Ident{c.Name}}, every)
		}
	}
	return true
}

func (f *finder) add(name syntax.Name, r Range) {
	n := f.table(name)
	if n < 0 {
		return
	}
	if sum, ok := f.days[n]; ok {
		r = r.or(sum)
	}
	f.days[n] = r
}

// table returns the number of a table of a name, such as hive.default.main_summary or "main_summary$partitions"; -1 if
// it is another.
func (f *finder) table(name syntax.Name) int {
	last, _, _ := strings.Cut(name.Last().Key(), "$")
	path := name.Parts[max(0, len(name.Parts)-2)].Key() + "." + last
	return slices.IndexFunc(f.tables, func(t Table) bool { return slices.Contains(t.Names, path) || t.named(last) })
}

// place is a table in FROM.
type place struct {
	at   *syntax.TableName
	name string // by which it is known
	key  string
}

// relation returns the tables of FROM, and notes the limits that the conditions of its joins are.
func (f *finder) relation(r syntax.Relation) []place {
	switch r := r.(type) {
	case *syntax.TableName:
		if n := f.table(r.Name); n >= 0 && !strings.Contains(r.Name.Last().Name, "$") {
			f.limits[r] = every
			return []place{{r, r.Name.Last().Key(), f.tables[n].Key}}
		}
	case *syntax.Aliased:
		all := f.relation(r.Relation)
		if len(r.Columns) > 0 || len(all) != 1 {
			return nil // of other columns, or of a join
		}
		all[0].name = r.Alias.Key()
		return all
	case *syntax.Sampled:
		return f.relation(r.Relation)
	case *syntax.Join:
		left, right := f.relation(r.Left), f.relation(r.Right)
		both := append(left[:len(left):len(left)], right...)
		switch r.Kind {
		case syntax.InnerJoin, syntax.CrossJoin:
			f.narrow(both, r.On)
		case syntax.LeftJoin:
			f.narrow(right, r.On)
		case syntax.RightJoin:
			f.narrow(left, r.On)
		}
		return both
	}
	return nil
}

// narrow notes what a condition leaves of the tables.
func (f *finder) narrow(all []place, condition syntax.Expr) {
	if l, ok := condition.(*syntax.Logical); ok && !l.Or {
		for _, term := range l.Terms {
			f.narrow(all, term)
		}
		return
	}
	column, r := compared(condition)
	for _, p := range all {
		if column != nil && p.is(column) {
			f.limits[p.at] = f.limits[p.at].and(r)
		}
	}
}

// is reports whether an expression is the table's day.
func (p place) is(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Column:
		return e.Name.Key() == p.key
	case *syntax.Field:
		table, ok := e.Base.(*syntax.Column)
		return ok && table.Name.Key() == p.name && e.Name.Key() == p.key
	}
	return false
}

// compared returns what is compared with texts, and for which values that holds; nil if the condition is another.
func compared(e syntax.Expr) (column syntax.Expr, r Range) {
	switch e := e.(type) {
	case *syntax.Compare:
		if text, ok := e.Right.(*syntax.StringLit); ok {
			return e.Left, holds(e.Op, text.Value)
		}
		if text, ok := e.Left.(*syntax.StringLit); ok {
			return e.Right, holds(turned[e.Op], text.Value)
		}
	case *syntax.Between:
		low, ok := e.Low.(*syntax.StringLit)
		high, too := e.High.(*syntax.StringLit)
		if ok && too && !e.Not {
			return e.X, Range{low.Value, high.Value}
		}
	case *syntax.InList:
		if e.Not {
			return nil, r
		}
		r = Range{last, ""}
		for _, x := range e.List {
			text, ok := x.(*syntax.StringLit)
			if !ok {
				return nil, r
			}
			r = r.or(Range{text.Value, text.Value})
		}
		return e.X, r
	}
	return nil, r
}

// turned are the operators from right to left.
var turned = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// holds returns the values for which value op text holds, and with < and > the text.
func holds(op, text string) Range {
	switch op {
	case "=":
		return Range{text, text}
	case "<", "<=":
		return Range{"", text}
	case ">", ">=":
		return Range{text, last}
	}
	return every
}
