package access

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pingmill/pingmill/schema"
)

// Visible returns the tables that a person may know of, with the readable columns and the partition keys. Texts that
// name a hidden table or column are removed.
func (p *Person) Visible(tables []*schema.Table) (all []*schema.Table) {
	tables = slices.DeleteFunc(slices.Clone(tables), (*schema.Table).Internal)
	hidden, shown := map[string]bool{}, map[string]bool{}
	for _, t := range tables {
		knows := p.Knows(t)
		mark(hidden, shown, knows, t.Name)
		for _, c := range t.Columns {
			mark(hidden, shown, knows && p.readsColumn(t, c.Name), c.Name)
		}
	}
	for name := range shown {
		delete(hidden, name)
	}
	for _, t := range tables {
		if p.Knows(t) {
			all = append(all, p.table(t, hidden, tables))
		}
	}
	return all
}

// mark adds a name to shown or hidden. Names of letters only are never hidden, because they may be ordinary words in
// other texts.
func mark(hidden, shown map[string]bool, may bool, name string) {
	switch {
	case may:
		shown[name] = true
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }):
		hidden[name] = true
	}
}

// readsColumn reports whether a person may read a column, or see its definition to grant it. Partition keys are part
// of every grant.
func (p *Person) readsColumn(t *schema.Table, column string) bool {
	columns, _ := p.Reads(t)
	return columns == nil || slices.Contains(columns, column) || slices.Contains(t.PartitionKeys, column)
}

// table returns a table as a person sees it.
func (p *Person) table(t *schema.Table, hidden map[string]bool, tables []*schema.Table) *schema.Table {
	own := *t
	own.Columns = nil
	names := func(text string) bool {
		return slices.ContainsFunc(words(text), func(w string) bool { return hidden[w] })
	}
	for _, c := range t.Columns {
		if p.readsColumn(t, c.Name) {
			own.Columns = append(own.Columns, c)
		}
	}
	if len(own.Columns) < len(t.Columns) { // in the table's texts, all its hidden columns count, also ordinary words
		plain := names
		names = func(text string) bool {
			return plain(text) || slices.ContainsFunc(words(text), func(w string) bool { return t.Index(w) >= 0 && !p.readsColumn(t, w) })
		}
	}
	clear := func(text *string) {
		if names(*text) {
			*text = ""
		}
	}
	for _, text := range []*string{&own.Doc, &own.Grain, &own.Refresh, &own.Use} {
		clear(text)
	}
	own.Notes = slices.DeleteFunc(slices.Clone(t.Notes), names)
	own.Checks = slices.DeleteFunc(slices.Clone(t.Checks), func(c schema.Check) bool { return names(c.Rule) })
	for i := range own.Columns {
		c := &own.Columns[i]
		clear(&c.Doc)
		if names(c.Source) || p.madeOfHidden(t, c, tables) {
			c.Source, c.Arg = "", ""
		}
	}
	return &own
}

// madeOfHidden reports whether a column is computed from columns that a person may not read.
func (p *Person) madeOfHidden(t *schema.Table, c *schema.Column, tables []*schema.Table) bool {
	for _, from := range tables {
		if !slices.Contains(t.Needs, from.Name) {
			continue
		}
		for name := range strings.SplitSeq(c.Source, ",") {
			if name = strings.TrimSpace(name); from.Index(name) >= 0 && !(p.Knows(from) && p.readsColumn(from, name)) {
				return true
			}
		}
	}
	return false
}

// words splits a text into words. Characters of column names are part of a word.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
}
