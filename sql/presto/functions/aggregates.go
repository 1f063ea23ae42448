package functions

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/types"
)

// aggregateFunctions lists the aggregates except those of statistics, percentiles, sketches and maps.
var aggregateFunctions = []Function{
	{Name: "count", Kind: Aggregate, Doc: "The number of rows, or of those in which the argument is not null.", Forms: []Form{
		{Signature: "() -> bigint", SQL: "@count(*)"},
		{Signature: "(T) -> bigint", SQL: "@count($1)"},
	}},
	{Name: "count_if", Kind: Aggregate, Doc: "The number of rows in which the condition is true.", Forms: []Form{
		{Signature: "(boolean) -> bigint", SQL: "@count(CASE WHEN $1 THEN true END)"},
	}},
	{Name: "sum", Kind: Aggregate, Doc: "The sum of the values; null if there are none.", Forms: []Form{
		{Signature: "(bigint) -> bigint", SQL: "CAST(@sum($1) AS BIGINT)"},
		{Signature: "(decimal) -> decimal", Write: sumDecimal},
		{Signature: "(real) -> real", SQL: "CAST(@sum($1) AS FLOAT)"},
		{Signature: "(double) -> double", SQL: "@sum($1)"},
		{Signature: "(interval day to second) -> interval day to second", SQL: "CAST(@sum($1) AS BIGINT)"},
		{Signature: "(interval year to month) -> interval year to month", SQL: "CAST(@sum($1) AS BIGINT)"},
	}},
	{Name: "avg", Kind: Aggregate, Doc: "The mean of the values, of a decimal with its scale; null if there are none.", Forms: []Form{
		{Signature: "(bigint) -> double", SQL: "@avg($1)"},
		{Signature: "(decimal) -> decimal", Write: avgDecimal},
		{Signature: "(real) -> real", SQL: "CAST(@avg($1) AS FLOAT)"},
		{Signature: "(double) -> double", SQL: "@avg($1)"},
		{Signature: "(interval day to second) -> interval day to second", SQL: "CAST(round(@avg($1)) AS BIGINT)"},
		{Signature: "(interval year to month) -> interval year to month", SQL: "CAST(round(@avg($1)) AS BIGINT)"},
	}},
	{Name: "min", Kind: Aggregate, Doc: "The least value, or an array of the n least in ascending order.", Forms: []Form{
		{Signature: "(E) -> E", Write: extreme("min")},
		{Signature: "(E, bigint) -> array(E)", Write: extremes("min")},
	}},
	{Name: "max", Kind: Aggregate, Doc: "The greatest value, or an array of the n greatest in descending order.", Forms: []Form{
		{Signature: "(E) -> E", Write: extreme("max")},
		{Signature: "(E, bigint) -> array(E)", Write: extremes("max")},
	}},
	{Name: "min_by", Kind: Aggregate, Doc: "The first argument of the row with the least second one, or an array of those of the n least.",
		Forms: []Form{
			{Signature: "(T, E) -> T", Nulls: true, Write: extremeBy("min")},
			{Signature: "(T, E, bigint) -> array(T)", Nulls: true, Write: extremesBy("min")},
		}},
	{Name: "max_by", Kind: Aggregate,
		Doc: "The first argument of the row with the greatest second one, or an array of those of the n greatest.", Forms: []Form{
			{Signature: "(T, E) -> T", Nulls: true, Write: extremeBy("max")},
			{Signature: "(T, E, bigint) -> array(T)", Nulls: true, Write: extremesBy("max")},
		}},
	{Name: "any_value", Aliases: []string{"arbitrary"}, Kind: Aggregate, Doc: "One of the values that are not null.", Forms: []Form{
		{Signature: "(T) -> T", SQL: "@any_value($1)"},
	}},
	{Name: "array_agg", Kind: Aggregate, Doc: "An array of the values, nulls included; null if there are no rows.", Forms: []Form{
		{Signature: "(T) -> array(T)", Nulls: true, Write: arrayAgg},
	}},
	{Name: "bool_and", Aliases: []string{"every"}, Kind: Aggregate, Doc: "Whether the condition is true in all rows.", Forms: []Form{
		{Signature: "(boolean) -> boolean", SQL: "@bool_and($1)"},
	}},
	{Name: "bool_or", Kind: Aggregate, Doc: "Whether the condition is true in a row.",
		Forms: []Form{{Signature: "(boolean) -> boolean", SQL: "@bool_or($1)"}}},
	{Name: "bitwise_and_agg", Kind: Aggregate, Doc: "The bits that all values have.",
		Forms: []Form{{Signature: "(bigint) -> bigint", SQL: "@bit_and($1)"}}},
	{Name: "bitwise_or_agg", Kind: Aggregate, Doc: "The bits that any of the values has.",
		Forms: []Form{{Signature: "(bigint) -> bigint", SQL: "@bit_or($1)"}}},
	{Name: "listagg", Kind: Aggregate,
		Doc: "The texts one after the other with a separator between them: listagg(x, ', ') WITHIN GROUP (ORDER BY x).", Forms: []Form{
			{Signature: "(varchar, varchar) -> varchar", Write: aggregate("CASE WHEN strlen(@string_agg($1, $2)) > " + listaggLimit +
				" THEN error('the result of listagg is longer than " + listaggLimit + " bytes') ELSE @string_agg($1, $2) END")},
		}},
	{Name: "reduce_agg", Kind: Aggregate, Doc: "A state that begins with the second argument and becomes what the first lambda gives for " +
		"it and the value of each row. The second lambda, which combines states, is not needed here.", Forms: []Form{
		{Signature: "(T, S, function(S, T, S), function(S, S, S)) -> S", Write: reduceAgg},
	}},
}

// arrayAgg has distinct values in the order in which they come, as Trino has.
func arrayAgg(c *Call) (Result, error) {
	if c.Distinct {
		return aggregate("list_transform([@@list($1)], lambda #l: " + distinct("#l") + ")[1]")(c)
	}
	return aggregate("@list($1)")(c)
}

// listaggLimit is the longest result of listagg, in bytes.
const listaggLimit = "1048576"

func sumDecimal(c *Call) (Result, error) {
	typ := types.DecimalOf(38, c.Args[0].Type.Scale)
	sql := "CAST(@sum($1) AS " + typ.DuckDB() + ")"
	if c.Args[0].Type.Precision > 28 { // DuckDB's sums go beyond 38 digits; fewer digits would take more rows than there can be
		sql = "CASE WHEN abs(@sum($1)) > CAST('" + strings.Repeat("9", 38-typ.Scale) + "." + strings.Repeat("9", typ.Scale) + "' AS " +
			typ.DuckDB() + ") THEN error('Decimal overflow') ELSE " + sql + " END"
	}
	r, err := aggregate(sql)(c)
	r.Type = typ
	return r, err
}

// avgDecimal divides the sum, as an integer, by the count and rounds half away from zero: DuckDB's avg is a double.
func avgDecimal(c *Call) (Result, error) {
	typ := c.Args[0].Type
	one := "1" + zeros(typ.Scale)
	result := "CAST(#q AS " + typ.DuckDB() + ")"
	if typ.Scale > 0 {
		// The whole part and the fraction are cast on their own: #q may have more digits than a decimal has before the point.
		unit := "CAST(0." + zeros(typ.Scale-1) + "1 AS DECIMAL(" + strconv.Itoa(typ.Scale) + "," + strconv.Itoa(typ.Scale) + "))"
		rest := strconv.Itoa(38 - typ.Scale)
		result = "CAST(CAST(#q // " + one + "::HUGEINT AS DECIMAL(" + rest + ",0)) + CAST(#q % " + one + "::HUGEINT AS DECIMAL(" + rest +
			",0)) * " + unit + " AS " + typ.DuckDB() + ")"
	}
	sql := aggregate("list_transform([{'s': @sum($1), 'n': @count($1)}], lambda #a: CASE WHEN #a.n > 0 THEN list_transform([" +
		unscaled("#a.s", typ.Scale) +
		"], lambda #u: list_transform([#u // #a.n + CASE WHEN abs(#u % #a.n) * 2 >= #a.n THEN sign(#u) ELSE 0 END], lambda #q: " + result +
		")[1])[1] END)[1]")
	r, err := sql(c)
	r.Type = typ
	return r, err
}

// unscaled returns a decimal of up to 38 digits times ten to its scale, as a HUGEINT.
func unscaled(sql string, scale int) string {
	if scale == 0 {
		return "CAST(" + sql + " AS HUGEINT)"
	}
	whole := "CAST(trunc(" + sql + ") AS HUGEINT)"
	return "(" + whole + " * 1" + zeros(scale) + "::HUGEINT + CAST((" + sql + " - trunc(" + sql + ")) * 1" + zeros(scale) +
		"::HUGEINT AS HUGEINT))"
}

func zeros(n int) string { return strings.Repeat("0", n) }
