package query

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/query/view"
)

// View is a table of the lake: its columns and the files that are published.
type View = view.View

// Column is a column of a view or of a result.
type Column = view.Column

// DuckDBType writes a column type as DuckDB does: BIGINT,
// STRUCT("engine" VARCHAR, "count" BIGINT)[], MAP(VARCHAR, INTEGER).
func DuckDBType(t schema.Type) string {
	text, err := schema.TypeIn("duckdb", t)
	if err != nil { // not possible: the engine is one that schema knows
		return "VARCHAR"
	}
	return text
}

// clientColumn is the column of the client id, in every table that has one.
const clientColumn = "client_id"

// sampleColumn is the column of the client's sample.
const sampleColumn = "sample_id"

// TableView returns the view of a table over its published files. Queries can also name it with its version, as in
// clients_daily_v6.
func TableView(t *schema.Table, files []string) View {
	v := View{Name: t.Name, Aliases: t.Aliases(), Files: files, PartitionKeys: t.PartitionKeys, Large: t.Large}
	if i := t.Index(clientColumn); i >= 0 && t.Columns[i].Type.Kind == schema.String {
		v.Client = clientColumn
	}
	for _, id := range t.IDs() {
		if id != clientColumn {
			v.IDs = append(v.IDs, id)
		}
	}
	for i := range t.Columns {
		v.Inner = inner(v.Inner, &t.Columns[i], nil, &t.Columns[i].Type)
	}
	if t.Index(sampleColumn) >= 0 {
		v.Sample = sampleColumn
	}
	for _, c := range t.NarrowColumns() {
		v.NarrowColumns = append(v.NarrowColumns, c.Name)
	}
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, Column{Name: c.Name, Type: DuckDBType(c.Type)})
	}
	return v
}

// Derived returns the views of a table's view. Only people with all of its columns may read them.
func Derived(t *schema.Table) (views []View) {
	for _, d := range t.Views {
		v := View{Name: d.Name, Aliases: d.Aliases(), From: t.Name}
		var selected []string
		for _, c := range d.Columns {
			expression := c.Arg
			if expression == "" {
				expression = quoteName(c.Name)
			}
			selected = append(selected, expression+" AS "+quoteName(c.Name))
			v.Columns = append(v.Columns, Column{Name: c.Name, Type: DuckDBType(c.Type)})
		}
		v.Select = strings.Join(selected, ", ")
		views = append(views, v)
	}
	return views
}

// inner adds the members of a column's structs that are ids of clients. typ is the type of the member at path.
func inner(all []view.Member, c *schema.Column, path []string, typ *schema.Type) []view.Member {
	if typ.Kind != schema.Struct {
		return all
	}
	for i := range typ.Fields {
		f := &typ.Fields[i]
		at := append(slices.Clone(path), f.Name)
		if f.ID && f.Type.Kind == schema.String {
			all = append(all, view.Member{Column: Column{Name: c.Name, Type: DuckDBType(c.Type)}, Path: at})
			continue
		}
		all = inner(all, c, at, &f.Type)
	}
	return all
}
