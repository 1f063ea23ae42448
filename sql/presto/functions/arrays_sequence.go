package functions

import "github.com/pingmill/pingmill/sql/presto/types"

// Messages of sequence, as Trino words them.
const (
	sequenceZero  = "error('step must not be zero')"
	sequenceSigns = "error('sequence stop value should be greater than or equal to start value if step is greater than zero otherwise " +
		"stop should be less than or equal to start')"
	sequenceLong = "error('result of sequence function must not have more than 10000 entries')"
	sequenceDay  = "error('sequence step must be a day interval if start and end values are dates')"
)

// sequenceFunctions make arrays of values at equal distances.
var sequenceFunctions = []Function{
	{Name: "sequence", Doc: "An array of the numbers, days or times from the first argument to the second, with a step that may be negative.",
		Forms: []Form{
			{Signature: "(bigint, bigint) -> array(bigint)",
				SQL: "CASE WHEN abs($2::HUGEINT - $1) >= 10000 THEN " + sequenceLong +
					" WHEN $1 <= $2 THEN generate_series($1, $2) ELSE generate_series($1, $2, -1) END"},
			{Signature: "(bigint, bigint, bigint) -> array(bigint)",
				SQL: "CASE WHEN $3 = 0 THEN " + sequenceZero + " WHEN ($2 > $1 AND $3 < 0) OR ($2 < $1 AND $3 > 0) THEN " + sequenceSigns +
					" WHEN ($2::HUGEINT - $1) // $3 >= 10000 THEN " + sequenceLong + " ELSE generate_series($1, $2, $3) END"},
			{Signature: "(date, date) -> array(date)", Write: with("CASE WHEN abs($2 - $1) >= 10000 THEN " + sequenceLong +
				" ELSE list_transform(generate_series(0, $2 - $1, CASE WHEN $1 <= $2 THEN 1 ELSE -1 END), lambda #i: $1 + CAST(#i AS INTEGER)) END")},
			{Signature: "(date, date, interval day to second) -> array(date)",
				Write: with("CASE WHEN $3 = 0 THEN " + sequenceZero + " WHEN $3 % 86400000 != 0 THEN " + sequenceDay +
					" WHEN ($2 > $1 AND $3 < 0) OR ($2 < $1 AND $3 > 0) THEN " + sequenceSigns + " WHEN ($2 - $1) // ($3 // 86400000) >= 10000 THEN " +
					sequenceLong +
					" ELSE list_transform(generate_series(0, $2 - $1, $3 // 86400000), lambda #i: $1 + CAST(#i AS INTEGER)) END")},
			{Signature: "(date, date, interval year to month) -> array(date)",
				Write: with(sequenceMonths("CAST($1 + to_months(CAST(#i AS INTEGER)) AS DATE)"))},
			{Signature: "(timestamp, timestamp, interval day to second) -> array(timestamp)",
				Write: sequenceTimes("CASE WHEN $3 = 0 THEN " + sequenceZero +
					" WHEN ($2 > $1 AND $3 < 0) OR ($2 < $1 AND $3 > 0) THEN " + sequenceSigns +
					" WHEN (epoch_us($2) - epoch_us($1)) // ($3 * 1000) >= 10000 THEN " + sequenceLong +
					" ELSE list_transform(generate_series(epoch_us($1), epoch_us($2), $3 * 1000), lambda #i: make_timestamp(#i)) END")},
			{Signature: "(timestamp, timestamp, interval year to month) -> array(timestamp)",
				Write: sequenceTimes(sequenceMonths("$1 + to_months(CAST(#i AS INTEGER))"))},
		}},
}

// sequenceMonths returns a template that counts in months from the first value, so that a month's end stays one.
func sequenceMonths(value string) string {
	const months = "datediff('month', $1, $2)"
	return "CASE WHEN $3 = 0 THEN " + sequenceZero + " WHEN ($2 > $1 AND $3 < 0) OR ($2 < $1 AND $3 > 0) THEN " + sequenceSigns +
		" WHEN " + months + " // $3 >= 10000 THEN " + sequenceLong +
		" ELSE list_filter(list_transform(generate_series(0, " + months + ", $3), lambda #i: " + value +
		"), lambda #d: CASE WHEN $3 > 0 THEN #d <= $2 ELSE #d >= $2 END) END"
}

// sequenceTimes keeps the precision of the times.
func sequenceTimes(template string) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		r, err := with(template)(c)
		r.Type = types.ArrayOf(c.Args[0].Type)
		return r, err
	}
}
