package query

import (
	"errors"
	"slices"

	"github.com/pingmill/pingmill/presto"
	"github.com/pingmill/pingmill/presto/syntax"
	"github.com/pingmill/pingmill/presto/types"
)

// preparePresto translates a query in Presto's SQL and binds what DuckDB is to run.
func (r *Rows) preparePresto() error {
	t, err := presto.Translate(r.sql, r.db.tables())
	if err != nil {
		return prestoError(r.sql, err)
	}
	views := make([]int, 0, len(t.Tables))
	for _, name := range t.Tables {
		views = append(views, r.db.names[name])
	}
	slices.Sort(views)
	if err := r.db.prepareViews(r.ctx, r.conn, views); err != nil {
		return err
	}
	r.query = rewritten{text: t.SQL, statements: [][2]int{{0, len(t.SQL)}}, rows: t.Kind != presto.Explain, from: func(at int) int {
		return max(0, t.Origin(at))
	}}
	if _, err := r.attempt(0); err != nil {
		return r.fail(err, t.SQL, 0)
	}
	for i := range r.Columns {
		if t.Kind != presto.Explain {
			r.Columns[i].Type = t.Columns[i].Type.String()
		}
	}
	return r.verify(0)
}

var prestoKinds = map[syntax.ErrorKind]string{syntax.NotSQL: "Parser Error", syntax.Wrong: "Binder Error", syntax.NotSupported: "Not supported"}

// prestoError is an error of the translation as one of the query.
func prestoError(sql string, err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	return newError(sql, e.Start, prestoKinds[e.Kind], e.Message, e.Hint)
}

// tables are the views as Presto's SQL knows them. A column of a type that Presto has not is not seen.
func (db *DB) tables() *presto.Catalog {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.catalog != nil {
		return db.catalog
	}
	tables := make([]presto.Table, len(db.views))
	for i, v := range db.views {
		tables[i] = presto.Table{Name: v.Name, Aliases: v.Aliases, PartitionKeys: v.PartitionKeys, Partitions: v.Partitions}
		for _, c := range v.Columns {
			if t, err := types.FromDuckDB(c.Type); err == nil {
				tables[i].Columns = append(tables[i].Columns, presto.Column{Name: c.Name, Type: t})
			}
		}
	}
	db.catalog = presto.NewCatalog(tables...)
	return db.catalog
}
