package tables

import (
	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/reads"
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
	for _, e := range examples.ForTables(all) {
		sql, err := e.Query(days)
		if err != nil {
			return nil, err
		}
		if read := reads.Named(lexer.Presto, sql, all); read(t) && runs(p, read, all) {
			out = append(out, TableExample{e.Name, e.Title, sql})
		}
	}
	return out, nil
}

// runs reports whether a person may read all columns of every table that a query reads.
func runs(p *access.Person, read func(*schema.Table) bool, all []*schema.Table) bool {
	for _, t := range all {
		if columns, may := p.Reads(t); read(t) && (!may || columns != nil) {
			return false
		}
	}
	return true
}
