// Package metric writes the SQL that answers how a metric is distributed over days, in Presto's dialect.
package metric

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/dictionary"
)

// Shape is the kind of values that a metric has. It determines the columns of the result.
type Shape string

// The shapes.
const (
	Values        Shape = "values"        // booleans and texts: rows by value
	Labels        Shape = "labels"        // maps from labels to counts: sums by label
	Numbers       Shape = "numbers"       // sums and percentiles
	Distributions Shape = "distributions" // buckets: percentiles of the samples in them
	Rates         Shape = "rates"         // numerators and denominators
	Events        Shape = "events"        // events, by a value of an extra key
	Known         Shape = "known"         // how many have a value
)

// form is the shape of a metric type, and how its values are read.
type form struct {
	shape   Shape
	labeled bool   // each label has a value of the shape
	largest bool   // a client's value of a day is the largest one, not the sum
	value   string // the value; $ stands for the column or a label's element
}

// seconds converts a timespan. An unknown unit is null, as is a missing value.
const seconds = `CASE $.time_unit WHEN 'nanosecond' THEN $.value / 1e9 WHEN 'microsecond' THEN $.value / 1e6 WHEN 'millisecond' THEN ` +
	`$.value / 1e3` +
	` WHEN 'second' THEN $.value * 1e0 WHEN 'minute' THEN $.value * 6e1 WHEN 'hour' THEN $.value * 3600e0 WHEN 'day' THEN $.value * ` +
	`86400e0 END`

var (
	number  = form{shape: Numbers, value: "CAST($ AS double)"}
	amount  = form{shape: Numbers, value: "CAST($ AS double)", largest: true}
	text    = form{shape: Values, value: "CAST($ AS varchar)"}
	buckets = form{shape: Distributions, value: `$."values"`}
	counts  = form{shape: Labels, value: "CAST($ AS double)"}
)

// labeled returns the form of a metric whose labels have values of a form.
func labeled(f form) form {
	f.labeled = true
	return f
}

// forms maps the metric types of Glean and legacy telemetry. Other types are Known: ids, addresses and long texts.
var forms = map[string]form{
	"boolean": text, "string": text, "counter": number, "quantity": amount,
	"timespan":            {shape: Numbers, value: seconds},
	"timing_distribution": buckets, "memory_distribution": buckets, "custom_distribution": buckets,
	"rate":            {shape: Rates, value: "$"},
	"labeled_boolean": labeled(text), "labeled_string": labeled(text), "labeled_counter": counts, "labeled_quantity": labeled(amount),
	"labeled_timing_distribution": labeled(buckets), "labeled_memory_distribution": labeled(buckets),
	"labeled_custom_distribution": labeled(buckets),
	"labeled_rate":                labeled(form{shape: Rates, value: "$"}),
	"string_list":                 {shape: Labels, value: "1e0"},
	"dual_labeled_counter":        counts,
	"event":                       {shape: Events},

	"scalar boolean": text, "scalar string": text, "scalar uint": amount,
	"keyed scalar boolean": labeled(text), "keyed scalar string": labeled(text), "keyed scalar uint": counts,
	"histogram flag": counts, "histogram boolean": counts, "histogram enumerated": counts, "histogram categorical": counts,
	"histogram linear": {shape: Distributions, value: "$"}, "histogram exponential": {shape: Distributions, value: "$"},
	"keyed histogram linear":      labeled(form{shape: Distributions, value: "$"}),
	"keyed histogram exponential": labeled(form{shape: Distributions, value: "$"}),
	"keyed histogram flag":        counts, "keyed histogram boolean": counts, "keyed histogram enumerated": counts,
	"keyed histogram categorical": counts,
}

func formOf(e *dictionary.Entry) form {
	f, ok := forms[e.Type]
	if !ok {
		return form{shape: Known}
	}
	return f
}

// ShapeOf returns the shape of a metric, and whether each of its labels has such values.
func ShapeOf(e *dictionary.Entry) (s Shape, hasLabels bool) {
	f := formOf(e)
	return f.shape, f.labeled
}

// grouping is a column by which rows are grouped. Tables have it under different names.
type grouping struct {
	name    string
	columns []string
}

var groupings = []grouping{
	{"channel", []string{"normalized_channel"}},
	{"version", []string{"client_info.app_display_version", "app_version"}},
	{"build", []string{"client_info.app_build", "app_build_id"}},
	{"os", []string{"normalized_os", "os"}},
	{"country", []string{"normalized_country_code", "country"}},
}

// Groupings lists the names by which a table's rows can be grouped. granted are the readable columns; nil means all.
func Groupings(t *schema.Table, granted []string) (names []string) {
	for _, g := range groupings {
		column, _, _ := strings.Cut(g.in(t), ".")
		if column != "" && (granted == nil || slices.Contains(granted, column)) {
			names = append(names, g.name)
		}
	}
	return names
}

// in returns the path of the grouping in a table, "" if it has none.
func (g *grouping) in(t *schema.Table) string {
	for _, path := range g.columns {
		if has(t, path) {
			return path
		}
	}
	return ""
}

// has reports whether a table has a column, or a member of one.
func has(t *schema.Table, path string) bool {
	column, member, nested := strings.Cut(path, ".")
	i := t.Index(column)
	if i < 0 || !nested {
		return i >= 0
	}
	return slices.ContainsFunc(t.Columns[i].Type.Fields, func(f schema.Field) bool { return f.Name == member })
}

// Clients reports whether the rows of a table name their client, in a readable column. A nil granted means all columns.
func Clients(t *schema.Table, granted []string) bool {
	return (granted == nil || slices.Contains(granted, clientColumn)) && has(t, clientColumn) &&
		(!has(t, "client_info") || has(t, "client_info.client_id"))
}

const clientColumn = "client_id"
