package functions

// statisticFunctions are the aggregates of statistics.
var statisticFunctions = []Function{
	{
		Name: "stddev", Aliases: []string{"stddev_samp"}, Kind: Aggregate, Doc: "The standard deviation of a sample.",
		Forms: doubles("@stddev_samp($1)"),
	},
	{Name: "stddev_pop", Kind: Aggregate, Doc: "The standard deviation of a population.", Forms: doubles("@stddev_pop($1)")},
	{Name: "variance", Aliases: []string{"var_samp"}, Kind: Aggregate, Doc: "The variance of a sample.", Forms: doubles("@var_samp($1)")},
	{Name: "var_pop", Kind: Aggregate, Doc: "The variance of a population.", Forms: doubles("@var_pop($1)")},
	{Name: "skewness", Kind: Aggregate, Doc: "The skewness, m3 / m2 ^ 1.5; null for fewer than three values.",
		Forms: moments(3, "sqrt(#n) * #m.m3 / pow(#m.m2, 1.5)")},
	{Name: "kurtosis", Kind: Aggregate, Doc: "The excess kurtosis of a sample; null for fewer than four values.", Forms: moments(4,
		"(#n - 1) * #n * (#n + 1) / ((#n - 2) * (#n - 3)) * #m.m4 / (#m.m2 * #m.m2) - 3 * (#n - 1) * (#n - 1) / ((#n - 2) * (#n - 3))")},
	{Name: "geometric_mean", Kind: Aggregate, Doc: "The n-th root of the product of n values.", Forms: []Form{
		{Signature: "(bigint) -> double", SQL: geometricMean},
		{Signature: "(real) -> real", SQL: "CAST(" + geometricMean + " AS FLOAT)"},
		{Signature: "(double) -> double", SQL: geometricMean},
	}},
	{Name: "corr", Kind: Aggregate, Doc: "The correlation coefficient of y and x.", Forms: twoNumbers("@corr($1, $2)")},
	{Name: "covar_samp", Kind: Aggregate, Doc: "The covariance of y and x in a sample.", Forms: twoNumbers("@covar_samp($1, $2)")},
	{Name: "covar_pop", Kind: Aggregate, Doc: "The covariance of y and x in a population.", Forms: twoNumbers("@covar_pop($1, $2)")},
	{Name: "regr_slope", Kind: Aggregate, Doc: "The slope of the line through y over x that fits best.",
		Forms: twoNumbers("@regr_slope($1, $2)")},
	{Name: "regr_intercept", Kind: Aggregate, Doc: "The value of y where the line that fits best has x = 0.",
		Forms: twoNumbers("@regr_intercept($1, $2)")},
}

const geometricMean = "exp(@avg(CASE WHEN $1 > 0 THEN ln($1) WHEN $1 = 0 THEN CAST('-infinity' AS DOUBLE) WHEN $1 < 0 THEN CAST('nan' " +
	"AS DOUBLE) END))"

func doubles(sql string) []Form {
	return []Form{{Signature: "(bigint) -> double", SQL: sql}, {Signature: "(double) -> double", SQL: sql}}
}

// twoNumbers returns forms for reals, which integers become here too, and doubles. What is no number is null.
func twoNumbers(sql string) []Form {
	finite := "CASE WHEN isfinite(" + sql + ") THEN " + sql + " END"
	return []Form{{Signature: "(real, real) -> real", SQL: "CAST(" + finite + " AS FLOAT)"},
		{Signature: "(double, double) -> double", SQL: finite}}
}

// moments returns forms of a formula of the number #n and the central moments #m.m2 to #m.m4 (sums of powers of the
// distances from the mean) of at least this number of values. DuckDB's own lose all digits where the mean is far from
// zero.
func moments(least int, formula string) []Form {
	n := map[int]string{3: "3", 4: "4"}[least]
	write := aggregate("list_transform([list_filter(@list(CAST($1 AS DOUBLE)), lambda #x: #x IS NOT NULL)], lambda #l: CASE WHEN len(#l) >= " +
		n + " THEN list_transform([list_transform([list_avg(#l)], lambda #a: list_transform(#l, lambda #x: #x - #a))[1]], lambda #d: " +
		"list_transform([{'m2': list_sum(list_transform(#d, lambda #x: #x * #x)), 'm3': list_sum(list_transform(#d, lambda #x: #x * #x * " +
		"#x)), 'm4': list_sum(list_transform(#d, lambda #x: #x * #x * #x * #x))}]," +
		" lambda #m: list_transform([CAST(len(#l) AS DOUBLE)], lambda #n: CASE WHEN #m.m2 = 0 THEN CAST('nan' AS DOUBLE) ELSE " + formula +
		" END)[1])[1])[1] END)[1]")
	return []Form{{Signature: "(bigint) -> double", Write: write}, {Signature: "(double) -> double", Write: write}}
}
