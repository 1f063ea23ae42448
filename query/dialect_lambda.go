package query

import "strings"

// lambda is an argument such as (k, v) -> body or x -> body.
type lambda struct {
	params []int // tokens
	arrow  int
	body   [2]int
}

// lambdaAt reads the lambda that argument n of a call is.
func (r *rewriter) lambdaAt(c call, n int) (lambda, bool) {
	if n >= len(c.args) {
		return lambda{}, false
	}
	lo, hi := c.args[n][0], c.args[n][1]
	l := lambda{}
	switch {
	case lo+1 < hi && r.symbol(lo+1, "->") && r.toks[lo].kind != tokSymbol:
		l.params, l.arrow = []int{lo}, lo+1
	case r.symbol(lo, "(") && r.match[lo] > 0 && r.match[lo]+1 < hi && r.symbol(r.match[lo]+1, "->"):
		for _, p := range r.split(lo+1, r.match[lo]) {
			if p[1] != p[0]+1 {
				return lambda{}, false
			}
			l.params = append(l.params, p[0])
		}
		l.arrow = r.match[lo] + 1
	default:
		return lambda{}, false
	}
	l.body = [2]int{l.arrow + 1, hi}
	return l, l.arrow+1 < hi
}

// lambda writes l as DuckDB's future versions want it too: lambda x, y: body.
func (r *rewriter) lambda(l lambda) {
	r.write("lambda ", l.arrow)
	own := map[string]string{}
	for i, p := range l.params {
		if i > 0 {
			r.write(", ", p)
		}
		r.write(r.text(p), p)
		own[strings.ToLower(r.name(p))] = r.text(p)
	}
	r.write(":", l.arrow)
	r.body(l, own)
}

// body writes the body of l with its parameters replaced.
func (r *rewriter) body(l lambda, names map[string]string) {
	r.names = append(r.names, names)
	r.render(l.body[0], l.body[1])
	r.names = r.names[:len(r.names)-1]
}

// entry names the element that replaces the two parameters of a lambda over
// the entries of a map; nested ones need different names.
func (r *rewriter) entry() string { return "entry" + strings.Repeat("_", len(r.names)+1) }

// pairs gives the texts that replace the two parameters of l.
func (r *rewriter) pairs(l lambda, first, second string) map[string]string {
	return map[string]string{
		strings.ToLower(r.name(l.params[0])): first,
		strings.ToLower(r.name(l.params[1])): second,
	}
}

// rewriteLambda finds the translation of a function that takes a lambda.
func rewriteLambda(function string) rewriteCall {
	switch strings.ToLower(function) {
	case "transform":
		return listLambda("list_transform")
	case "filter":
		return listLambda("list_filter")
	case "reduce":
		return reduce
	case "zip_with":
		return zipWith
	case "map_filter":
		return overEntries("list_filter", func(string) (string, string) { return "", "" })
	case "transform_values":
		return overEntries("list_transform", func(entry string) (string, string) {
			return "{'key': " + entry + ".key, 'value': ", "}"
		})
	case "transform_keys":
		return overEntries("list_transform", func(entry string) (string, string) {
			return "{'key': ", ", 'value': " + entry + ".value}"
		})
	}
	return nil
}

// listLambda is a function of an array and a lambda of one parameter.
func listLambda(to string) rewriteCall {
	return func(r *rewriter, c call) int {
		l, ok := r.lambdaAt(c, 1)
		if !ok || len(c.args) != 2 {
			return 0
		}
		r.start(c, to+"(")
		r.arg(c, 0)
		r.write(", ", c.name)
		r.lambda(l)
		r.emit(c.close)
		return c.close + 1
	}
}

// reduce folds an array; Presto's fourth argument turns the last state into
// the result, for which DuckDB has a list of one element.
func reduce(r *rewriter, c call) int {
	if len(c.args) != 4 {
		return 0
	}
	step, ok := r.lambdaAt(c, 2)
	result, ok2 := r.lambdaAt(c, 3)
	if !ok || !ok2 || len(step.params) != 2 || len(result.params) != 1 {
		return 0
	}
	r.start(c, "list_transform([list_reduce(")
	r.arg(c, 0)
	r.write(", ", c.name)
	r.lambda(step)
	r.write(",", c.name)
	r.arg(c, 1)
	r.write(")], ", c.name)
	r.lambda(result)
	r.write(")[1]", c.close)
	return c.close + 1
}

// zipWith merges two arrays element by element.
func zipWith(r *rewriter, c call) int {
	l, ok := r.lambdaAt(c, 2)
	if !ok || len(l.params) != 2 {
		return 0
	}
	entry := r.entry()
	r.start(c, "list_transform(list_zip(")
	r.arg(c, 0)
	r.write(",", c.name)
	r.arg(c, 1)
	r.write("), lambda "+entry+":", c.name)
	r.body(l, r.pairs(l, entry+"[1]", entry+"[2]"))
	r.emit(c.close)
	return c.close + 1
}

// overEntries applies a lambda of key and value to the entries of a map and
// makes a map of the result; around writes the text before and after the body.
func overEntries(function string, around func(entry string) (string, string)) rewriteCall {
	return func(r *rewriter, c call) int {
		l, ok := r.lambdaAt(c, 1)
		if !ok || len(l.params) != 2 {
			return 0
		}
		entry := r.entry()
		before, after := around(entry)
		r.start(c, "map_from_entries("+function+"(map_entries(")
		r.arg(c, 0)
		r.write("), lambda "+entry+": "+before, c.name)
		r.body(l, r.pairs(l, entry+".key", entry+".value"))
		r.write(after+"))", c.close)
		return c.close + 1
	}
}
