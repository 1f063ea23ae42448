package saved

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/saved/alert"
)

// Condition is checked after each run of a schedule.
type Condition struct {
	Kind   string  `json:"kind" enum:"rows,value,change,error" doc:"rows: how many the result has; value: the number in the first row; change: how many percent it differs from the run before; error: the query failed"`
	Column string  `json:"column,omitempty" maxLength:"200" doc:"whose value in the first row counts; default: the first one"`
	Is     string  `json:"is,omitempty" enum:">,>=,<,<=,=,!=" doc:"wanted of all kinds but error"`
	Than   float64 `json:"than,omitempty"`
}

// Kinds of conditions and their comparisons.
var (
	conditionKinds = []string{"rows", "value", "change", "error"}
	comparisons    = map[string]func(a, b float64) bool{
		">":  func(a, b float64) bool { return a > b },
		">=": func(a, b float64) bool { return a >= b },
		"<":  func(a, b float64) bool { return a < b },
		"<=": func(a, b float64) bool { return a <= b },
		"=":  func(a, b float64) bool { return a == b },
		"!=": func(a, b float64) bool { return a != b },
	}
)

func (c *Condition) check() error {
	switch {
	case c == nil:
		return nil
	case !slices.Contains(conditionKinds, c.Kind):
		return invalid("no condition of kind %.40q: want one of %s", c.Kind, strings.Join(conditionKinds, ", "))
	case c.Kind == "error":
		return nil
	case comparisons[c.Is] == nil:
		return invalid("a condition compares by >, >=, <, <=, = or !=")
	case math.IsNaN(c.Than) || math.IsInf(c.Than, 0):
		return invalid("a condition compares with a number")
	}
	return nil
}

// String returns the condition as text for people.
func (c *Condition) String() string {
	if c == nil {
		return ""
	}
	than := strconv.FormatFloat(c.Than, 'f', -1, 64)
	column := c.Column
	if column == "" {
		column = "the first value"
	}
	switch c.Kind {
	case "rows":
		return fmt.Sprintf("rows %s %s", c.Is, than)
	case "value":
		return fmt.Sprintf("%s %s %s", column, c.Is, than)
	case "change":
		return fmt.Sprintf("change of %s in percent %s %s", column, c.Is, than)
	}
	return "the query fails"
}

// Answer is the part of a query's result that conditions check.
type Answer struct {
	Query   string // id of the query that ran
	Columns []string
	First   []any // the first row; nil if there is none
	Rows    int64
	// Attachment has the rows for mails if the question wanted them; otherwise nil.
	Attachment *alert.Attachment
}

// value returns the number in the first row that the condition compares; nil if there is none.
func (c *Condition) value(a Answer) (*float64, error) {
	if c == nil || c.Kind != "value" && c.Kind != "change" || a.First == nil {
		return nil, nil
	}
	i := 0
	if c.Column != "" {
		if i = slices.Index(a.Columns, c.Column); i < 0 {
			return nil, fmt.Errorf("the result has no column %q", c.Column)
		}
	}
	if i >= len(a.First) {
		return nil, nil
	}
	return float(a.First[i])
}

// float converts a cell to a number; nil for null.
func float(cell any) (*float64, error) {
	var text string
	switch v := cell.(type) {
	case nil:
		return nil, nil
	case bool:
		text = map[bool]string{false: "0", true: "1"}[v]
	default: // numbers of all sizes; large ones and decimals come as text
		text = strings.TrimSpace(fmt.Sprint(v))
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("the value %.40q is no number", text)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("the value is %v", f)
	}
	return &f, nil
}

// holds reports whether the condition holds for an answer with the given value; before is the value of the previous
// run.
func (c *Condition) holds(a Answer, value, before *float64) bool {
	if c == nil {
		return true
	}
	is := comparisons[c.Is]
	switch c.Kind {
	case "rows":
		return is(float64(a.Rows), c.Than)
	case "value":
		return value != nil && is(*value, c.Than)
	case "change":
		return value != nil && before != nil && is(change(*before, *value), c.Than)
	}
	return false
}

// change returns the difference from before in percent.
func change(before, now float64) float64 {
	if before == now {
		return 0
	}
	if before == 0 {
		return math.Copysign(math.MaxFloat64, now) // more than any percentage
	}
	return (now - before) / math.Abs(before) * 100
}
