package presto

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// statement translates a statement.
func (t *translator) statement(s syntax.Statement) *Translation {
	switch s := s.(type) {
	case *syntax.Query:
		return t.result(Select, t.ordered(nil, s))
	case *syntax.Explain:
		return t.explain(s)
	}
	return t.show(s)
}

// result shows the columns of a query under their names.
func (t *translator) result(kind Kind, b block) *Translation {
	out := make([]string, len(b.columns))
	columns := make([]Column, len(b.columns))
	taken := map[string]bool{}
	for i, c := range b.columns {
		name := unique(c.Shown, taken)
		out[i] = render(column(i), c.Type) + " AS " + duck.Name(name)
		columns[i] = Column{Name: name, Type: c.Type}
	}
	sql := "SELECT " + strings.Join(out, ", ") + " FROM (" + b.sql + ") AS result"
	return &Translation{Kind: kind, SQL: sql + b.tail, Columns: columns}
}

// unique returns a name that no column has yet: the second count is count_2. Names of results differ by more than case,
// as in DuckDB.
func unique(name string, taken map[string]bool) string {
	found := name
	for n := 2; taken[strings.ToLower(found)]; n++ {
		found = fmt.Sprintf("%s_%d", name, n)
	}
	taken[strings.ToLower(found)] = true
	return found
}

// explain shows DuckDB's plan.
func (t *translator) explain(e *syntax.Explain) *Translation {
	for _, o := range e.Options {
		switch o.Value {
		case "JSON", "GRAPHVIZ", "IO":
			t.refuse(o, "EXPLAIN shows the plan as text", "EXPLAIN (%s %s) is not supported", o.Name, o.Value)
		case "VALIDATE":
			t.ordered(nil, e.Query)
			return &Translation{Kind: Show, SQL: `SELECT true AS "Valid"`, Columns: []Column{{Name: "Valid", Type: boolean}}}
		}
	}
	plan := t.result(Explain, t.ordered(nil, e.Query))
	word := "EXPLAIN "
	if e.Analyze {
		word = "EXPLAIN ANALYZE "
	}
	plan.SQL = word + plan.SQL
	plan.Columns = []Column{{Name: "Query Plan", Type: varchar}}
	return plan
}

// column returns the name of column i in the SQL of query.
func column(i int) string { return fmt.Sprintf("c%d", i) }

// alias makes a name that nothing else in the SQL has.
func (t *translator) alias(prefix string) string {
	t.aliases++
	return fmt.Sprintf("%s%d", prefix, t.aliases)
}
