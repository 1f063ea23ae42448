package query

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/query/gate"
)

// TestGate: what is judged is the query of the text, however it ends, and errors are in its terms.
func TestGate(t *testing.T) {
	db, err := Open(t.Context(), []View{{Name: "t", Columns: []Column{{"a", "INTEGER"}}}}, Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	for sql, want := range map[string]string{
		"select a from t":                     "select a from t",
		"/* x */ explain\nselect 1; ; -- x;y": "\nselect 1",
		"select ';' ; -- ;":                   "select ';' ",
	} {
		s, err := db.Gate(t.Context(), sql, gate.Grants{})
		require.NoError(t, err)
		if s.SQL != want {
			t.Errorf("%s: %q", sql, s.SQL)
		}
	}
	for sql, want := range map[string]string{
		"select 1,\n read_text('x')": "Not allowed: the function read_text\n\nLINE 2:  read_text('x')\n         ^\nhint: it reads files",
		"from t, u":                  "Catalog Error: there is no table u\n\nLINE 1: from t, u\n                ^\nhint: did you mean t?",
		"explain selec":              "Parser Error: syntax error at or near \"selec\"\n\nLINE 1: explain selec\n                ^",
	} {
		if _, err := db.Gate(t.Context(), sql, gate.Grants{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
