package presto

import (
	"slices"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// Scope resolves names at a place of the query.
type Scope struct {
	Outer *Scope // of the query, or lambda, around; nil at the outermost
	Names []Named
	// Aggregates is the scope for arguments of aggregates, nil where there cannot be any. In a query
	// without groups it is the scope itself.
	Aggregates *Scope
	// Windows means that window functions may be called here.
	Windows bool
	// Clause names the place in messages, such as "WHERE clause".
	Clause string
	// Rewrite, if not nil, is asked first for every expression: a grouped query gives what its groups hold.
	Rewrite func(e syntax.Expr) (Expr, bool)
	// Aliases are the names that the SELECT list gives, which only ORDER BY knows.
	Aliases map[string]syntax.Expr
	// Window has the windows of the WINDOW clause.
	Window map[string]*syntax.WindowSpec
}

// Named is a column that an expression can name, or a parameter of a lambda.
type Named struct {
	Table     string   // the name before the dot, in lower case: alias or table; "" for none
	Qualifier []string // what may stand before that: schema, then catalog, nearest last
	Name      string   // in lower case; "" for a column without a name
	SQL       string   // how DuckDB's SQL names it
	Type      types.Type
	Shown     string // the name as a result shows it
	// Only is the name, in lower case, of the only field of the unnested rows whose values the column has: t(m) of UNNEST of
	// rows with one field can be m, as now, and m.value, as Presto of 2018 has it.
	Only string
	// Key means that it is a partition key: text that we have written. A condition on it must not be able to fail, so
	// that DuckDB leaves files closed by it.
	Key bool
}

// lookup finds the columns of a name in this scope alone. Parts are the parts of the dotted name in
// lower case.
func (s *Scope) lookup(parts []string) []Named {
	var found []Named
	for _, n := range s.Names {
		if n.matches(parts) {
			found = append(found, n)
		}
	}
	return found
}

func (n Named) matches(parts []string) bool {
	last := len(parts) - 1
	if n.Name == "" || n.Name != parts[last] {
		return false
	}
	return last == 0 || n.belongsTo(parts[:last])
}

// belongsTo reports whether a column is of a table that the parts name.
func (n Named) belongsTo(parts []string) bool {
	last := len(parts) - 1
	if n.Table != parts[last] {
		return false
	}
	before := parts[:last]
	return len(before) <= len(n.Qualifier) && slices.Equal(before, n.Qualifier[len(n.Qualifier)-len(before):])
}

// hasTable reports whether columns of a table of this name are in the scope.
func (s *Scope) hasTable(name string) bool {
	for _, n := range s.Names {
		if n.Table == name {
			return true
		}
	}
	return false
}

// lambda returns the scope in a lambda: its parameters hide columns.
func (s *Scope) lambda(names []Named) *Scope {
	return &Scope{Outer: s, Names: names, Clause: "lambda", Rewrite: s.Rewrite}
}

// hides reports whether a parameter of a lambda has this name.
func (s *Scope) hides(name string) bool {
	return slices.ContainsFunc(s.Names, func(n Named) bool { return n.Name == name })
}
