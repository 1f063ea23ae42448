package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/lexer"
)

// wideView is the number of columns from which on a view is created for one query, with only the columns that the query
// names: binding hundreds of columns takes tens of milliseconds each time.
const wideView = 100

// only creates wide views with only the columns that a statement names, for its connection alone, unless a star may
// stand for other columns. Presto's SQL is translated with the name of each column. If a column is missing anyway,
// binding fails and the views are created again with all columns.
func (r *Rows) only(views []int, sql string) (rest []int, err error) {
	named, star := columnNames(sql)
	for _, i := range views {
		v := r.db.views[i]
		if star || len(v.Columns) < wideView || len(v.Files) == 0 || v.Err != nil {
			rest = append(rest, i)
			continue
		}
		deciding := v.Deciding()
		v.Columns = slices.DeleteFunc(slices.Clone(v.Columns), func(c Column) bool {
			return !named[strings.ToLower(c.Name)] && !slices.Contains(deciding, c.Name) && !slices.Contains(v.PartitionKeys, c.Name)
		})
		if r.few == nil {
			r.few = map[int]View{}
		}
		r.few[i] = v
		if err := r.makeFew(v); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

func (r *Rows) makeFew(v View) error {
	r.db.mu.Lock()
	defer r.db.mu.Unlock()
	v, err := r.db.standIn(v)
	if err != nil {
		return err
	}
	sql := strings.Replace(v.Create(r.db.hiding, r.db.tag(v)), "CREATE OR REPLACE VIEW", "CREATE OR REPLACE TEMP VIEW", 1)
	if err := makes(r.ctx, r.conn, sql); err != nil {
		return fmt.Errorf("read table %s: %w", v.Name, err)
	}
	return nil
}

// whole replaces the views with some columns by the full views. It reports whether there were any.
func (r *Rows) whole() (bool, error) {
	if len(r.few) == 0 {
		return false, nil
	}
	views := slices.Sorted(maps.Keys(r.few))
	for _, i := range views {
		if err := run(r.ctx, r.conn, "DROP VIEW IF EXISTS temp."+quoteName(r.db.views[i].Name)); err != nil {
			return false, fmt.Errorf("read table %s: %w", r.db.views[i].Name, err)
		}
	}
	r.few = nil
	return true, r.db.prepareViews(r.ctx, r.conn, views)
}

// columnNames returns the words of a statement in lower case, and whether a star in it may stand for columns.
func columnNames(sql string) (names map[string]bool, star bool) {
	names = map[string]bool{}
	before := ""
	for _, t := range lexer.Tokens(DuckDB, sql) {
		word := strings.ToLower(t.Name(sql))
		if word == "*" && (before == "select" || before == "distinct" || before == "," || before == ".") || word == "columns" {
			star = true
		}
		if before = word; t.Kind == lexer.Word || t.Kind == lexer.Quoted {
			names[word] = true
		}
	}
	return names, star
}
