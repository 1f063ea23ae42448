package query

import (
	"sort"
	"strings"
)

// dialect is what rewriting needs to know beyond the text of the query.
type dialect struct {
	plain bool // DuckDB's: only statements are divided
	// partitions gives the partition keys of a table and their values, one
	// row per partition, for SHOW PARTITIONS; ok is false for other names.
	partitions func(table string) (keys []string, rows [][]string, ok bool)
	// columns gives the columns of a table of the lake, in lower case, nil for
	// other names.
	columns func(table string) map[string]bool
	// variants holds the calls, by offset in the query, for which the second
	// of two readings is right: see readings.
	variants map[int]bool
}

// readings are calls whose translation depends on the type of an argument,
// which only DuckDB knows. The first reading is tried; when DuckDB has no
// function of that name (the key) for the type given, the call takes the other.
//   - cardinality(x) is array_length for arrays, cardinality for maps;
//   - UNNEST(x) AS t(a, b) spreads a map, or the members of an array's rows.
var readings = map[string]bool{"array_length": true, "map_keys": true}

// rewriter translates one query text. It copies tokens and replaces calls; as
// it writes it records from which place of the query every piece came.
type rewriter struct {
	dialect
	src   string
	toks  []token
	match []int // for an opening bracket the index of the closing one and back, else -1
	out   strings.Builder
	marks []mark
	names []map[string]string // lambda parameters replaced in the body being written
	err   error

	// what spread has found, by token
	bases    map[int]*relation // tables with UNNESTs taken into them
	dropped  map[int]int       // tokens not to write, up to the one given
	replaced map[int]string    // other text for a token
}

// mark says that the output from offset out on came from offset src.
type mark struct{ out, src int }

// rewritten is a translated query.
type rewritten struct {
	text       string
	marks      []mark
	statements [][2]int          // where each starts and ends in text, without the semicolon
	rows       bool              // whether the last is a query that can be in brackets
	from       func(out int) int // instead of marks, if not nil
}

// rewrite translates Presto's dialect to DuckDB's. Text without Presto
// constructs comes back unchanged.
func (d dialect) rewrite(src string) (rewritten, error) {
	r := rewriter{dialect: d, src: src, toks: lex(src)}
	r.pair()
	if !d.plain {
		r.spread()
	}
	var q rewritten
	end := len(r.toks) - 1
	for lo := 0; lo < end; {
		hi := lo
		for hi < end && !r.symbol(hi, ";") {
			hi = max(hi, r.match[hi]) + 1
		}
		if hi > lo {
			start := r.out.Len()
			q.rows = r.startsQuery(lo)
			if d.plain {
				r.copy(lo, hi)
			} else {
				r.statement(lo, hi)
			}
			q.statements = append(q.statements, [2]int{start, r.out.Len()})
		}
		if lo = hi; hi < end {
			r.emit(hi)
			lo++
		}
	}
	r.emit(end)
	q.text, q.marks = r.out.String(), r.marks
	return q, r.err
}

// origin gives the offset in the query of an offset in its translation.
func (q rewritten) origin(out int) int {
	if q.from != nil {
		return q.from(out)
	}
	i := sort.Search(len(q.marks), func(i int) bool { return q.marks[i].out > out }) - 1
	if i < 0 {
		return 0
	}
	return q.marks[i].src
}

// statement gives the text of statement n and what to subtract from a place in
// it to get one in the whole text.
func (q rewritten) statement(n int) (text string, shift int) {
	s := q.statements[n]
	return q.text[s[0]:s[1]], -s[0]
}

// pair finds the brackets that belong together.
func (r *rewriter) pair() {
	r.match = make([]int, len(r.toks))
	var open []int
	for i := range r.toks {
		r.match[i] = -1
		if r.toks[i].kind != tokSymbol {
			continue
		}
		switch c := r.text(i); c {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 && strings.Contains("()[]{}", r.text(open[n-1])+c) {
				r.match[i], r.match[open[n-1]] = open[n-1], i
				open = open[:n-1]
			}
		}
	}
}

func (r *rewriter) text(i int) string { return r.src[r.toks[i].start:r.toks[i].end] }

// symbol reports whether token i is the given symbol.
func (r *rewriter) symbol(i int, s string) bool {
	return i >= 0 && i < len(r.toks) && r.toks[i].kind == tokSymbol && r.text(i) == s
}

// word reports whether token i is one of the given keywords.
func (r *rewriter) word(i int, words ...string) bool {
	if i < 0 || i >= len(r.toks) || r.toks[i].kind != tokWord {
		return false
	}
	for _, w := range words {
		if strings.EqualFold(r.text(i), w) {
			return true
		}
	}
	return false
}

// emit copies token i with the blanks before it.
func (r *rewriter) emit(i int) {
	r.out.WriteString(r.src[r.toks[i].lead:r.toks[i].start])
	r.write(r.text(i), i)
}

func (r *rewriter) copy(lo, hi int) {
	for ; lo < hi; lo++ {
		r.emit(lo)
	}
}

// write adds text in place of token i.
func (r *rewriter) write(s string, i int) {
	r.marks = append(r.marks, mark{r.out.Len(), r.toks[i].start})
	r.out.WriteString(s)
}

// lead copies the blanks before token i.
func (r *rewriter) lead(i int) { r.out.WriteString(r.src[r.toks[i].lead:r.toks[i].start]) }

// longest translation: nested calls whose arguments are written twice double
// the text with every level.
const mostText = 64 << 20

// render translates tokens lo to hi, hi not included.
func (r *rewriter) render(lo, hi int) {
	for i := lo; i < hi; {
		if r.out.Len() > mostText {
			r.fail(i, "a query this deeply nested", "")
			return
		}
		if next := r.call(i, hi); next > i {
			i = next
			continue
		}
		if next, ok := r.dropped[i]; ok {
			i = next
			continue
		}
		if base, ok := r.bases[i]; ok {
			r.base(base)
			i = base.end
			continue
		}
		r.parameterOrToken(i)
		i++
	}
}

// parameterOrToken copies token i unless it names a lambda parameter that
// another text replaces.
func (r *rewriter) parameterOrToken(i int) {
	if to, ok := r.replaced[i]; ok {
		r.lead(i)
		r.write(to, i)
		return
	}
	if k := r.toks[i].kind; (k == tokWord || k == tokQuoted) && !r.symbol(i-1, ".") {
		for n := len(r.names) - 1; n >= 0; n-- {
			if to, ok := r.names[n][strings.ToLower(r.name(i))]; ok {
				r.lead(i)
				r.write(to, i)
				return
			}
		}
	}
	r.emit(i)
}

// name is the name that token i writes, without quotes.
func (r *rewriter) name(i int) string {
	return unquoteName(r.text(i))
}

// fail records the first thing that cannot be translated, at token i.
func (r *rewriter) fail(i int, message, hint string) {
	if r.err == nil {
		r.err = newError(r.src, r.toks[i].start, "Not supported", message, hint)
	}
}

// startsQuery reports whether the statement at token i is a query that may
// be in brackets.
func (r *rewriter) startsQuery(i int) bool {
	for r.symbol(i, "(") {
		i++
	}
	return r.word(i, "select", "with", "from", "values", "table", "describe", "summarize")
}
