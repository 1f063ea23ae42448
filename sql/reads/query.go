package reads

import (
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// Query is the text of a query.
type Query struct {
	sql  string
	tree *syntax.Query // nil: it is in DuckDB's SQL, or no query
}

// Parse parses a text in a dialect. Any text is a Query.
func Parse(d lexer.Dialect, sql string) Query {
	q := Query{sql: sql}
	if d == lexer.DuckDB {
		return q
	}
	statement, err := syntax.Parse(sql)
	if err != nil {
		return q
	}
	if e, ok := statement.(*syntax.Explain); ok {
		statement = e.Query
	}
	q.tree, _ = statement.(*syntax.Query)
	return q
}

// OnlyNamed reports whether a query can ask nothing about a table that Find does not return, not even for its columns: it is a
// query in Presto's SQL that does not read information_schema.
func (q Query) OnlyNamed() bool {
	if q.tree == nil {
		return false
	}
	only := true
	syntax.Inspect(q.tree, func(n syntax.Node) bool {
		var name syntax.Name
		switch n := n.(type) {
		case *syntax.TableName:
			name = n.Name
		case *syntax.Table:
			name = n.Name
		}
		if parts := name.Parts; len(parts) > 1 {
			only = only && parts[len(parts)-2].Key() != "information_schema"
		}
		return only
	})
	return only
}
