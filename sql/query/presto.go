package query

import (
	"errors"

	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/presto"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// preparePresto translates a query in Presto's SQL and binds the translation.
func (r *Rows) preparePresto() error {
	t, err := presto.Translate(r.sql, r.db.tables())
	if err != nil {
		return prestoError(r.sql, err)
	}
	r.Rounded = t.Rounded
	origin := func(at int) int { return max(0, t.Origin(at)) }
	// The translation passes the gate as well, so that an error in the translator cannot bypass it.
	if r.judged, err = gate.Judge(t.SQL, gate.Grants{Tables: t.Tables, Functions: functions.Internal}, parser(r.ctx, r.conn)); err != nil {
		return r.db.refusal(r.sql, err, origin)
	}
	if err := r.db.register(r.ctx, r.judged.SQL); err != nil {
		return err
	}
	views := r.db.granted(r.judged)
	if !r.judged.Explain {
		if views, err = r.only(views, r.judged.SQL); err != nil {
			return err
		}
	}
	if err := r.db.prepareViews(r.ctx, r.conn, views); err != nil {
		return err
	}
	r.take(func(at int) int { return origin(at + r.judged.At) })
	if r.judged.Explain {
		return r.explain()
	}
	verified, err := r.verifyFirst()
	if err != nil {
		return err
	}
	err = bind(r)
	if err != nil && !verified {
		again, e := r.whole()
		if e != nil {
			return e
		}
		if again {
			_, err = r.attempt()
		}
	}
	if err != nil {
		return r.fail(err, r.judged.SQL, 0)
	}
	for i := range r.Columns {
		r.Columns[i].Type = t.Columns[i].Type.String()
		r.types[i].show(t.Columns[i].Type)
	}
	if verified {
		return nil
	}
	return r.verify(0)
}

var prestoKinds = map[syntax.ErrorKind]string{syntax.NotSQL: "Parser Error", syntax.Wrong: "Binder Error",
	syntax.NotSupported: "Not supported"}

// prestoError converts an error of the translation to one of the query.
func prestoError(sql string, err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	return newError(sql, e.Start, prestoKinds[e.Kind], e.Message, e.Hint)
}

// tables returns the views as Presto's catalog. It omits columns whose type Presto does not have.
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
	db.catalog.DoubleLiterals = db.doubles
	return db.catalog
}
