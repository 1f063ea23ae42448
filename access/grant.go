package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// ParseGrants parses grants: a table, a column as table.column, or * for every table that is not restricted.
func ParseGrants(texts []string) (grants []Grant) {
	for _, text := range texts {
		table, column, one := strings.Cut(text, ".")
		i := slices.IndexFunc(grants, func(g Grant) bool { return g.Table == table && (g.Columns != nil) == one })
		if i < 0 {
			grants, i = append(grants, Grant{Table: table}), len(grants)
		}
		if one && !slices.Contains(grants[i].Columns, column) {
			grants[i].Columns = append(grants[i].Columns, column)
		}
	}
	return grants
}

// Texts returns the grant in the form that ParseGrants reads.
func (g Grant) Texts() (texts []string) {
	for _, c := range g.Columns {
		texts = append(texts, g.Table+"."+c)
	}
	if g.Columns == nil {
		texts = []string{g.Table}
	}
	return texts
}

// CheckGrants returns an error if a grant names a table or column that does not exist.
func CheckGrants(tables []*schema.Table, grants []Grant) error {
	var bad []error
	for _, g := range grants {
		if g.Table == AllTables {
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
	}
	if len(bad) > 0 {
		return invalid(errors.Join(bad...).Error())
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
