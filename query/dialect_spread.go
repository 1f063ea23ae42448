package query

import "strings"

// DuckDB plans a table joined with UNNEST of its own column as a join of all
// its rows with themselves as soon as there is a WHERE: conditions, those on
// partition columns included, are checked only after every file has been read,
// and unnesting takes 20 to 80 times as long. So
//
//	FROM main_summary CROSS JOIN UNNEST(search_counts) AS t(s)
//
// becomes the same rows from a query that unnests in its SELECT list, through
// which conditions reach the files:
//
//	FROM (SELECT *, unnest(search_counts) AS s FROM main_summary) AS main_summary
//
// and t.s becomes main_summary.s. It is done for tables of the lake, whose
// columns are known; other relations are unnested by a subquery (see unnest).

// spread finds the UNNESTs of all FROM clauses that can be taken into the
// table they unnest.
func (r *rewriter) spread() {
	r.bases, r.dropped, r.replaced = map[int]*relation{}, map[int]int{}, map[int]string{}
	if r.dialect.columns == nil {
		return
	}
	for i := range r.toks {
		if !r.word(i, "from") {
			continue
		}
		f, ok := r.fromAt(i)
		if !ok {
			continue
		}
		for _, rel := range f.relations {
			if base := r.spreadable(f, rel); base != nil {
				base.spread = append(base.spread, rel)
				r.bases[base.start] = base
				r.dropped[rel.joiner] = rel.end
				r.replace(f, base, rel)
			}
		}
	}
}

// spreadable gives the table whose columns alone an UNNEST takes, if names and
// references stay right when it is taken into that table.
func (r *rewriter) spreadable(f from, rel *relation) *relation {
	if rel.unnest == nil || r.word(rel.joiner, "from") {
		return nil
	}
	base := r.argumentsOf(f, rel)
	if base == nil || base.left || !base.known() {
		return nil
	}
	names, args := len(rel.names), len(rel.unnest.args)
	if rel.ordinality {
		names--
	}
	if names != args && names != 2*args && args > 1 || names < 1 {
		return nil
	}
	for _, n := range rel.names {
		if base.has(r, r.name(n)) {
			return nil
		}
	}
	if !r.referencesAllow(f, rel) {
		return nil
	}
	return base
}

func (rel *relation) known() bool { return rel.columns != nil }

// has reports whether a table, with the relations merged into it, has the column.
func (rel *relation) has(r *rewriter, name string) bool {
	if rel.columns[strings.ToLower(name)] {
		return true
	}
	for _, s := range rel.spread {
		for _, n := range s.names {
			if r.is(n, name) {
				return true
			}
		}
	}
	return false
}

// argumentsOf finds the one relation before rel that the arguments of its
// UNNEST refer to, nil when there is none or several.
func (r *rewriter) argumentsOf(f from, rel *relation) *relation {
	var base *relation
	params := map[string]bool{}
	c := rel.unnest
	for i := c.open + 1; i < c.close; i++ {
		if k := r.toks[i].kind; k != tokWord && k != tokQuoted || r.symbol(i-1, ".") || r.symbol(i+1, "(") && k == tokWord {
			continue
		}
		if r.parameter(i) {
			params[strings.ToLower(r.name(i))] = true
		}
		if params[strings.ToLower(r.name(i))] || r.toks[i].kind == tokWord && expressionWords[strings.ToLower(r.text(i))] {
			continue
		}
		owner := r.owner(f, rel, i)
		if owner == nil || base != nil && owner != base {
			return nil
		}
		base = owner
	}
	return base
}

// parameter reports whether token i declares a parameter of a lambda.
func (r *rewriter) parameter(i int) bool {
	if r.symbol(i+1, "->") {
		return true
	}
	for r.symbol(i+1, ",") {
		i += 2
	}
	return r.symbol(i+1, ")") && r.symbol(i+2, "->")
}

// expressionWords are words in an expression that name no column.
var expressionWords = map[string]bool{"as": true, "null": true, "true": true, "false": true, "case": true, "when": true,
	"then": true, "else": true, "end": true, "and": true, "or": true, "not": true, "is": true, "in": true, "like": true,
	"between": true, "distinct": true, "array": true, "map": true, "row": true, "varchar": true, "bigint": true,
	"integer": true, "double": true, "boolean": true, "json": true, "date": true, "timestamp": true}

// owner finds the table before rel that the name at token i belongs to.
func (r *rewriter) owner(f from, rel *relation, i int) *relation {
	var found *relation
	qualified := r.symbol(i+1, ".")
	for _, t := range f.relations {
		if t == rel {
			break
		}
		if qualified && t.alias >= 0 && r.is(t.alias, r.name(i)) {
			if t.unnest != nil {
				return f.baseOf(t)
			}
			return t
		}
		if t.known() && t.has(r, r.name(i)) {
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
}

// baseOf gives the table that an UNNEST has been taken into.
func (f from) baseOf(rel *relation) *relation {
	for _, t := range f.relations {
		for _, s := range t.spread {
			if s == rel {
				return t
			}
		}
	}
	return nil
}

// referencesAllow checks that the alias of an UNNEST is used for nothing but
// its columns, and that no other relation of the block has that alias.
func (r *rewriter) referencesAllow(f from, rel *relation) bool {
	alias := r.name(rel.alias)
	for i := f.lo; i < f.hi; i++ {
		if i == rel.alias || !r.is(i, alias) || r.symbol(i-1, ".") || r.symbol(i+1, ".") {
			continue
		}
		if !r.named(rel, i) {
			return false
		}
	}
	return true
}

// named reports whether token i is the name of a column of the UNNEST.
func (r *rewriter) named(rel *relation, i int) bool {
	for _, n := range rel.names {
		if r.is(i, r.name(n)) {
			return true
		}
	}
	return false
}

// replace records what to write instead of the references to the UNNEST's alias.
func (r *rewriter) replace(f from, base, rel *relation) {
	alias, table := r.name(rel.alias), r.text(base.alias)
	list := make([]string, len(rel.names))
	for i, n := range rel.names {
		list[i] = r.text(n)
	}
	for i := f.lo; i < f.hi; i++ {
		if r.symbol(i-1, ".") || !r.symbol(i+1, ".") {
			continue
		}
		switch star := r.symbol(i+2, "*"); {
		case star && r.is(i, alias):
			r.replaced[i] = table + "." + strings.Join(list, ", "+table+".")
			r.dropped[i+1] = i + 3
		case star && r.is(i, r.name(base.alias)):
			all := make([]string, 0, len(list))
			for _, s := range base.spread {
				for _, n := range s.names {
					all = append(all, r.text(n))
				}
			}
			r.replaced[i] = table + ".* EXCLUDE (" + strings.Join(all, ", ") + ")"
			r.dropped[i+1] = i + 3
		case r.is(i, alias) && r.named(rel, i+2):
			r.replaced[i] = table
		}
	}
}
