package glean

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/metric"
)

// Event is the metric type that makes no column of its own: events are in the column events, and in events_stream.
const Event = "event"

// Rules of columns, beside those of package schema. The pings of a client are in the order (submission_timestamp,
// document_id).
const (
	RuleJSON       schema.Rule = "json"                 // the text of the JSON value without blanks
	RuleRaw        schema.Rule = "raw"                  // the text of a time as it was sent, beside the time itself
	RuleMode       schema.Rule = "most frequent"        // known value; of equally frequent ones the one that is there last
	RuleModeFirst  schema.Rule = "most frequent, first" // the same of the list backwards
	RuleFirstPing  schema.Rule = "of the first ping"    // null if it has none
	RuleLastPing   schema.Rule = "of the last ping"     // null if it has none
	RuleFirstKnown schema.Rule = "first known"          // first value that is not null
	RuleLastKnown  schema.Rule = "last known"           // last value that is not null
	RuleSumOfDay   schema.Rule = "sum of the day"       // missing values count 0
)

// Types of columns that several metric types have.
const (
	distribution = "struct<sum:long,values:map<string,long>>"
	rate         = "struct<denominator:long,numerator:long>"
)

// columnTypes maps the metric types to the types of their columns.
var columnTypes = map[string]schema.Type{
	"boolean":                     schema.MustType("boolean"),
	"counter":                     schema.MustType("long"),
	"quantity":                    schema.MustType("long"),
	"string":                      schema.MustType("string"),
	"text":                        schema.MustType("string"),
	"url":                         schema.MustType("string"),
	"uuid":                        schema.MustType("string"),
	"jwe":                         schema.MustType("string"),
	"string_list":                 schema.MustType("array<string>"),
	"datetime":                    schema.MustType("timestamp"),
	"timespan":                    schema.MustType("struct<time_unit:string,value:long>"),
	"timing_distribution":         schema.MustType(distribution),
	"memory_distribution":         schema.MustType(distribution),
	"custom_distribution":         schema.MustType(distribution),
	"rate":                        schema.MustType(rate),
	"object":                      schema.MustType("string"),
	"labeled_boolean":             schema.MustType("map<string,boolean>"),
	"labeled_counter":             schema.MustType("map<string,long>"),
	"labeled_quantity":            schema.MustType("map<string,long>"),
	"labeled_string":              schema.MustType("map<string,string>"),
	"labeled_timing_distribution": schema.MustType("map<string," + distribution + ">"),
	"labeled_memory_distribution": schema.MustType("map<string," + distribution + ">"),
	"labeled_custom_distribution": schema.MustType("map<string," + distribution + ">"),
	"labeled_rate":                schema.MustType("map<string," + rate + ">"),
	"dual_labeled_counter":        schema.MustType("map<string,map<string,long>>"),
}

// Metric is the definition of a metric of one type. A metric whose type changed is one Metric for each type.
type Metric struct {
	ID          string            `json:"id,omitempty"` // category.name; "": only the column is known
	Column      string            `json:"column,omitempty"`
	Type        string            `json:"type"`
	Description string            `json:"description,omitempty"`
	Pings       []string          `json:"pings"`           // sorted; allPings stands for every ping of the application
	Extra       map[string]string `json:"extra,omitempty"` // of events: the types of extra keys, with a blank between several
	Expires     string            `json:"expires,omitempty"`
	Since       string            `json:"since,omitempty"` // of stored definitions: the day they got the metric, YYYY-MM-DD

	from string // the file of the definition
}

// allPings in the pings of a metric means all pings of the application.
const allPings = "all-pings"

// column returns the name of the metric's column.
func (m *Metric) column() string {
	if m.Column != "" {
		return m.Column
	}
	return ColumnName(m.ID)
}

// name returns the metric's id, or its column if that is all that is known.
func (m *Metric) name() string { return cmp.Or(m.ID, m.Column) }

// in reports whether a ping has the metric.
func (m *Metric) in(ping string) bool {
	return slices.Contains(m.Pings, ping) || slices.Contains(m.Pings, allPings)
}

// entry returns the definition as columns have it.
func (m *Metric) entry() *metric.Definition {
	return &metric.Definition{ID: m.ID, Type: m.Type, Description: oneLine(m.Description), Expires: m.Expires, Pings: m.Pings, Extra: m.Extra}
}

// Ping is the definition of a ping.
type Ping struct {
	Name        string            `json:"name"`
	Description string            `json:"description,omitempty"`
	ClientID    bool              `json:"client_id"`     // the table has the column: include_client_id of any version
	InfoSection bool              `json:"info_sections"` // the table has the columns: include_info_sections of any version
	Reasons     map[string]string `json:"reasons,omitempty"`
	Since       string            `json:"since,omitempty"` // of stored definitions: the day they got the ping, YYYY-MM-DD

	// WithInfo and WithoutInfo report whether versions of the definitions have info sections. Neither is set if no file
	// defines the ping, such as one that only metrics name.
	WithInfo    bool `json:"with_info,omitempty"`
	WithoutInfo bool `json:"without_info,omitempty"`

	Generic bool `json:"generic,omitempty"` // nothing is known of the ping: its table has no metrics and events
}

// defined reports whether a file defines the ping.
func (p *Ping) defined() bool { return p.WithInfo || p.WithoutInfo }

// deletes reports whether the pings are requests for deletion, which no table has.
func (p *Ping) deletes() bool { return strings.HasSuffix(p.Name, "deletion-request") }
