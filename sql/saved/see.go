package saved

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/lexer"
)

// sees reports whether a person may see a query. It uses no parser, so that text that cannot be parsed cannot bypass
// it: every word counts, also in comments, and a restricted table's name counts anywhere in the doc. A person with only
// some columns of a table sees no query that names other columns. An owner always sees the query, because they wrote
// these names.
func (s *Store) sees(p *access.Person, q *Query) bool {
	if q.Owner != "" && q.Owner == p.ID {
		return true
	}
	written, err := json.Marshal(q.Doc)
	if err != nil {
		return false
	}
	all, words := strings.ToLower(string(written)), lexer.Words(q.SQL)
	for _, t := range s.tables {
		columns, may := p.Reads(t)
		named := slices.ContainsFunc(t.WithViews(), func(view *schema.Table) bool { return names(words, view) }) || t.Restricted &&
			strings.Contains(all, t.Name)
		if named && (!may || columns != nil && namesOther(q.SQL, words, t, columns)) {
			return false
		}
	}
	return true
}

// namesOther reports whether the words include a column of the table that the person may not read.
func namesOther(sql string, words map[string]bool, t *schema.Table, columns []string) bool {
	sql = strings.ToLower(sql)
	return slices.ContainsFunc(t.Columns, func(c schema.Column) bool {
		name := strings.ToLower(c.Name)
		word := lexer.Words(name)[name]
		return !slices.Contains(columns, c.Name) && (words[name] || !word && strings.Contains(sql, name))
	})
}

// names reports whether words contain a table's name, with or without its version.
func names(words map[string]bool, t *schema.Table) bool {
	return words[t.Name] || words[t.Name+"_"+t.Version]
}
