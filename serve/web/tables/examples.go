package tables

import (
	"regexp"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/saved/examples"
)

// TableExample is an example query of a table.
type TableExample struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	SQL   string `json:"sql"`
}

// exampleDays is the number of days that examples query.
const exampleDays = 7

// examplesOf returns the examples that query a table, up to its newest day, without those that the person may not run.
func examplesOf(p *access.Person, t *schema.Table, all []*schema.Table, newest string) ([]TableExample, error) {
	out := []TableExample{}
	to, err := job.ParseDay(newest)
	if err != nil {
		return out, nil // nothing is published
	}
	days := examples.Days{From: to.AddDate(0, 0, 1-exampleDays), To: to}
	for _, e := range examples.All {
		sql, err := e.Query(days)
		if err != nil {
			return nil, err
		}
		if names(sql, t) && runs(p, sql, all) {
			out = append(out, TableExample{e.Name, e.Title, sql})
		}
	}
	return out, nil
}

// names reports whether a query names a table.
func names(sql string, t *schema.Table) bool {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(t.Name) + `\b`).MatchString(sql)
}

// runs reports whether a person may read all columns of every table that a query names.
func runs(p *access.Person, sql string, all []*schema.Table) bool {
	for _, t := range all {
		if columns, may := p.Reads(t); names(sql, t) && (!may || columns != nil) {
			return false
		}
	}
	return true
}
