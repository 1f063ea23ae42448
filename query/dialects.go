package query

import "fmt"

// Dialect is the language of a query.
type Dialect string

// The dialects.
const (
	Presto Dialect = "presto"
	DuckDB Dialect = "duckdb" // as DuckDB reads it
)

// ParseDialect finds a dialect by its name; none is Presto.
func ParseDialect(name string) (Dialect, error) {
	switch d := Dialect(name); d {
	case "", Presto:
		return Presto, nil
	case DuckDB:
		return d, nil
	}
	return "", fmt.Errorf("no dialect %q: want %s or %s", name, Presto, DuckDB)
}

// statements divides a text in DuckDB's dialect.
func statements(sql string) rewritten {
	r := rewriter{src: sql, toks: lex(sql)}
	q := rewritten{text: sql}
	for _, t := range r.toks {
		q.marks = append(q.marks, mark{t.start, t.start})
	}
	end := len(r.toks) - 1
	for lo := 0; lo < end; lo++ {
		hi := lo
		for hi < end && !r.symbol(hi, ";") {
			hi++
		}
		if hi > lo {
			q.statements = append(q.statements, [2]int{r.toks[lo].start, r.toks[hi].lead})
			q.rows = r.startsQuery(lo)
		}
		lo = hi
	}
	return q
}
