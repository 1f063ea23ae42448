package query

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/query/view"
)

// rewritten is a query as DuckDB gets it.
type rewritten struct {
	text       string
	statements [][2]int          // where each starts and ends in text, without the semicolon
	rows       bool              // whether the last is a query that can be in brackets
	from       func(out int) int // the byte of the user's text for one of this; nil: the same
}

// origin gives the offset in the query of an offset in what DuckDB gets.
func (q rewritten) origin(out int) int {
	if q.from != nil {
		return q.from(out)
	}
	return out
}

// statement gives the text of statement n and what to subtract from a place in
// it to get one in the whole text.
func (q rewritten) statement(n int) (text string, shift int) {
	s := q.statements[n]
	return q.text[s[0]:s[1]], -s[0]
}

// split finds the statements of a text in DuckDB's SQL.
func split(sql string) rewritten {
	q := rewritten{text: sql}
	tokens := lex(sql)
	first := 0
	for i, t := range tokens {
		if t.kind != tokEnd && (t.kind != tokSymbol || sql[t.start:t.end] != ";") {
			continue
		}
		if i > first {
			q.statements = append(q.statements, [2]int{tokens[first].start, tokens[i-1].end})
			q.rows = startsQuery(sql, tokens[first:i])
		}
		first = i + 1
	}
	return q
}

// queryWords begin statements that can be in brackets.
var queryWords = []string{"select", "with", "from", "values", "table", "describe", "summarize"}

func startsQuery(sql string, tokens []token) bool {
	for _, t := range tokens {
		if word := strings.ToLower(sql[t.start:t.end]); word != "(" {
			return slices.Contains(queryWords, word)
		}
	}
	return false
}

// quoteName writes a name for SQL.
func quoteName(s string) string { return view.QuoteName(s) }

// unquoteName reads a name as it is written in SQL.
func unquoteName(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	return strings.ReplaceAll(strings.TrimSuffix(s[1:], `"`), `""`, `"`)
}

// quoteText writes a text for SQL.
func quoteText(s string) string { return view.QuoteText(s) }
