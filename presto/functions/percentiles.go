package functions

import (
	"fmt"
	"strconv"
	"strings"
)

// percentileFunctions are approx_percentile and the digests. Percentiles are exact here: elements, by the rank
// that Trino's digests give as long as they have all values.
var percentileFunctions = []Function{
	{Name: "approx_percentile", Kind: Aggregate, Doc: "The value at a share of the values in order, such as 0.5, or an array of those at several; with a weight as the second argument, and an accuracy, which is not needed here, as the last.", Forms: percentileForms()},
	{Name: "tdigest_agg", Kind: Aggregate, Doc: "The values, and their weights, for value_at_quantile.", Forms: []Form{
		{Signature: "(double) -> tdigest", Write: aggregate(sorted(digest("1")))},
		{Signature: "(double, double) -> tdigest", Write: aggregate(sorted(digest("$2")))},
	}},
	{Name: "qdigest_agg", Kind: Aggregate, Doc: "The values, and their weights, for value_at_quantile.", Forms: digestForms()},
	{Name: "value_at_quantile", Doc: "The value at a share of the values of a digest in order, such as 0.5.", Forms: []Form{
		{Signature: "(qdigest(bigint), double) -> bigint", Write: with("CAST(" + fromDigest(atRank, quantile) + " AS BIGINT)")},
		{Signature: "(qdigest(real), double) -> real", Write: with("CAST(" + fromDigest(atRank, quantile) + " AS FLOAT)")},
		{Signature: "(qdigest(double), double) -> double", Write: with(fromDigest(atRank, quantile))},
		{Signature: "(tdigest, double) -> double", Write: with(fromDigest(between, quantile))},
	}},
	{Name: "values_at_quantiles", Doc: "The values at several shares of the values of a digest in order.", Forms: []Form{
		{Signature: "(qdigest(bigint), array(double)) -> array(bigint)", Write: with("CAST(" + fromDigest(atRank, quantiles) + " AS BIGINT[])")},
		{Signature: "(qdigest(real), array(double)) -> array(real)", Write: with("CAST(" + fromDigest(atRank, quantiles) + " AS FLOAT[])")},
		{Signature: "(qdigest(double), array(double)) -> array(double)", Write: with(fromDigest(atRank, quantiles))},
		{Signature: "(tdigest, array(double)) -> array(double)", Write: with(fromDigest(between, quantiles))},
	}},
	{Name: "quantile_at_value", Doc: "The share of the values of a digest that are less than a value; null outside of them.", Forms: []Form{
		{Signature: "(qdigest(bigint), bigint) -> double", Write: with(quantileAtValue)},
		{Signature: "(qdigest(real), real) -> double", Write: with(quantileAtValue)},
		{Signature: "(qdigest(double), double) -> double", Write: with(quantileAtValue)},
	}},
}

// digest is a template of the list of {v, w} of the rows; weight is that of $1.
func digest(weight string) string {
	return "list_filter(@list(CASE WHEN $1 IS NOT NULL AND " + weight + " IS NOT NULL THEN {'v': CAST($1 AS DOUBLE), 'w': CAST(CASE WHEN " + weight +
		" < 1 THEN error('weight must be >= 1, was ' || CAST(" + weight + " AS DOUBLE)) ELSE " + weight + " END AS DOUBLE)} END), lambda #x: #x IS NOT NULL)"
}

// sorted is a digest with its values in order, null if it has none.
func sorted(digest string) string {
	return "list_transform([list_sort(" + digest + ")], lambda #d: CASE WHEN len(#d) > 0 THEN #d END)[1]"
}

func digestForms() []Form {
	var forms []Form
	for _, typ := range []string{"bigint", "real", "double"} {
		for _, more := range []string{"", ", bigint", ", bigint, double"} {
			weight := "$2"
			if more == "" {
				weight = "1"
			}
			forms = append(forms, Form{Signature: "(" + typ + more + ") -> qdigest(" + typ + ")", Write: aggregate(sorted(digest(weight)))})
		}
	}
	return forms
}

// The quantiles of a digest: how #q, or $2, is taken from a list #d of sorted {v, w}.
const (
	quantile  = "list_transform([$2], lambda #q: AT)[1]"
	quantiles = "list_transform($2, lambda #q: AT)"
)

// fromDigest is a template of the values of digest $1.
func fromDigest(at, of string) string {
	return "list_transform([$1], lambda #d: " + valuesOf(at, of) + ")[1]"
}

// valuesOf is a template of the values of a sorted digest #d: #v has its values, #w its weights, #t their sum.
func valuesOf(at, of string) string {
	checked := "CASE WHEN #q IS NULL THEN error('Percentile cannot be null') WHEN #q < 0 OR #q > 1 THEN error('Percentile must be between 0 and 1') ELSE " + at + " END"
	return "CASE WHEN #d IS NOT NULL THEN list_transform([{'v': list_transform(#d, lambda #x: #x.v), 'w': list_transform(#d, lambda #x: #x.w)}], lambda #s: " +
		"list_transform([{'t': list_sum(#s.w)}], lambda #t: " + strings.ReplaceAll(of, "AT", checked) + ")[1])[1] END"
}

// search is a template of the first place for whose weight so far, as sum says of place #m, exceeds the share: binary search in #s.w.
func search(sum string) string {
	return "list_reduce(list_transform(range(CAST(ceil(log2(len(#s.w) + 1)) AS BIGINT) + 1), lambda #x: {'lo': 1::BIGINT, 'hi': len(#s.w) + 1}), lambda #a, #x: " +
		"CASE WHEN #a.lo >= #a.hi THEN #a ELSE list_transform([(#a.lo + #a.hi) // 2], lambda #m: CASE WHEN " + sum +
		" > #q * #t.t THEN {'lo': #a.lo, 'hi': #m} ELSE {'lo': #m + 1, 'hi': #a.hi} END)[1] END).lo"
}

// atRank is a value as a quantile digest gives it, between as a t-digest does, which interpolates between values of
// more than weight 1.
var (
	atRank  = "#s.v[least(len(#s.v), " + search("list_sum(#s.w[1:#m])") + ")]"
	between = "list_transform([" + search("list_sum(#s.w[1:#m]) - #s.w[#m] / 2") + "], lambda #j: CASE WHEN #j = 1 OR #q = 0 OR #q * #t.t < 1 THEN #s.v[1]" +
		" WHEN #j > len(#s.v) OR #q = 1 OR #q * #t.t > #t.t - 1 OR #s.w[-1] > 1 AND #t.t * (1 - #q) <= #s.w[-1] / 2 THEN #s.v[-1] ELSE " +
		// The distances from the middles of the two values' weights.
		"list_transform([{'a': #q * #t.t - (list_sum(#s.w[1:#j - 1]) - #s.w[#j - 1] / 2), 'b': list_sum(#s.w[1:#j]) - #s.w[#j] / 2 - #q * #t.t, " +
		"'x': CASE WHEN #s.w[#j - 1] = 1 THEN 0.5::DOUBLE ELSE 0 END, 'y': CASE WHEN #s.w[#j] = 1 THEN 0.5::DOUBLE ELSE 0 END}], lambda #i: CASE WHEN #i.a < #i.x THEN #s.v[#j - 1] WHEN #i.b <= #i.y THEN #s.v[#j]" +
		" ELSE (#s.v[#j - 1] * (#i.b - #i.y) + #s.v[#j] * (#i.a - #i.x)) / (#i.a - #i.x + #i.b - #i.y) END)[1] END)[1]"
)

const quantileAtValue = "list_transform([$1], lambda #d: CASE WHEN $2 IS NULL OR $2 < #d[1].v OR $2 > #d[-1].v THEN NULL ELSE " +
	"coalesce(list_sum(list_transform(#d, lambda #x: CASE WHEN #x.v < $2 THEN #x.w ELSE 0 END)) / list_sum(list_transform(#d, lambda #x: #x.w)), 0) END)[1]"

// percentileForms are for three types, with and without weights and accuracy, for one and more percentages.
func percentileForms() []Form {
	var forms []Form
	for _, typ := range []string{"bigint", "real", "double"} {
		for _, p := range [][2]string{{"double", typ}, {"array(double)", "array(" + typ + ")"}} {
			forms = append(forms,
				Form{Signature: "(" + typ + ", " + p[0] + ") -> " + p[1], Write: percentile},
				Form{Signature: "(" + typ + ", double, " + p[0] + ") -> " + p[1], Write: weightedPercentile(between)})
			if p[0] == "double" {
				forms = append(forms, Form{Signature: "(" + typ + ", double, double, double) -> " + typ, Write: weightedPercentile(atRank)})
			}
		}
	}
	return forms
}

// percentile is the element at rank floor(p * n), from 0. DuckDB's is the one below it where p * n is whole.
func percentile(c *Call) (Result, error) {
	const above = "CASE WHEN #q < 0 THEN 2 WHEN #q >= 1 THEN #q ELSE #q + 1e-12 END"
	if strings.HasPrefix(c.Args[1].Type.String(), "array") {
		return aggregate("@quantile_disc($1, list_transform($2, lambda #q: " + above + "))")(c)
	}
	p, err := strconv.ParseFloat(c.Args[1].Text, 64)
	switch {
	case !c.Args[1].Constant || err != nil:
		return aggregate("list_transform([list_sort(list_filter(@list($1), lambda #x: #x IS NOT NULL))], lambda #l: list_transform([" + same("$2") + "], lambda #q: " +
			"CASE WHEN #q < 0 OR #q > 1 THEN error('Percentile must be between 0 and 1') ELSE #l[least(len(#l), CAST(floor(#q * len(#l)) AS BIGINT) + 1)] END)[1])[1]")(c)
	case p < 0 || p > 1:
		return Result{}, fmt.Errorf("percentile must be between 0 and 1")
	}
	return aggregate("@quantile_disc($1, CAST(" + strconv.FormatFloat(min(1, p+1e-12), 'g', -1, 64) + " AS DOUBLE))")(c)
}

// same is a template of the value that an argument has in all rows.
func same(arg string) string {
	return "CASE WHEN @min(" + arg + ") < @max(" + arg + ") THEN error('the percentage must be the same in all rows') ELSE @any_value(" + arg + ") END"
}

// weightedPercentile takes the weights as the second argument.
func weightedPercentile(at string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		of, round := "list_transform([$3], lambda #q: AT)[1]", "ROUND"
		many := strings.HasPrefix(c.Type.String(), "array")
		if many {
			of = "list_transform($3, lambda #q: AT)"
		}
		switch typ := c.Args[0].Type.String(); {
		case typ == "bigint":
			round = "CAST(floor(ROUND + 0.5) AS BIGINT)"
		case typ == "real":
			round = "CAST(ROUND AS FLOAT)"
		}
		if many {
			round = "list_transform(ROUND, lambda #r: " + strings.ReplaceAll(round, "ROUND", "#r") + ")"
		}
		// The percentages are an argument of the aggregate too: they need not be constant.
		values := "list_transform([{'d': " + sorted(digest("$2")) + ", 'p': " + same("$3") + "}], lambda #k: list_transform([#k.d], lambda #d: " +
			valuesOf(at, strings.ReplaceAll(of, "$3", "#k.p")) + ")[1])[1]"
		return aggregate(strings.ReplaceAll(round, "ROUND", values))(c)
	}
}
