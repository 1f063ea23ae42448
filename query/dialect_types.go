package query

import "strings"

// castTo translates the type in CAST(x AS type): array(t), array<t>,
// map<k, v> and row<…>. Types that DuckDB knows are copied.
func castTo(r *rewriter, c call) int {
	as := -1
	for i := c.open + 1; i < c.close; i = max(i, r.match[i]) + 1 {
		if r.word(i, "as") {
			as = i
		}
	}
	if as < 0 {
		return 0
	}
	r.emit(c.name)
	r.render(c.open, as+1)
	if r.word(as+1, "hyperloglog", "hll", "p4hyperloglog", "qdigest") {
		r.fail(as+1, "the type "+r.text(as+1), "count with approx_distinct(x)")
	}
	r.typeTokens(as+1, c.close)
	r.emit(c.close)
	return c.close + 1
}

// typeTokens translates the type written by tokens lo to hi.
func (r *rewriter) typeTokens(lo, hi int) {
	name := strings.ToLower(r.text(lo))
	open := lo + 1
	closer := r.typeClose(open, hi)
	if lo >= hi || closer < 0 || r.toks[lo].kind != tokWord {
		r.render(lo, hi)
		return
	}
	switch name {
	case "array":
		r.lead(lo)
		r.typeTokens(open+1, closer)
		r.write("[]", closer)
	case "map":
		r.typeList(lo, open, closer, "MAP", func(from, to int) { r.typeTokens(from, to) })
	case "row":
		r.typeList(lo, open, closer, "STRUCT", func(from, to int) {
			r.emit(from)
			r.typeTokens(from+1, to)
		})
	default:
		r.render(lo, hi)
		return
	}
	r.render(closer+1, hi)
}

// typeList writes name(part, part).
func (r *rewriter) typeList(at, open, closer int, name string, part func(from, to int)) {
	r.lead(at)
	r.write(name+"(", at)
	from, depth := open+1, 0
	for i := open + 1; i <= closer; i++ {
		switch {
		case i == closer || depth == 0 && r.symbol(i, ","):
			if i > from {
				part(from, i)
			}
			if i < closer {
				r.emit(i)
			}
			from = i + 1
		case r.symbol(i, "<") || r.symbol(i, "("):
			depth++
		case r.symbol(i, ">") || r.symbol(i, ")"):
			depth--
		}
	}
	r.write(")", closer)
}

// typeClose finds the bracket that closes the ( or < at token open.
func (r *rewriter) typeClose(open, hi int) int {
	if r.symbol(open, "(") && r.match[open] < hi {
		return r.match[open]
	}
	if !r.symbol(open, "<") {
		return -1
	}
	depth := 0
	for i := open; i < hi; i++ {
		switch {
		case r.symbol(i, "<"):
			depth++
		case r.symbol(i, ">"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
