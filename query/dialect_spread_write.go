package query

import "strconv"

// base writes a table and what is taken into it.
func (r *rewriter) base(rel *relation) {
	r.lead(rel.start)
	for n := len(rel.spread) - 1; n >= 0; n-- {
		r.write("(SELECT *, ", rel.start)
		r.spreadColumns(rel.spread[n])
		r.write(" FROM ", rel.start)
	}
	r.write(r.text(rel.start), rel.start)
	for range rel.spread {
		r.write(" AS "+r.text(rel.alias)+")", rel.alias)
	}
	r.write(" AS "+r.text(rel.alias), rel.alias)
}

// spreadColumns writes the columns that an UNNEST gives.
func (r *rewriter) spreadColumns(rel *relation) {
	c, names := *rel.unnest, rel.names
	if rel.ordinality {
		names = names[:len(names)-1]
	}
	functions := []string{""}
	if len(names) == 2*len(c.args) && !(len(c.args) == 1 && r.variants[r.toks[c.name].start]) {
		functions = []string{"map_keys(", "map_values("}
	}
	rows := len(names) != len(c.args)*len(functions)
	for i, n := range names {
		if i > 0 {
			r.write(", ", n)
		}
		if rows {
			r.write("struct_extract_at(", c.name)
		}
		r.element(rel, i/len(functions)%len(c.args), functions[i%len(functions)])
		if rows {
			r.write(", "+strconv.Itoa(i+1)+")", c.name)
		}
		r.write(" AS "+r.text(n), n)
	}
	if rel.ordinality {
		n := rel.names[len(rel.names)-1]
		r.write(", unnest(range(1, 1 + ", n)
		r.longest(c, functions[0])
		r.write(")) AS "+r.text(n), n)
	}
}

// element writes unnest(f(argument)); under LEFT JOIN a row without elements
// stays, with nulls.
func (r *rewriter) element(rel *relation, arg int, function string) {
	c := *rel.unnest
	r.write("unnest(", c.name)
	if rel.left {
		r.write("CASE WHEN ", c.name)
		r.longest(c, function)
		r.write(" > 0 THEN ", c.name)
	}
	r.write(function, c.name)
	r.arg(c, arg)
	r.write(closing(function), c.close)
	if rel.left {
		r.write(" ELSE [NULL] END", c.close)
	}
	r.write(")", c.close)
}

// longest writes the length of the longest argument.
func (r *rewriter) longest(c call, function string) {
	r.write("system.main.greatest(", c.name)
	for n := range c.args {
		if n > 0 {
			r.write(", ", c.name)
		}
		r.write("len("+function, c.name)
		r.arg(c, n)
		r.write(")"+closing(function), c.close)
	}
	r.write(")", c.close)
}
