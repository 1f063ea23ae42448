package functions

import (
	"fmt"
	"strconv"
)

// sketchFunctions count distinct and frequent values. They are exact: a HyperLogLog is the set of the values' hashes.
var sketchFunctions = []Function{
	{Name: "approx_distinct", Kind: Aggregate,
		Doc: "The number of distinct values, which is exact here; a standard error as the second argument is not needed.", Forms: []Form{
			{Signature: "(T) -> bigint", SQL: "@count(DISTINCT $1)"},
			{Signature: "(T, double) -> bigint", Write: approxDistinct},
		}},
	{Name: "approx_set", Kind: Aggregate, Doc: "The set of the distinct values, for cardinality and merge.", Forms: []Form{
		{Signature: "(bigint) -> HyperLogLog", Write: aggregate(hashes)},
		{Signature: "(double) -> HyperLogLog", Write: aggregate(hashes)},
		{Signature: "(varchar) -> HyperLogLog", Write: aggregate(hashes)},
	}},
	{Name: "empty_approx_set", Doc: "A HyperLogLog without values.", Forms: []Form{
		{Signature: "() -> HyperLogLog", SQL: "CAST([] AS UBIGINT[])"},
	}},
	{Name: "merge", Kind: Aggregate, Doc: "The union of HyperLogLogs or digests.", Forms: []Form{
		{Signature: "(HyperLogLog) -> HyperLogLog", SQL: "CASE WHEN @count($1) > 0 THEN list_distinct(flatten(@list($1))) END"},
		{Signature: "(tdigest) -> tdigest", SQL: "CASE WHEN @count($1) > 0 THEN list_sort(flatten(@list($1))) END"},
		{Signature: "(qdigest(V)) -> qdigest(V)", SQL: "CASE WHEN @count($1) > 0 THEN list_sort(flatten(@list($1))) END"},
	}},
	{Name: "approx_most_frequent", Kind: Aggregate, Doc: "A map of the n most frequent values and how often each is there.", Forms: []Form{
		{Signature: "(bigint, bigint, bigint) -> map(bigint, bigint)", Write: maxFrequent},
		{Signature: "(bigint, varchar, bigint) -> map(varchar, bigint)", Write: maxFrequent},
	}},
	{Name: "numeric_histogram", Kind: Aggregate,
		Doc: "A map of about n buckets, the means of near values, to the number of values, or the sum of their weights, in each.", Forms: []Form{
			{Signature: "(bigint, real) -> map(real, real)", Write: numericHistogram("1", "FLOAT")},
			{Signature: "(bigint, real, double) -> map(real, real)", Write: numericHistogram("$3", "FLOAT")},
			{Signature: "(bigint, double) -> map(double, double)", Write: numericHistogram("1", "DOUBLE")},
			{Signature: "(bigint, double, double) -> map(double, double)", Write: numericHistogram("$3", "DOUBLE")},
		}},
}

const hashes = "list_transform([list_filter(@list(DISTINCT CASE WHEN $1 IS NOT NULL THEN hash($1) END), lambda #h: #h IS NOT NULL)], " +
	"lambda #l: CASE WHEN len(#l) > 0 THEN #l END)[1]"

func approxDistinct(c *Call) (Result, error) {
	e, err := strconv.ParseFloat(c.Args[1].Text, 64)
	if !c.Args[1].Constant || err != nil || e < 0.0040625 || e > 0.26 {
		return Result{}, fmt.Errorf("max standard error must be in [0.0040625, 0.26]: %s", c.Args[1].Text)
	}
	return Result{SQL: "@count(DISTINCT " + c.Args[0].SQL + ")"}, nil
}

func maxFrequent(c *Call) (Result, error) {
	n, err := strconv.Atoi(c.Args[0].Text)
	if !c.Args[0].Constant || err != nil || n < 2 {
		return Result{}, fmt.Errorf("approx_most_frequent bucket count must be a constant greater than one")
	}
	return aggregate("CAST(map_from_entries(list_transform(list_sort(list_transform(map_entries(@histogram($2)), lambda #e: {'n': " +
		"-CAST(#e.value AS BIGINT), 'k': #e.key}))[1:" +
		strconv.Itoa(n) + "], lambda #e: {'k': #e.k, 'v': -#e.n})) AS <>)")(c)
}

// numericHistogram hands the values and weights of a group to a function, which gives pairs of value and weight.
func numericHistogram(weight, typ string) func(*Call) (Result, error) {
	side := func(place string) string {
		return "list_transform(range(len(#h) // 2), lambda #i: CAST(#h[2 * #i + " + place + "] AS " + typ + "))"
	}
	return aggregate("list_transform([{'n': @any_value($1), 'l': list_filter(@list(CASE WHEN $2 IS NOT NULL AND " + weight +
		" IS NOT NULL THEN {'v': CAST($2 AS DOUBLE), 'w': CAST(" + weight +
		" AS DOUBLE)} END), lambda #x: #x IS NOT NULL)}], lambda #l: CASE WHEN len(#l.l) > 0 THEN " +
		"list_transform([presto_numeric_histogram(#l.n, list_transform(#l.l, lambda #x: #x.v)," +
		" list_transform(#l.l, lambda #x: #x.w))], lambda #h: map(" + side("1") + ", " + side("2") + "))[1] END)[1]")
}
