// Package view writes tables of the lake as views of DuckDB: which files they read, and what the paths of these say.
package view

import (
	"slices"
	"strings"
)

// HiddenFunction is the function of DuckDB that says of the id of a client whether its rows are hidden.
const HiddenFunction = "pingmill_hidden"

// Clients returns the columns with ids of clients.
func (v View) Clients() []string {
	if v.Client == "" {
		return v.IDs
	}
	return slices.Concat([]string{v.Client}, v.IDs)
}

// shown returns the conditions that a client is not hidden. Rows without a client are
// shown.
func (v View) shown() (conditions []string) {
	for _, id := range v.Clients() {
		conditions = append(conditions, "system.main."+HiddenFunction+"("+QuoteName(id)+") IS NOT TRUE")
	}
	return conditions
}

// QuoteName writes a name for SQL.
func QuoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// QuoteText writes a text for SQL.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
