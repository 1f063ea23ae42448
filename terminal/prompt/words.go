package prompt

import (
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/query"
)

// keywords lists the keywords for completion.
var keywords = syntax.Keywords()

// statementWords lists the keywords that begin a statement.
var statementWords = strings.Fields("SELECT WITH VALUES EXPLAIN SHOW DESCRIBE")

// functions returns the functions of the dialect, by name. For DuckDB it returns nil.
func (s *Session) functions() (list []*functions.Function) {
	if s.Dialect == query.DuckDB {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(functions.All())) {
		list = append(list, functions.All()[name])
	}
	return list
}
