package functions

// mathFunctions are about numbers.
var mathFunctions = []Function{
	{Name: "abs", Doc: "Value without its sign.", Forms: []Form{
		{Signature: "(Z) -> Z", SQL: "abs($1)"},
		{Signature: "(decimal) -> decimal", Write: sameDecimal},
		{Signature: "(real) -> real", SQL: "abs($1)"},
		{Signature: "(double) -> double", SQL: "abs($1)"},
	}},
	{Name: "round", Doc: "Nearest number with a number of decimal places, half away from zero.", Forms: []Form{
		{Signature: "(Z) -> Z", SQL: "$1"},
		{Signature: "(Z, integer) -> Z", Write: roundWhole},
		{Signature: "(decimal) -> decimal", Write: roundDecimal},
		{Signature: "(decimal, integer) -> decimal", Write: roundDecimal},
		{Signature: "(real) -> real", SQL: "CAST(presto_round_double($1) AS FLOAT)"},
		{Signature: "(real, integer) -> real", SQL: "presto_round_real2($1, $2)"},
		{Signature: "(double) -> double", SQL: "presto_round_double($1)"},
		{Signature: "(double, integer) -> double", SQL: "presto_round_double2($1, $2)"},
	}},
	{Name: "truncate", Doc: "Number without decimal places, or with some.", Forms: []Form{
		{Signature: "(decimal) -> decimal", Write: wholeDecimal},
		{Signature: "(decimal, integer) -> decimal", Write: truncateDecimal},
		{Signature: "(real) -> real", SQL: "trunc($1)"},
		{Signature: "(double) -> double", SQL: "trunc($1)"},
	}},
	{Name: "ceil", Aliases: []string{"ceiling"}, Doc: "Least whole number that is not below a number.", Forms: whole("ceil")},
	{Name: "floor", Doc: "Largest whole number that is not above a number.", Forms: whole("floor")},
	{Name: "sign", Doc: "-1, 0 or 1.", Forms: []Form{
		{Signature: "(Z) -> Z", SQL: "CAST(sign($1) AS <Z>)"},
		{Signature: "(decimal) -> decimal(1,0)", SQL: "CAST(sign($1) AS DECIMAL(1,0))"},
		{Signature: "(real) -> real", SQL: "CAST(presto_sign_double($1) AS FLOAT)"},
		{Signature: "(double) -> double", SQL: "presto_sign_double($1)"},
	}},
	{Name: "mod", Doc: "Rest of a division, with the sign of the dividend.", Forms: []Form{
		{Signature: "(Z, Z) -> Z", Write: mod},
		{Signature: "(decimal, decimal) -> decimal", Write: modDecimal},
		{Signature: "(real, real) -> real", SQL: "CAST(presto_mod_double($1, $2) AS FLOAT)"},
		{Signature: "(double, double) -> double", SQL: "presto_mod_double($1, $2)"},
	}},
	{Name: "power", Aliases: []string{"pow"}, Doc: "A number to the power of another.", Forms: []Form{
		{Signature: "(double, double) -> double",
			SQL: "CASE WHEN isfinite($1) AND isfinite($2) THEN pow($1, $2) ELSE presto_power($1, $2) END"},
	}},
	direct("sqrt", "Square root.", "(double) -> double"),
	direct("cbrt", "Cube root.", "(double) -> double"),
	direct("ln", "Natural logarithm.", "(double) -> double"),
	direct("log2", "Logarithm to base 2.", "(double) -> double"),
	{Name: "log10", Doc: "Logarithm to base 10.", Forms: []Form{{Signature: "(double) -> double", SQL: "CASE WHEN $1 > 0 THEN log10($1) ELSE presto_log10($1) END"}}},
	direct("asin", "Arc sine.", "(double) -> double"),
	direct("acos", "Arc cosine.", "(double) -> double"),
	direct("log", "Logarithm to a base.", "(double, double) -> double"),
	{Name: "exp", Doc: "e to a power.", Forms: []Form{{Signature: "(double) -> double", SQL: "exp($1)"}}},
	{Name: "degrees", Doc: "Degrees of radians.", Forms: []Form{{Signature: "(double) -> double", SQL: "degrees($1)"}}},
	{Name: "radians", Doc: "Radians of degrees.", Forms: []Form{{Signature: "(double) -> double", SQL: "radians($1)"}}},
	{Name: "sin", Doc: "Sine.", Forms: []Form{{Signature: "(double) -> double", SQL: "sin($1)"}}},
	{Name: "cos", Doc: "Cosine.", Forms: []Form{{Signature: "(double) -> double", SQL: "cos($1)"}}},
	{Name: "tan", Doc: "Tangent.", Forms: []Form{{Signature: "(double) -> double", SQL: "tan($1)"}}},
	{Name: "atan", Doc: "Arc tangent.", Forms: []Form{{Signature: "(double) -> double", SQL: "atan($1)"}}},
	{Name: "sinh", Doc: "Hyperbolic sine.", Forms: []Form{{Signature: "(double) -> double", SQL: "sinh($1)"}}},
	{Name: "cosh", Doc: "Hyperbolic cosine.", Forms: []Form{{Signature: "(double) -> double", SQL: "cosh($1)"}}},
	{Name: "tanh", Doc: "Hyperbolic tangent.", Forms: []Form{{Signature: "(double) -> double", SQL: "tanh($1)"}}},
	{Name: "atan2", Doc: "Arc tangent of y / x.", Forms: []Form{{Signature: "(double, double) -> double", SQL: "atan2($1, $2)"}}},
	{Name: "e", Doc: "The constant e.", Forms: []Form{{Signature: "() -> double", SQL: "CAST(2.718281828459045e0 AS DOUBLE)"}}},
	{Name: "pi", Doc: "The constant π.", Forms: []Form{{Signature: "() -> double", SQL: "pi()"}}},
	{Name: "nan", Doc: "The double that is not a number.", Forms: []Form{{Signature: "() -> double", SQL: "CAST('nan' AS DOUBLE)"}}},
	{Name: "infinity", Doc: "The infinite double.", Forms: []Form{{Signature: "() -> double", SQL: "CAST('inf' AS DOUBLE)"}}},
	{Name: "is_nan", Doc: "Whether a number is not a number.", Forms: []Form{
		{Signature: "(real) -> boolean", SQL: "isnan($1)"},
		{Signature: "(double) -> boolean", SQL: "isnan($1)"},
	}},
	{Name: "is_finite", Doc: "Whether a number is neither infinite nor not a number.", Forms: []Form{
		{Signature: "(double) -> boolean", SQL: "isfinite($1)"},
	}},
	{Name: "is_infinite", Doc: "Whether a number is infinite.", Forms: []Form{{Signature: "(double) -> boolean", SQL: "isinf($1)"}}},
	{Name: "width_bucket", Doc: "Number of the bucket of a value, among equal ones between two bounds or those that an array begins.", Forms: []Form{
		{Signature: "(double, double, double, bigint) -> bigint", SQL: "presto_width_bucket($1, $2, $3, $4)"},
		{Signature: "(double, array(double)) -> bigint", SQL: "presto_width_bucket_bins($1, $2)"},
	}},
	{Name: "cosine_similarity", Doc: "Cosine of the angle between two vectors, each a map.", Forms: []Form{
		{Signature: "(map(varchar, double), map(varchar, double)) -> double", SQL: "presto_cosine_similarity(map_keys($1), map_values($1), map_keys($2), map_values($2))"},
	}},
	direct("normal_cdf", "Probability that a normal variable is below a value: mean, deviation, value.",
		"(double, double, double) -> double"),
	direct("inverse_normal_cdf", "Value below which a normal variable is with a probability: mean, deviation, probability.",
		"(double, double, double) -> double"),
	direct("beta_cdf", "Probability that a beta variable is below a value: a, b, value.", "(double, double, double) -> double"),
	direct("inverse_beta_cdf", "Value below which a beta variable is with a probability: a, b, probability.",
		"(double, double, double) -> double"),
	direct("wilson_interval_lower", "Lower bound of Wilson's interval for a share: successes, trials, z.",
		"(bigint, bigint, double) -> double"),
	direct("wilson_interval_upper", "Upper bound of Wilson's interval for a share: successes, trials, z.",
		"(bigint, bigint, double) -> double"),
	{Name: "bitwise_and", Doc: "Bits of both numbers.", Forms: []Form{{Signature: "(bigint, bigint) -> bigint", SQL: "($1 & $2)"}}},
	{Name: "bitwise_or", Doc: "Bits of one number or the other.", Forms: []Form{{Signature: "(bigint, bigint) -> bigint", SQL: "($1 | $2)"}}},
	{Name: "bitwise_xor", Doc: "Bits that differ between two numbers.", Forms: []Form{{Signature: "(bigint, bigint) -> bigint", SQL: "xor($1, $2)"}}},
	{Name: "bitwise_not", Doc: "All other bits.", Forms: []Form{{Signature: "(bigint) -> bigint", SQL: "(~$1)"}}},
	{Name: "bitwise_left_shift", Doc: "Bits moved to the left.", Forms: []Form{
		{Signature: "(Z, integer) -> Z", Write: shift},
	}},
	{Name: "bitwise_right_shift", Doc: "Bits moved to the right, without regard to the sign.", Forms: []Form{
		{Signature: "(Z, integer) -> Z", Write: shift},
	}},
	{Name: "bitwise_right_shift_arithmetic", Doc: "Bits moved to the right; the sign stays.", Forms: []Form{
		{Signature: "(Z, integer) -> Z", Write: shift},
	}},
	direct("bit_count", "Number of bits that are set, of a number of a width.", "(bigint, bigint) -> bigint"),
	{Name: "greatest", Doc: "Largest value; null if one is.", Forms: []Form{{Signature: "(E...) -> E", Write: greatest}}},
	{Name: "least", Doc: "Smallest value; null if one is.", Forms: []Form{{Signature: "(E...) -> E", Write: greatest}}},
	{Name: "random", Aliases: []string{"rand"}, Doc: "Random number from 0 to 1, below a bound, or between two.", Forms: []Form{
		{Signature: "() -> double", SQL: "random()"},
		{Signature: "(Z) -> Z", Write: randomBelow},
		{Signature: "(Z, Z) -> Z", Write: random},
	}},
	{Name: "uuid", Doc: "Random UUID.", Forms: []Form{{Signature: "() -> uuid", SQL: "uuid()"}}},
	{Name: "version", Doc: "Version of the engine whose answers these are.", Forms: []Form{{Signature: "() -> varchar", SQL: "'435'"}}},
	{Name: "current_groups", Doc: "Groups of the user: none.", Forms: []Form{{Signature: "() -> array(varchar)", SQL: "CAST([] AS VARCHAR[])"}}},
}

// whole returns the forms of a function that DuckDB has for doubles, and that leaves integers as they are.
func whole(name string) []Form {
	return []Form{
		{Signature: "(Z) -> Z", SQL: "$1"},
		{Signature: "(decimal) -> decimal", Write: wholeDecimal},
		{Signature: "(real) -> real", SQL: name + "($1)"},
		{Signature: "(double) -> double", SQL: name + "($1)"},
	}
}
