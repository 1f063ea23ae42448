package functions

import (
	"cmp"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
)

// arraySort finds the place of each element by comparing it with all others: the later of two elements comes first if the lambda
// gives -1 for them, in that order, which are the comparisons that a stable sort makes. If no order fits
// the answers, the result would depend on the way of sorting. Lambdas that compare a key without nulls need not be asked.
func arraySort(c *Call) (Result, error) {
	const first = " WHEN -1 THEN 1 WHEN 0 THEN 0 WHEN 1 THEN 0 ELSE error('Lambda comparator must return either -1, 0, or 1') END"
	const compared = "list_transform([list_transform(#l, lambda #x, #i: list_sum(list_transform(#l, lambda #y, #j:" +
		" CASE WHEN #j < #i THEN 1 - CASE &2(#x, #y)" + first + " WHEN #j > #i THEN CASE &2(#y, #x)" + first + " ELSE 1 END)))], lambda #p:" +
		" CASE WHEN len(list_distinct(#p)) < len(#l) THEN error('the comparator of array_sort contradicts itself: it must say of every two " +
		"elements which is first, also of nulls')" +
		" ELSE list_transform(list_grade_up(#p), lambda #i: #l[#i]) END)[1]"
	key, sign := comparedKey(c.Args[1].Lambda)
	if key == "" {
		return with("list_transform([$1], lambda #l: " + compared + ")[1]")(c)
	}
	c.Args = append(c.Args, Arg{Lambda: &Lambda{Params: c.Args[1].Lambda.Params[:1], Body: key}})
	order := map[string]string{"": "ASC", "-": "DESC"}[sign]
	return with("list_transform([$1], lambda #l: list_transform([list_transform(#l, lambda #x: &3(#x))], lambda #k: CASE WHEN " +
		"list_count(#k) = len(#k) THEN " +
		"list_transform(list_sort(list_transform(#k, lambda #x, #i: {'k': #x, 'i': " + sign + "#i}), '" + order + "'), lambda #x: #l[" + sign +
		"#x.i]) ELSE " + compared + " END)[1])[1]")(c)
}

// comparedKey returns the key by which a comparator compares its first argument with its second, in one of the usual
// ways to write it, and a minus if the greatest comes first; "" for other comparators.
func comparedKey(l *Lambda) (key, sign string) {
	const start = "CASE WHEN ("
	body, x, y := duck.Unmark(l.Body), l.Params[0], l.Params[1]
	if !strings.HasPrefix(body, start) {
		return "", ""
	}
	for at := range body {
		if !strings.HasPrefix(body[at:], " < ") && !strings.HasPrefix(body[at:], " > ") || at < len(start) {
			continue
		}
		operand := &Lambda{Params: l.Params, Body: body[len(start):at]}
		a, b, op := operand.Apply(x, x), operand.Apply(y, y), body[at+1:at+2]
		for _, less := range []bool{true, false} {
			if a == operand.Body && usual(a, b, op, less, body) {
				return a, map[bool]string{true: "", false: "-"}[less == (op == "<")]
			}
		}
	}
	return "", ""
}

// usual reports whether a comparator is one of those that say -1 first if less is true, else 1, where a op b, and the opposite for
// the opposite.
func usual(a, b, op string, less bool, body string) bool {
	one, other := "(-1)", "1"
	if !less {
		one, other = other, one
	}
	holds, equal, opposite := "("+a+" "+op+" "+b+")", "("+a+" = "+b+")", "("+a+" "+map[string]string{"<": ">", ">": "<"}[op]+" "+b+")"
	for _, form := range []string{
		"CASE WHEN H THEN O ELSE CASE WHEN E THEN 0 ELSE P END END", "CASE WHEN H THEN O WHEN E THEN 0 ELSE P END",
		"CASE WHEN H THEN O ELSE CASE WHEN Q THEN P ELSE 0 END END", "CASE WHEN H THEN O WHEN Q THEN P ELSE 0 END",
	} {
		words := strings.Fields(form)
		for i, w := range words {
			words[i] = cmp.Or(map[string]string{"H": holds, "O": one, "E": equal, "P": other, "Q": opposite}[w], w)
		}
		if strings.Join(words, " ") == body {
			return true
		}
	}
	return false
}
