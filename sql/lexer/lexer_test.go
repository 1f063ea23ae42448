package lexer

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// kinds are the names of kinds in testdata/tokens.json, which the tests of the pages read, too.
var kinds = map[Kind]string{
	Symbol: "mark", Word: "word", Quoted: "quoted", Text: "text", Number: "number", Comment: "comment", Parameter: "parameter",
}

// tokenCase has the tokens of a text in a dialect: kind and text of each, and "open" if its end is missing.
type tokenCase struct {
	Dialect Dialect    `json:"dialect"`
	SQL     string     `json:"sql"`
	Tokens  [][]string `json:"tokens"`
}

func written(d Dialect, sql string) [][]string {
	all := [][]string{}
	for t := range Scan(d, sql) {
		token := []string{kinds[t.Kind], t.Text(sql)}
		if t.Open {
			token = append(token, "open")
		}
		all = append(all, token)
	}
	return all
}

// TestTokens: tokens equal the cases, which differ where the dialects do.
func TestTokens(t *testing.T) {
	text, err := os.ReadFile("testdata/tokens.json")
	require.NoError(t, err)
	var cases []tokenCase
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Greater(t, len(cases), 100)
	for _, c := range cases {
		require.Equal(t, c.Tokens, written(c.Dialect, c.SQL), "%s: %q", c.Dialect, c.SQL)
	}
}
