package functions

import (
	"fmt"
	"strconv"
	"strings"
)

// percentileFunctions are approx_percentile and the digests. Percentiles are exact here: elements, by the rank
// that Trino's digests give as long as they have all values.
var percentileFunctions = []Function{
	{Name: "approx_percentile", Kind: Aggregate, Doc: "The value at a share of the values in order, such as 0.5, or an array of those at " +
		"several; with a weight as the second argument, and an accuracy, which is not needed here, as the last.", Forms: percentileForms()},
	{Name: "tdigest_agg", Kind: Aggregate, Doc: "The values, and their weights, for value_at_quantile.", Forms: []Form{
		{Signature: "(double) -> tdigest", Write: aggregate(digest("1"))},
		{Signature: "(double, double) -> tdigest", Write: aggregate(digest("$2"))},
	}},
	{Name: "qdigest_agg", Kind: Aggregate, Doc: "The values, and their weights, for value_at_quantile.", Forms: digestForms()},
	{Name: "value_at_quantile", Doc: "The value at a share of the values of a digest in order, such as 0.5.", Forms: []Form{
		{Signature: "(qdigest(bigint), double) -> bigint", Write: with("CAST(" + valueOf(atRank) + " AS BIGINT)")},
		{Signature: "(qdigest(real), double) -> real", Write: with("CAST(" + valueOf(atRank) + " AS FLOAT)")},
		{Signature: "(qdigest(double), double) -> double", Write: with(valueOf(atRank))},
		{Signature: "(tdigest, double) -> double", Write: with(valueOf(between))},
	}},
	{Name: "values_at_quantiles", Doc: "The values at several shares of the values of a digest in order.", Forms: []Form{
		{Signature: "(qdigest(bigint), array(double)) -> array(bigint)", Write: with("CAST(" + valuesOf(atRank, "$1", "$2") + " AS BIGINT[])")},
		{Signature: "(qdigest(real), array(double)) -> array(real)", Write: with("CAST(" + valuesOf(atRank, "$1", "$2") + " AS FLOAT[])")},
		{Signature: "(qdigest(double), array(double)) -> array(double)", Write: with(valuesOf(atRank, "$1", "$2"))},
		{Signature: "(tdigest, array(double)) -> array(double)", Write: with(valuesOf(between, "$1", "$2"))},
	}},
	{Name: "quantile_at_value", Doc: "The share of the values of a digest that are less than a value; null outside of them.", Forms: []Form{
		{Signature: "(qdigest(bigint), bigint) -> double", Write: with(quantileAtValue)},
		{Signature: "(qdigest(real), real) -> double", Write: with(quantileAtValue)},
		{Signature: "(qdigest(double), double) -> double", Write: with(quantileAtValue)},
	}},
}

// digest returns a template of the list of {v, w} of the rows, null if there are none; weight is the weight of $1.
func digest(weight string) string {
	return "list_transform([list_filter(@list(CASE WHEN $1 IS NOT NULL AND " + weight +
		" IS NOT NULL THEN {'v': CAST($1 AS DOUBLE), 'w': CAST(" + weight +
		" AS DOUBLE)} END), lambda #x: #x IS NOT NULL)], lambda #d: CASE WHEN len(#d) > 0 THEN #d END)[1]"
}

func digestForms() []Form {
	var forms []Form
	for _, typ := range []string{"bigint", "real", "double"} {
		for _, more := range []string{"", ", bigint", ", bigint, double"} {
			weight := "$2"
			if more == "" {
				weight = "1"
			}
			forms = append(forms, Form{Signature: "(" + typ + more + ") -> qdigest(" + typ + ")", Write: aggregate(digest(weight))})
		}
	}
	return forms
}

// Functions in Go that take the values of a digest at several shares: as Trino's quantile digests do, and as its t-digests do, which
// interpolate between values of more than weight 1.
const (
	atRank  = "presto_quantiles"
	between = "presto_digest_quantiles"
)

// valuesOf returns a template of the values of a digest at shares, a list.
func valuesOf(function, digest, shares string) string {
	return "list_transform([{'d': " + digest + ", 'p': " + shares + "}], lambda #d: CASE WHEN #d.d IS NOT NULL THEN " +
		function + "(list_transform(#d.d, lambda #x: #x.v), list_transform(#d.d, lambda #x: #x.w), #d.p) END)[1]"
}

// valueOf returns a template of the value of digest $1 at share $2.
func valueOf(function string) string {
	return "CASE WHEN $2 IS NOT NULL THEN " + valuesOf(function, "$1", "[$2]") + "[1] END"
}

const quantileAtValue = "list_transform([list_transform($1, lambda #x: #x.v)], lambda #v: CASE WHEN $2 >= list_min(#v) AND $2 <= " +
	"list_max(#v) THEN " +
	"list_sum(list_transform($1, lambda #x: CASE WHEN #x.v < $2 THEN #x.w ELSE 0 END)) / list_sum(list_transform($1, lambda #x: #x.w)) END)[1]"

// percentileForms returns for three types, with and without weights and accuracy, for one and more percentages.
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

// percentile returns the element at rank floor(p * n), from 0. DuckDB's is the one below it where p * n is whole.
func percentile(c *Call) (Result, error) {
	const above = "CASE WHEN #q < 0 THEN 2 WHEN #q >= 1 THEN #q ELSE #q + 1e-12 END"
	if strings.HasPrefix(c.Args[1].Type.String(), "array") {
		return aggregate("@quantile_disc($1, list_transform($2, lambda #q: " + above + "))")(c)
	}
	p, err := strconv.ParseFloat(c.Args[1].Text, 64)
	switch {
	case !c.Args[1].Constant || err != nil:
		return aggregate("list_transform([list_sort(list_filter(@list($1), lambda #x: #x IS NOT NULL))], lambda #l: list_transform([" +
			same("$2") + "], lambda #q: " +
			"CASE WHEN #q < 0 OR #q > 1 THEN error('Percentile must be between 0 and 1') ELSE #l[least(len(#l), CAST(floor(#q * len(#l)) AS " +
			"BIGINT) + 1)] END)[1])[1]")(c)
	case p < 0 || p > 1:
		return Result{}, fmt.Errorf("percentile must be between 0 and 1")
	}
	return aggregate("@quantile_disc($1, CAST(" + strconv.FormatFloat(min(1, p+1e-12), 'g', -1, 64) + " AS DOUBLE))")(c)
}

// same returns a template of the value that an argument has in all rows.
func same(arg string) string {
	return "CASE WHEN @min(" + arg + ") < @max(" + arg + ") THEN error('the percentage must be the same in all rows') ELSE @any_value(" + arg +
		") END"
}

// weightedPercentile takes the weights as the second argument. The percentages are an argument of the aggregate too: they need
// not be constant.
func weightedPercentile(function string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		value := map[string]string{"bigint": "CAST(floor(#r + 0.5) AS BIGINT)", "real": "CAST(#r AS FLOAT)",
			"double": "#r"}[c.Args[0].Type.String()]
		shares, element := same("$3"), ""
		if !strings.HasPrefix(c.Type.String(), "array") {
			shares, element = "["+shares+"]", "[1]"
		}
		return aggregate("list_transform(" + valuesOf(function, digest("$2"), shares) + ", lambda #r: " + value + ")" + element)(c)
	}
}
