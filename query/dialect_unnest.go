package query

import "fmt"

// alias is what follows UNNEST(…) in FROM.
type alias struct {
	ordinality bool
	next       int // token behind WITH ORDINALITY
	columns    int // names in the column list, 0 without one
}

// reserved are words that may be between a call and a bracket, and so
// are no alias.
var reserved = []string{"from", "where", "in", "on", "over", "filter", "group", "order", "having", "limit",
	"union", "except", "intersect", "and", "or", "not", "then", "else", "when", "join", "cross", "left",
	"right", "inner", "full", "natural", "using", "window", "qualify", "tablesample", "offset", "fetch"}

func (r *rewriter) aliasAt(i int) alias {
	a := alias{next: i}
	if r.word(i, "with") && r.word(i+1, "ordinality") {
		a.ordinality, a.next = true, i+2
	}
	i = a.next
	if r.word(i, "as") {
		i++
	} else if r.word(i, reserved...) {
		return a
	}
	if i+1 < len(r.toks) && (r.toks[i].kind == tokWord || r.toks[i].kind == tokQuoted) && r.symbol(i+1, "(") && r.match[i+1] > 0 {
		a.columns = len(r.split(i+2, r.match[i+1]))
	}
	return a
}

// unnest translates the table function, in FROM only:
//   - several arrays side by side, the shorter ones filled up with nulls;
//   - a map as two columns, UNNEST(m) AS t(k, v);
//   - the members of an array's rows as columns, as newer Prestos do;
//   - WITH ORDINALITY with any of these.
//
// One array with one name is DuckDB's own, rows included: t(s), s.count. It is
// written as a subquery too, which DuckDB joins several times as fast.
func unnest(r *rewriter, c call) int {
	if !r.word(c.name-1, "join", "from", "lateral") && !r.symbol(c.name-1, ",") || len(c.args) == 0 {
		return 0
	}
	a := r.aliasAt(c.close + 1)
	names := a.columns
	if a.ordinality {
		names--
	}
	args := len(c.args)
	table := a.columns > 0 || a.ordinality || !r.symbol(c.name-1, ",")
	switch {
	case !table || args == 1 && (names < 1 || names == 1 && r.word(c.name-1, "from")):
		return 0
	case args == 1 && (names > 2 || r.variants[r.toks[c.name].start]):
		r.rowColumns(c, a)
	case names == 2*args:
		r.columns(c, a, "map_keys(", "map_values(")
	case names == args || a.columns == 0:
		r.columns(c, a, "")
	default:
		r.fail(c.name, fmt.Sprintf("UNNEST of %d values into %d columns", args, names),
			"name one column per array or two per map")
	}
	return a.next
}

// columns writes (SELECT unnest(a), unnest(b), …), every argument once for
// each of the given functions.
func (r *rewriter) columns(c call, a alias, functions ...string) {
	r.start(c, "(SELECT ")
	for n := range c.args {
		for i, f := range functions {
			if n+i > 0 {
				r.write(", ", c.name)
			}
			r.write("unnest("+f, c.name)
			r.arg(c, n)
			r.write(")"+closing(f), c.close)
		}
	}
	if a.ordinality {
		r.write(", unnest(range(1, 1 + greatest(", c.name)
		for n := range c.args {
			if n > 0 {
				r.write(", ", c.name)
			}
			r.write("len("+functions[0], c.name)
			r.arg(c, n)
			r.write(")"+closing(functions[0]), c.close)
		}
		r.write(")))", c.close)
	}
	r.write(")", c.close)
}

func closing(function string) string {
	if function == "" {
		return ""
	}
	return ")"
}

// rowColumns spreads the members of the rows of one array.
func (r *rewriter) rowColumns(c call, a alias) {
	r.start(c, "(SELECT unnest(")
	r.arg(c, 0)
	r.write(", max_depth := 2)", c.close)
	if a.ordinality {
		r.write(", generate_subscripts(", c.name)
		r.arg(c, 0)
		r.write(", 1)", c.close)
	}
	r.write(")", c.close)
}
