package queryservice

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
)

// Use is a table that a query used, with its columns. Only people with the right to read them see the query.
type Use struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"` // nil: all columns; empty: only the number of rows
	// Rows are the conditions that the rows met; nil: all rows. Others of another selection of rows do not see the query.
	Rows []rows.Selection `json:"rows,omitempty"`
}

// mayUse reports whether a person may read what was used.
func (d *Service) mayUse(p *access.Person, u Use) bool {
	t, err := schema.Find(d.Site.Tables, u.Table)
	if err != nil {
		return false
	}
	granted, may := p.Reads(t)
	switch {
	case !rows.Same(p.Rows(t), u.Rows):
		return false
	case !may || granted == nil:
		return may
	case u.Columns == nil:
		return false
	}
	return !slices.ContainsFunc(u.Columns, func(c string) bool { return !slices.Contains(granted, c) && !slices.Contains(t.PartitionKeys, c) })
}

// free reports whether a person may read all columns and rows of the tables that were used, and none of them is restricted.
func free(tables []*schema.Table, p *access.Person, used []Use) bool {
	return !slices.ContainsFunc(used, func(u Use) bool {
		t, err := schema.Find(tables, u.Table)
		return err != nil || t.Restricted || !p.ReadsAll(t)
	})
}

// lists reports whether a word can name a list of tables.
func lists(w string) bool {
	return w == "show" || w == "information_schema" || strings.HasPrefix(w, "duckdb_") || strings.HasPrefix(w, "pg_") ||
		strings.HasPrefix(w, "sqlite_")
}

// named returns the readable tables that a text names, or all tables if it can list tables. Every word counts, also in
// comments and quotes, because the readers of the query see them. Tables that the person may not read do not exist for
// them, also in their history.
func (d *Service) named(p *access.Person, sql string) (all []Use) {
	everything, words := false, lexer.Words(sql)
	for w := range words {
		everything = everything || lists(w)
	}
	for _, t := range d.Site.Tables {
		columns, may := p.Reads(t)
		named := func(t *schema.Table) bool { return begins(words, strings.ToLower(t.Name)) }
		if may && (everything || slices.ContainsFunc(t.WithViews(), named)) {
			all = append(all, Use{t.Name, columns, p.Rows(t)})
		}
	}
	return all
}

func begins(words map[string]bool, name string) bool {
	for w := range words {
		if strings.HasPrefix(w, name) {
			return true
		}
	}
	return false
}

// uses returns the tables of a planned query: the columns that it reads of the views, and the tables in named that it
// does not scan. Columns that are read only to hide rows of clients do not count.
func uses(named []Use, views []query.View, plan worker.Plan) (all []Use) {
	add := func(table string, columns []string) {
		for _, n := range named { // a snapshot has the name of its table and its day
			if !slices.ContainsFunc(named, func(n Use) bool { return n.Table == table }) && strings.HasPrefix(table, n.Table+"_v") {
				table = n.Table
			}
		}
		i := slices.IndexFunc(all, func(u Use) bool { return u.Table == table })
		switch {
		case i < 0:
			all = append(all, Use{Table: table, Columns: slices.Clone(columns)})
		case columns == nil:
			all[i].Columns = nil
		case all[i].Columns != nil:
			all[i].Columns = append(all[i].Columns, columns...)
			slices.Sort(all[i].Columns)
			all[i].Columns = slices.Compact(all[i].Columns)
		}
	}
	for _, s := range plan.Scans {
		columns := shown(views, s)
		if i := slices.IndexFunc(named, func(n Use) bool { return n.Table == s.View }); columns == nil && i >= 0 {
			columns = named[i].Columns // a scan of all columns, such as that of a random sample, reads those that are granted
		}
		add(s.View, columns)
	}
	for _, n := range named {
		if !slices.ContainsFunc(all, func(u Use) bool { return u.Table == n.Table }) {
			all = append(all, n)
		}
	}
	return all
}

// shown returns the columns of a scan that its view has.
func shown(views []query.View, s query.Scan) []string {
	i := slices.IndexFunc(views, func(v query.View) bool { return v.Name == s.View })
	if i < 0 || s.Columns == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Columns), func(c string) bool {
		return !slices.ContainsFunc(views[i].Columns, func(has query.Column) bool { return has.Name == c })
	})
}

// limitRows sets which rows of the tables a person reads, and returns notes about them.
func limitRows(tables []*schema.Table, p *access.Person, used []Use) (notes []string) {
	for i := range used {
		u := &used[i]
		t, err := schema.Find(tables, u.Table)
		if err != nil {
			continue
		}
		if u.Rows = p.Rows(t); len(u.Rows) > 0 {
			notes = append(notes, "of "+u.Table+" you read only rows with "+rows.Text(u.Rows))
		}
	}
	return notes
}
