package query

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query/view"
)

// rewritten is a query in the form that DuckDB receives.
type rewritten struct {
	text       string
	statements [][2]int          // where each starts and ends in text, without the semicolon
	rows       bool              // the last statement is a query that can be in parentheses
	from       func(out int) int // maps a byte of text to a byte of the user's text; nil: identical
}

// origin maps an offset in DuckDB's text to one in the user's query.
func (q rewritten) origin(out int) int {
	if q.from != nil {
		return q.from(out)
	}
	return out
}

// statement returns the text of statement n, and the shift that maps its offsets to the whole text (see fail).
func (q rewritten) statement(n int) (text string, shift int) {
	s := q.statements[n]
	return q.text[s[0]:s[1]], -s[0]
}

// split returns the statements of a text in DuckDB's SQL, from the first token of each to its last.
func split(sql string) rewritten {
	q := rewritten{text: sql}
	for _, s := range lexer.All(DuckDB, sql) {
		tokens := lexer.Tokens(DuckDB, s.SQL)
		q.statements = append(q.statements, [2]int{s.Start + tokens[0].Start, s.Start + tokens[len(tokens)-1].End})
		q.rows = startsQuery(s.SQL, tokens)
	}
	return q
}

// queryWords are the first words of statements that can be in parentheses.
var queryWords = []string{"select", "with", "from", "values", "table", "describe", "summarize"}

func startsQuery(sql string, tokens []lexer.Token) bool {
	for _, t := range tokens {
		if word := strings.ToLower(t.Text(sql)); word != "(" {
			return slices.Contains(queryWords, word)
		}
	}
	return false
}

// quoteName returns a name in SQL's quotes.
func quoteName(s string) string { return view.QuoteName(s) }

// quoteText returns an SQL text literal.
func quoteText(s string) string { return view.QuoteText(s) }
