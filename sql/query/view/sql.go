// Package view writes tables of the lake as views of DuckDB: which files they read, and what the paths of these say.
package view

import (
	"slices"
	"strings"
)

// HiddenFunction is the function of DuckDB that says of the id of a client whether its rows are hidden.
const HiddenFunction = "pingmill_hidden"

// Deciding returns the columns that decide which rows there are: those with ids of clients, also within structs, and those of
// conditions.
func (v View) Deciding() (names []string) {
	for _, c := range v.deciding() {
		names = append(names, c.Name)
	}
	return names
}

// deciding returns the columns of Deciding, each once, but for partition keys of the paths.
func (v View) deciding() (all []Column) {
	for _, name := range v.ids() {
		all = append(all, Column{Name: name, Type: "VARCHAR"})
	}
	for _, m := range v.Inner {
		if !slices.Contains(all, m.Column) {
			all = append(all, m.Column)
		}
	}
	if len(v.Rows) == 0 {
		return all
	}
	located := v.locate() // looks at every file
	for _, c := range v.Rows {
		if _, ok := located[c.Column.Name]; !ok && !slices.Contains(all, c.Column) {
			all = append(all, c.Column)
		}
	}
	return all
}

// ids returns the columns that are ids of clients.
func (v View) ids() []string {
	if v.Client == "" {
		return v.IDs
	}
	return slices.Concat([]string{v.Client}, v.IDs)
}

// shown returns the conditions that a client is not hidden. Rows without a client are
// shown.
func (v View) shown() (conditions []string) {
	for _, id := range v.ids() {
		conditions = append(conditions, notHidden(QuoteName(id)))
	}
	for _, m := range v.Inner {
		id := QuoteName(m.Column.Name)
		for _, name := range m.Path {
			id = "system.main.struct_extract(" + id + ", " + QuoteText(name) + ")"
		}
		conditions = append(conditions, notHidden(id))
	}
	return conditions
}

// granted returns the conditions that the rows meet. located has expressions of partition keys.
func (v View) granted(located map[string]string) (conditions []string) {
	for _, c := range v.Rows {
		value, ok := located[c.Column.Name]
		if !ok {
			value = QuoteName(c.Column.Name)
		}
		if c.Column.Type != "VARCHAR" {
			value = "CAST(" + value + " AS VARCHAR)"
		}
		texts := make([]string, len(c.Values))
		for i, v := range c.Values {
			texts[i] = QuoteText(v)
		}
		conditions = append(conditions, value+" IN ("+strings.Join(texts, ", ")+")")
	}
	return conditions
}

// grants reports whether values of the partition keys meet the conditions on these.
func (v View) grants(values []string) bool {
	for _, c := range v.Rows {
		if i := slices.Index(v.PartitionKeys, c.Column.Name); i >= 0 && !slices.Contains(c.Values, values[i]) {
			return false
		}
	}
	return true
}

// limited selects a column of the files. With a condition on rows it is null in the other rows: DuckDB may compute expressions of a
// query, whose errors have values, before it leaves these out.
func limited(name, condition string) string {
	if condition == "" {
		return name
	}
	return "CASE WHEN " + condition + " THEN " + name + " END AS " + name
}

func notHidden(id string) string { return "system.main." + HiddenFunction + "(" + id + ") IS NOT TRUE" }

// QuoteName writes a name for SQL.
func QuoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// QuoteText writes a text for SQL.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
