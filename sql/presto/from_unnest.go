package presto

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// DuckDB joins a table with UNNEST of its own column by reading all of it first: conditions
// on partitions come too late, and unnesting takes 20 to 80 times as long. An unnest in a SELECT
// list has neither fault, so
//
//	FROM main_summary CROSS JOIN UNNEST(search_counts) AS t(engine, source, count)
//
// becomes, with e.engine for the names of t:
//
//	FROM (SELECT m.*, unnest(search_counts) AS e FROM main_summary AS m)

// unnested is UNNEST(…): expressions for a SELECT list, and the columns that they make.
type unnested struct {
	lists   []string // what is unnested side by side
	counter string   // the list of the ordinality, or ""
	columns []Named  // SQL is a template with $ for the table
	rows    []Named  // the same with rows of arrays whole
	uses    []string // SQL of the arguments
}

// expandLists translates the arguments of UNNEST.
func (t *translator) expandLists(s *Scope, u *syntax.Unnest) unnested {
	var out unnested
	add := func(list string, typ types.Type, whole bool) {
		sql := "$.u" + t.alias("")
		out.lists = append(out.lists, list+" AS "+sql[2:])
		n := Named{SQL: sql, Type: typ}
		out.rows = append(out.rows, n)
		if whole {
			out.columns = append(out.columns, n)
			return
		}
		out.columns = append(out.columns, fieldsOf(sql, typ)...)
	}
	for _, e := range u.Args {
		x := t.expr(s, e)
		out.uses = append(out.uses, x.SQL)
		switch x.Type.Kind {
		case types.Array:
			add(x.SQL, x.Type.Elem(), x.Type.Elem().Kind != types.Row)
		case types.Map:
			add("map_keys("+x.SQL+")", x.Type.Elem(), true)
			add("map_values("+x.SQL+")", x.Type.Value(), true)
		case types.Unknown:
			add("CAST(NULL AS INTEGER[])", x.Type, true)
		default:
			t.fail(e, "", "UNNEST takes arrays and maps, not %s", x.Type)
		}
	}
	if u.Ordinality {
		name := "u" + t.alias("")
		n := Named{SQL: "$." + name, Type: types.New(types.Bigint)}
		out.counter = name
		out.columns, out.rows = append(out.columns, n), append(out.rows, n)
	}
	for i, n := range out.columns {
		if n.Shown == "" {
			out.columns[i].Shown = column(i)
		}
	}
	return out
}

// items returns the expressions of the SELECT list. With outer there is a row of nulls where the lists have no
// elements.
func (u unnested) items(outer bool) []string {
	lists, names := make([]string, len(u.lists)), make([]string, len(u.lists))
	lengths := make([]string, len(u.lists))
	for i, l := range u.lists {
		at := strings.LastIndex(l, " AS ")
		lists[i], names[i] = l[:at], l[at+len(" AS "):]
		lengths[i] = "len(" + lists[i] + ")"
	}
	longest := lengths[0]
	if len(lengths) > 1 {
		longest = "greatest(" + strings.Join(lengths, ", ") + ")"
	}
	var items []string
	item := func(list, name string) {
		if outer {
			list = "CASE WHEN coalesce(" + longest + ", 0) = 0 THEN [NULL] ELSE " + list + " END"
		}
		items = append(items, "unnest("+list+") AS "+name)
	}
	for i := range lists {
		item(lists[i], names[i])
	}
	if u.counter != "" {
		item("range(1, 1 + "+longest+")", u.counter)
	}
	return items
}

// in returns columns the name of their table.
func in(table string, columns []Named) []Named {
	out := slices.Clone(columns)
	for i, n := range out {
		out[i].SQL = strings.Replace(n.SQL, "$.", table+".", 1)
	}
	return out
}

// unnest translates UNNEST that names no columns of relations beside it.
func (t *translator) unnest(outer *Scope, u *syntax.Unnest) relation {
	return t.unnestAlone(t.expandLists(&Scope{Outer: outer, Clause: "UNNEST"}, u))
}

func (t *translator) unnestAlone(e unnested) relation {
	alias := t.alias("r")
	return relation{sql: "(SELECT " + strings.Join(e.items(false), ", ") + ") AS " + alias, names: in(alias, e.columns),
		rows: in(alias, e.rows)}
}

// unnestJoin joins a relation with UNNEST of its columns.
func (t *translator) unnestJoin(outer *Scope, j *syntax.Join, left relation, u *syntax.Unnest) relation {
	if j.Using != nil || j.On != nil && !always(j.On) {
		t.fail(j, "write CROSS JOIN UNNEST(…), and the condition in WHERE", "a JOIN with UNNEST takes no condition but ON true")
	}
	e := t.expandLists(&Scope{Outer: outer, Names: left.names, Clause: "UNNEST"}, u)
	named := func(r relation) relation {
		if a, ok := j.Right.(*syntax.Aliased); ok {
			return t.aliased(r, a)
		}
		return r
	}
	if !e.reads(left) {
		right := named(t.unnestAlone(e))
		out := relation{join: true, names: slices.Concat(left.names, right.names), sql: left.sql + joinWords[j.Kind] + right.sql}
		if j.Kind != syntax.CrossJoin {
			out.sql += " ON true"
		}
		return out
	}
	if j.Kind == syntax.RightJoin || j.Kind == syntax.FullJoin {
		t.refuse(j, "", "this join with UNNEST is not supported")
	}
	out := t.wrapped(left, e.items(j.Kind == syntax.LeftJoin), "")
	table := out.sql[strings.LastIndex(out.sql, " ")+1:]
	right := named(relation{names: in(table, e.columns), rows: in(table, e.rows)})
	out.names = append(out.names, right.names...)
	return out
}

// reads reports whether an argument names a column of the relation.
func (u unnested) reads(r relation) bool {
	for _, n := range r.names {
		table, _, _ := strings.Cut(n.SQL, ".")
		if table[0] != 'r' {
			return true // an expression, such as of USING
		}
		if slices.ContainsFunc(u.uses, func(sql string) bool { return strings.Contains(sql, table+".") }) {
			return true
		}
	}
	return false
}
