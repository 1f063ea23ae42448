package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// wideView is from how many columns on a view is made for one query, with the columns that it names: each bind of hundreds takes
// tens of milliseconds.
const wideView = 100

// only makes views of the columns that a statement names, for its connection alone, where the views are wide and no
// star stands for others. Presto's SQL is written with the name of each column. A column that is missed all the same is an error of
// binding, after which the views are made as they are.
func (r *Rows) only(views []int, sql string) (rest []int, err error) {
	named, star := columnNames(sql)
	for _, i := range views {
		v := r.db.views[i]
		if star || len(v.Columns) < wideView || len(v.Files) == 0 || v.Err != nil {
			rest = append(rest, i)
			continue
		}
		v.Columns = slices.DeleteFunc(slices.Clone(v.Columns), func(c Column) bool {
			return !named[strings.ToLower(c.Name)] && c.Name != v.Client && !slices.Contains(v.PartitionKeys, c.Name)
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

// whole makes the views of all columns in the place of those of some. It says whether there were such.
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

// columnNames are the words of a statement, in lower case, and whether a star in it may stand for columns.
func columnNames(sql string) (names map[string]bool, star bool) {
	names = map[string]bool{}
	before := ""
	for _, t := range lex(sql) {
		word := strings.ToLower(unquoteName(sql[t.start:t.end]))
		if word == "*" && (before == "select" || before == "distinct" || before == "," || before == ".") || word == "columns" {
			star = true
		}
		if before = word; t.kind == tokWord || t.kind == tokQuoted {
			names[word] = true
		}
	}
	return names, star
}
