// Package view writes tables of the lake as views of DuckDB: which files they read, and what the paths of these say.
package view

import "strings"

// HiddenFunction is the function of DuckDB that says of the id of a client whether its rows are hidden.
const HiddenFunction = "pingmill_hidden"

// shown is the condition that a client is not hidden. Rows without a client are
// shown.
func (v View) shown() string {
	return "system.main." + HiddenFunction + "(" + QuoteName(v.Client) + ") IS NOT TRUE"
}

// QuoteName writes a name for SQL.
func QuoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// QuoteText writes a text for SQL.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
