package query

import "strings"

// relation is one element of a FROM clause.
type relation struct {
	start, end int             // tokens, alias and ON true included; end not
	joiner     int             // token where the comma or the join before it starts
	left       bool            // joined by LEFT JOIN
	alias      int             // token of the alias or of the table's name
	columns    map[string]bool // of a table of the lake, lower case; nil for others
	unnest     *call           // of UNNEST(…) AS t(a, b)
	names      []int           // tokens of a and b
	ordinality bool
	spread     []*relation // UNNESTs of this table's columns, see spreadable
}

// from is a FROM clause and the tokens of the query block it belongs to.
type from struct {
	relations []*relation
	lo, hi    int
}

// clauseWords end a FROM clause.
var clauseWords = []string{"where", "group", "order", "having", "limit", "union", "intersect", "except", "window",
	"qualify", "offset", "fetch", "select", "sample", "using"}

var joinWords = []string{"join", "cross", "inner", "left", "right", "full", "natural", "asof", "semi", "anti", "positional"}

// fromAt reads the FROM clause at token i; ok is false for one that joins in a
// way under which relations may not be taken together.
func (r *rewriter) fromAt(i int) (f from, ok bool) {
	f.lo, f.hi = r.block(i)
	at, joiner, left := i+1, i, false
	for {
		rel := r.relationAt(at, f.hi)
		rel.joiner, rel.left = joiner, left
		f.relations = append(f.relations, rel)
		at = r.nextJoin(rel.end, f.hi)
		if at >= f.hi || r.word(at, clauseWords...) {
			return f, true
		}
		joiner, left = at, r.word(at, "left")
		if r.symbol(at, ",") {
			at++
			continue
		}
		if r.word(at, "right", "full", "semi", "anti", "asof", "positional", "natural") {
			return f, false
		}
		for at < f.hi && !r.word(at, "join") {
			at++
		}
		at++
	}
}

// block finds the query block of the FROM at token i: from its SELECT to what
// ends it.
func (r *rewriter) block(i int) (lo, hi int) {
	for lo = i; lo > 0 && !r.word(lo, "select") && !r.symbol(lo-1, ";"); lo-- {
		m := r.match[lo-1]
		if m > lo-1 || m < 0 && strings.Contains("([{", r.text(lo-1)) {
			break // an opening bracket
		}
		if m >= 0 {
			lo = m + 1
		}
	}
	for hi = i + 1; hi < len(r.toks)-1; hi = max(hi, r.match[hi]) + 1 {
		if r.symbol(hi, ")") || r.symbol(hi, ";") || r.word(hi, "union", "intersect", "except") {
			break
		}
	}
	return lo, hi
}

// nextJoin finds the comma, join or clause after token i in the same brackets.
func (r *rewriter) nextJoin(i, hi int) int {
	for i < hi && !r.symbol(i, ",") && !r.word(i, joinWords...) && !r.word(i, clauseWords...) {
		i = max(i, r.match[i]) + 1
	}
	return i
}

// relationAt reads the text between two joins.
func (r *rewriter) relationAt(i, hi int) *relation {
	rel := &relation{start: i, end: i, alias: -1}
	switch {
	case r.word(i, "unnest") && r.symbol(i+1, "(") && r.match[i+1] > 0 && r.match[i+1] < hi:
		r.unnestRelation(rel, hi)
	case i < hi && (r.toks[i].kind == tokWord || r.toks[i].kind == tokQuoted) && !r.symbol(i+1, ".") && !r.symbol(i+1, "("):
		rel.alias, rel.end = i, i+1
		if a := r.plainAlias(i + 1); a > 0 {
			rel.alias, rel.end = a, a+1
		}
		if next := r.nextJoin(rel.end, hi); next == rel.end || r.word(rel.end, "on", "using") {
			rel.columns = r.tableColumns(i)
		}
	}
	return rel
}

// tableColumns gives the columns of the table that token i names, nil when a
// WITH gives that name to something else.
func (r *rewriter) tableColumns(i int) map[string]bool {
	for k := range r.toks {
		if r.is(k, r.name(i)) && r.word(k+1, "as") && (r.symbol(k+2, "(") || r.word(k+2, "materialized", "not")) ||
			r.is(k, r.name(i)) && r.symbol(k+1, "(") && r.match[k+1] > 0 && r.word(r.match[k+1]+1, "as") {
			return nil
		}
	}
	return r.dialect.columns(r.name(i))
}

// plainAlias gives the token of an alias without columns at token i, or 0.
func (r *rewriter) plainAlias(i int) int {
	if r.word(i, "as") {
		i++
	} else if r.word(i, reserved...) || r.word(i, clauseWords...) || r.word(i, joinWords...) {
		return 0
	}
	if k := r.toks[i].kind; (k == tokWord || k == tokQuoted) && !r.symbol(i+1, "(") {
		return i
	}
	return 0
}

// unnestRelation reads UNNEST(…) [WITH ORDINALITY] [AS] t(a, b) [ON true].
func (r *rewriter) unnestRelation(rel *relation, hi int) {
	i := rel.start
	c := call{name: i, open: i + 1, close: r.match[i+1], args: r.split(i+2, r.match[i+1])}
	a := r.aliasAt(c.close + 1)
	rel.end = a.next
	if a.columns == 0 {
		return
	}
	rel.alias = a.next
	if r.word(rel.alias, "as") {
		rel.alias++
	}
	last := r.match[rel.alias+1]
	for _, n := range r.split(rel.alias+2, last) {
		if n[1] != n[0]+1 {
			return
		}
		rel.names = append(rel.names, n[0])
	}
	rel.end = last + 1
	switch {
	case r.word(rel.end, "on") && r.word(rel.end+1, "true"):
		rel.end += 2
	case r.word(rel.end, "on") && r.numberIs(rel.end+1, "1") && r.symbol(rel.end+2, "=") && r.numberIs(rel.end+3, "1"):
		rel.end += 4
	}
	if r.nextJoin(rel.end, hi) == rel.end {
		rel.unnest, rel.ordinality = &c, a.ordinality
	}
}

func (r *rewriter) numberIs(i int, s string) bool {
	return i < len(r.toks) && r.toks[i].kind == tokNumber && r.text(i) == s
}

// is reports whether token i is the name, quoted or not.
func (r *rewriter) is(i int, name string) bool {
	k := r.toks[i].kind
	return (k == tokWord || k == tokQuoted) && strings.EqualFold(r.name(i), name)
}
