package reads

import (
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// OnlyNamed reports whether a query can ask nothing about a table that Of does not return, not even for its columns: it is a query
// in Presto's SQL that does not read information_schema.
func OnlyNamed(d lexer.Dialect, sql string) bool {
	if d == lexer.DuckDB {
		return false
	}
	query := parse(sql)
	if query == nil {
		return false
	}
	only := true
	syntax.Inspect(query, func(n syntax.Node) bool {
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
