package schema

import (
	"fmt"
	"slices"
	"strings"
)

// RowCondition limits the rows of a table: those where a column has one of some values. A row without a value does not meet it.
type RowCondition struct {
	Column string   `json:"column"`
	Values []string `json:"values" minItems:"1" maxItems:"1000" doc:"in the form that a cast to a text gives"`
}

// ParseRowCondition parses a condition such as country=DE|AT.
func ParseRowCondition(text string) (c RowCondition, err error) {
	column, values, ok := strings.Cut(text, "=")
	c.Column = strings.TrimSpace(column)
	if !ok || c.Column == "" {
		return c, fmt.Errorf("want a condition such as country=DE|AT, not %q", text)
	}
	for v := range strings.SplitSeq(values, "|") {
		c.Values = append(c.Values, strings.TrimSpace(v))
	}
	slices.Sort(c.Values)
	c.Values = slices.Compact(c.Values)
	return c, nil
}

// String returns the condition in the form that ParseRowCondition reads.
func (c RowCondition) String() string { return c.Column + "=" + strings.Join(c.Values, "|") }

// ConditionsText describes conditions on one line.
func ConditionsText(all []RowCondition) string {
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = c.Column + " " + strings.Join(c.Values, " or ")
	}
	return strings.Join(texts, " and ")
}

// AddConditions returns conditions, ordered by column, with others added. Values of one column add up. Neither list is changed.
func AddConditions(all, others []RowCondition) []RowCondition {
	all = slices.Clone(all)
	for _, c := range others {
		i, found := slices.BinarySearchFunc(all, c.Column, func(c RowCondition, column string) int { return strings.Compare(c.Column, column) })
		if !found {
			all = slices.Insert(all, i, RowCondition{Column: c.Column})
		}
		values := slices.Concat(all[i].Values, c.Values)
		slices.Sort(values)
		all[i].Values = slices.Compact(values)
	}
	return all
}

// SameConditions reports whether two ordered lists are of the same rows.
func SameConditions(a, b []RowCondition) bool {
	return slices.EqualFunc(a, b, func(a, b RowCondition) bool { return a.Column == b.Column && slices.Equal(a.Values, b.Values) })
}

// Check returns an error if a table has no such column, or one whose values are no single texts, numbers or truths.
func (c RowCondition) Check(t *Table) error {
	i := t.Index(c.Column)
	switch {
	case i < 0 && !slices.Contains(t.PartitionKeys, c.Column):
		return fmt.Errorf("table %s has no column %q", t.Name, c.Column)
	case i >= 0 && !t.Columns[i].Type.Kind.Scalar():
		return fmt.Errorf("column %s of table %s has no single values: rows cannot be granted by it", c.Column, t.Name)
	case len(c.Values) == 0:
		return fmt.Errorf("the condition on column %s of table %s has no values", c.Column, t.Name)
	}
	return nil
}
