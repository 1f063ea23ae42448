package syntax

import "strings"

// duckSQL is the hint for the other dialect.
const duckSQL = "this looks like DuckDB's SQL: --dialect duckdb"

// duckStatements are first words that only DuckDB has.
var duckStatements = set("FROM SUMMARIZE PRAGMA ATTACH DETACH COPY INSTALL LOAD PIVOT UNPIVOT CHECKPOINT EXPORT IMPORT VACUUM")

// habits are forms of other dialects, by the words or symbols that show them,
// with what to write.
var habits = []struct{ form, hint string }{
	{"::", "write CAST(x AS type); " + duckSQL},
	{"QUALIFY", "filter in a query around it: SELECT … FROM (SELECT …, row_number() OVER (…) AS n FROM t) WHERE n = 1; " + duckSQL},
	{"* EXCLUDE", duckSQL},
	{"* REPLACE", duckSQL},
	{"* EXCEPT (", "name the columns"},
	{"DISTINCT ON", "number the rows with row_number() and keep the first; " + duckSQL},
	{"GROUP BY ALL", "write GROUP BY 1, 2; " + duckSQL},
	{"USING SAMPLE", "write TABLESAMPLE BERNOULLI (10); " + duckSQL},
	{"ASOF JOIN", duckSQL}, {"POSITIONAL JOIN", duckSQL}, {"PIVOT (", duckSQL}, {"UNPIVOT (", duckSQL},
	{"SEMI JOIN", "write WHERE EXISTS (SELECT …); " + duckSQL},
	{"ANTI JOIN", "write WHERE NOT EXISTS (SELECT …); " + duckSQL},
	{"ILIKE", "write lower(x) LIKE 'pattern', or regexp_like(x, '(?i)pattern')"},
	{"RLIKE", "write regexp_like(x, 'pattern')"},
	{"REGEXP", "write regexp_like(x, 'pattern')"},
	{"SIMILAR TO", "write regexp_like(x, 'pattern')"},
	{"LATERAL VIEW", "write CROSS JOIN UNNEST(x) AS t(y)"},
	{"SORT BY", "write ORDER BY"}, {"DISTRIBUTE BY", ""}, {"CLUSTER BY", ""},
	{"LEFT (", "write substr(x, 1, n)"}, {"RIGHT (", "write substr(x, -n)"},
	{"SELECT TOP", "write LIMIT 10 at the end"},
	{"==", "write ="}, {"&&", "write AND"}, {"!~", "write NOT regexp_like(x, 'pattern')"}, {"~", "write regexp_like(x, 'pattern')"},
	{"<=>", "write x IS NOT DISTINCT FROM y"},
	{"**", "write power(x, y)"}, {"//", "x / y of integers gives an integer; " + duckSQL},
	{"<<", "write bitwise_left_shift(x, y)"}, {">>", "write bitwise_right_shift(x, y)"},
	{"&", "write bitwise_and(x, y)"}, {"|", "write bitwise_or(x, y), or || to join texts"}, {"^", "write bitwise_xor(x, y) or power(x, y)"},
	{"->>", "write json_extract_scalar(x, '$.path')"},
	{"{", "write MAP(ARRAY['a'], ARRAY[1]) for a map, or ROW(…); " + duckSQL},
	{"$", "write the value itself"}, {"@", "write the value itself"},
	{"!", "write NOT"}, {"\\", ""}, {"#", "a comment begins with --"},
}

// hint returns what to write in place of the form at the next token, or "".
func (p *parser) hint() string {
	t := p.tok()
	if p.i > 0 && p.toks[p.i-1].is(",") && t.is("FROM", ")", "WHERE") {
		return "remove the comma before it"
	}
	for _, h := range habits {
		words := strings.Fields(h.form)
		for n := 0; n <= min(p.i, len(words)); n++ { // it may end just before the token
			if p.matches(p.i-n, words) {
				return h.hint
			}
		}
	}
	switch {
	case p.i == 0 && t.kind == kindWord && duckStatements[t.word]:
		return duckSQL
	case t.is("["):
		return "write ARRAY[…]"
	case t.kind == kindQuoted:
		return `text is written in single quotes: 'text'; "…" is a name`
	case p.duckTable():
		return duckSQL
	}
	return ""
}

// matches reports whether the tokens from index i on are the words.
func (p *parser) matches(i int, words []string) bool {
	for n, w := range words {
		if i+n >= len(p.toks) || !p.toks[i+n].is(w) {
			return false
		}
	}
	return true
}

// duckTable reports whether a function that reads files stands at or before the
// next token, such as read_parquet( in FROM, or a file's name in quotes.
func (p *parser) duckTable() bool {
	for i := max(0, p.i-1); i <= p.i; i++ {
		t := p.toks[i]
		word := strings.ToLower(t.word)
		if t.kind == kindWord && (strings.HasPrefix(word, "read_") || strings.HasSuffix(word, "_scan") || word == "glob" || word == "range") {
			return true
		}
		if t.kind == kindString && i > 0 && p.toks[i-1].is("FROM", "JOIN") {
			return true
		}
	}
	return false
}
