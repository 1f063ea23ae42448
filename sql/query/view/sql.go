// Package view writes tables of the lake as views of DuckDB: which files they read, and what the paths of these say.
package view

import (
	"slices"
	"strings"
)

// HiddenFunction is the function of DuckDB that says of the id of a client whether its rows are hidden.
const HiddenFunction = "pingmill_hidden"

// Clients returns the columns with ids of clients, also within structs.
func (v View) Clients() (names []string) {
	for _, c := range v.hiding() {
		names = append(names, c.Name)
	}
	return names
}

// hiding returns the columns by which rows are hidden, each once.
func (v View) hiding() (all []Column) {
	for _, name := range v.ids() {
		all = append(all, Column{Name: name, Type: "VARCHAR"})
	}
	for _, m := range v.Inner {
		if !slices.Contains(all, m.Column) {
			all = append(all, m.Column)
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

func notHidden(id string) string { return "system.main." + HiddenFunction + "(" + id + ") IS NOT TRUE" }

// QuoteName writes a name for SQL.
func QuoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// QuoteText writes a text for SQL.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
