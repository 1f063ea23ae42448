package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
)

// ParseGrants parses grants: a table, a column as table.column, some rows as table:column=value|value, or * for every table that
// is not restricted. The error says which condition on rows cannot be parsed.
func ParseGrants(texts []string) (grants []Grant, err error) {
	var limits []Grant
	for _, text := range texts {
		if table, condition, is := strings.Cut(text, ":"); is {
			c, err := rows.Parse(condition)
			if err != nil {
				return nil, invalid(fmt.Sprintf("grant %q: %v", text, err))
			}
			limits = append(limits, Grant{Table: table, Rows: []rows.Selection{c}})
			continue
		}
		table, column, one := strings.Cut(text, ".")
		i := slices.IndexFunc(grants, func(g Grant) bool { return g.Table == table && (g.Columns != nil) == one })
		if i < 0 {
			grants, i = append(grants, Grant{Table: table}), len(grants)
		}
		if one && !slices.Contains(grants[i].Columns, column) {
			grants[i].Columns = append(grants[i].Columns, column)
		}
	}
	for _, l := range limits { // of a grant that there is, or of all columns
		i := slices.IndexFunc(grants, func(g Grant) bool { return g.Table == l.Table })
		if i < 0 {
			grants = append(grants, l)
			continue
		}
		grants[i].Rows = rows.Add(grants[i].Rows, l.Rows)
	}
	return grants, nil
}

// Texts returns the grant in the form that ParseGrants reads.
func (g Grant) Texts() (texts []string) {
	for _, c := range g.Columns {
		texts = append(texts, g.Table+"."+c)
	}
	if g.Columns == nil && len(g.Rows) == 0 {
		texts = []string{g.Table}
	}
	for _, c := range g.Rows {
		texts = append(texts, g.Table+":"+c.String())
	}
	return texts
}

// CheckGrants returns an error if a grant names a table or column that does not exist.
func CheckGrants(tables []*schema.Table, grants []Grant) error {
	var bad []error
	for _, g := range grants {
		if g.Table == AllTables {
			if len(g.Rows) > 0 {
				bad = append(bad, errors.New("a condition on rows is for one table, not for *"))
			}
			continue
		}
		t, err := schema.Find(tables, g.Table)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		for _, c := range g.Columns {
			if t.Index(c) < 0 && !slices.Contains(t.PartitionKeys, c) {
				bad = append(bad, fmt.Errorf("table %s has no column %q", t.Name, c))
			}
		}
		for _, c := range g.Rows {
			bad = append(bad, c.Check(t))
		}
	}
	if err := errors.Join(bad...); err != nil {
		return invalid(err.Error())
	}
	return nil
}

// GrantsText formats grants on one line.
func GrantsText(grants []Grant) string {
	var texts []string
	for _, g := range grants {
		texts = append(texts, g.Texts()...)
	}
	return wordsOr(texts, "none")
}

// RightsText formats rights on one line.
func RightsText(rights []Right) string {
	texts := make([]string, len(rights))
	for i, r := range rights {
		texts[i] = string(r)
	}
	return wordsOr(texts, "none")
}

func wordsOr(words []string, none string) string {
	if len(words) == 0 {
		return none
	}
	return strings.Join(words, ", ")
}
