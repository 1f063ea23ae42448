package prompt

import (
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/query"
)

// keywords are offered by completion.
var keywords = syntax.Keywords()

// statementWords begin a statement.
var statementWords = strings.Fields("SELECT WITH VALUES EXPLAIN SHOW DESCRIBE")

// functions are those of the dialect, by name. DuckDB's are many and have no list here.
func (s *Session) functions() (list []*functions.Function) {
	if s.Dialect == query.DuckDB {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(functions.All)) {
		list = append(list, functions.All[name])
	}
	return list
}
