// Package examples has the queries that show what the tables are for, in the dialect of Presto. They are saved queries that
// come with the program.
package examples

import (
	"fmt"
	"time"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// Example is a query that shows what a table is for.
type Example struct {
	Name string // a word for the command line, and its id as a saved query
	saved.Doc
}

// Days is the range that an Example asks for: first and last day.
type Days struct{ From, To time.Time }

// Query writes the example for a range of days: as its range, and the last one as its day.
func (e Example) Query(days Days) (string, error) {
	values := map[string]any{}
	for _, p := range e.Parameters {
		switch p.Kind {
		case params.Days:
			values[p.Name] = params.Range(days)
		case params.Day:
			values[p.Name] = days.To
		}
	}
	x, err := params.Expand(params.Input{SQL: e.SQL, Dialect: params.Presto, Declared: e.Parameters, Values: values, Today: days.To,
		Newest: days.To})
	if err != nil {
		return "", fmt.Errorf("write example %s: %w", e.Name, err)
	}
	return x.SQL, nil
}

// Saved returns the examples whose tables an installation has, as saved queries.
func Saved(tables []*schema.Table) []saved.Query {
	examples := ForTables(tables)
	all := make([]saved.Query, len(examples))
	for i, e := range examples {
		all[i] = saved.Query{Head: document.Head{ID: e.Name}, Doc: e.Doc}
	}
	return all
}

// First returns the examples that show the most in the least lines.
func First() []Example { return first }
