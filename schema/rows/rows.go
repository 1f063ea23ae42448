// Package rows selects rows of a table by values of its columns.
package rows

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// Selection selects the rows of a table where a column has one of some values. A row without a value is not selected.
type Selection struct {
	Column string   `json:"column"`
	Values []string `json:"values" minItems:"1" maxItems:"1000" doc:"in the form that a cast to a text gives"`
}

// Parse parses a selection such as country=DE|AT.
func Parse(text string) (c Selection, err error) {
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

// String returns the selection in the form that Parse reads.
func (c Selection) String() string { return c.Column + "=" + strings.Join(c.Values, "|") }

// Text describes selections that hold together, on one line.
func Text(all []Selection) string {
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = c.Column + " " + strings.Join(c.Values, " or ")
	}
	return strings.Join(texts, " and ")
}

// Add returns selections, ordered by column, with others added. Values of one column add up. Neither list is changed.
func Add(all, others []Selection) []Selection {
	all = slices.Clone(all)
	for _, c := range others {
		i, found := slices.BinarySearchFunc(all, c.Column, func(c Selection, column string) int { return strings.Compare(c.Column, column) })
		if !found {
			all = slices.Insert(all, i, Selection{Column: c.Column})
		}
		values := slices.Concat(all[i].Values, c.Values)
		slices.Sort(values)
		all[i].Values = slices.Compact(values)
	}
	return all
}

// Same reports whether two ordered lists select the same rows.
func Same(a, b []Selection) bool {
	return slices.EqualFunc(a, b, func(a, b Selection) bool { return a.Column == b.Column && slices.Equal(a.Values, b.Values) })
}

// Check returns an error if a table has no such column, or one whose values are no single texts, numbers or truths.
func (c Selection) Check(t *schema.Table) error {
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
