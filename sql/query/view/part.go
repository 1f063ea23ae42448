package view

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Part has the files of a view whose paths have values of the same partition keys. The other keys are columns in the
// files.
type Part struct {
	View // with these files alone

	Tag  string            // file that matches a scan in a plan to the part; "": none
	Twin map[string]string // maps a file to the one with its narrow columns
	Own  bool              // all partition keys are read from the files
}

// Parts groups the files of the view. If tag is not "", each part gets a tag of its own, derived from tag.
func (v View) Parts(tag string) (all []*Part) {
	base, narrow := v.Base(), map[string]string{}
	for _, f := range v.Files[len(base):] {
		narrow[filepath.Dir(f)] = f
	}
	byKeys := map[int]*Part{}
	for _, f := range base {
		keys := 0
		for _, key := range v.PartitionKeys {
			if strings.Contains(f, "/"+key+"=") {
				keys++
			}
		}
		p := byKeys[keys]
		if p == nil {
			p = &Part{View: v, Tag: tag, Twin: map[string]string{}, Own: keys > 0 && keys < len(v.PartitionKeys)}
			if p.Files, p.Narrow = nil, 0; tag != "" && len(all) > 0 {
				p.Tag = fmt.Sprint(tag, " ", len(all))
			}
			byKeys[keys], all = p, append(all, p)
		}
		p.Files = append(p.Files, f)
		if twin, ok := narrow[filepath.Dir(f)]; ok {
			p.Twin[f], p.Own = twin, true
		}
	}
	return all
}

// Base returns the files of the view that have all columns.
func (v View) Base() []string { return v.Files[:len(v.Files)-v.Narrow] }

// Narrowly reports whether the narrow files have all of the columns, and those of conditions on rows.
func (v View) Narrowly(columns []string) bool {
	lacks := func(c string) bool { return !slices.Contains(v.NarrowColumns, c) }
	return columns != nil && !slices.ContainsFunc(columns, lacks) &&
		!slices.ContainsFunc(v.Rows, func(c Condition) bool {
			return lacks(c.Column.Name) && !slices.Contains(v.PartitionKeys, c.Column.Name)
		})
}

// Reading returns a SELECT of the part's rows. Its first condition excludes the tag.
func (p *Part) Reading(hiding bool, read []string) string {
	sql := p.selection(p.Tag, read)
	var conditions []string
	if p.Tag != "" {
		conditions = append(conditions, "filename <> "+QuoteText(p.Tag))
	}
	if hiding {
		conditions = append(conditions, p.shown()...)
	}
	if len(p.Rows) > 0 {
		conditions = append(conditions, p.granted(p.locate())...)
	}
	if len(conditions) > 0 {
		sql += " WHERE " + strings.Join(conditions, " AND ")
	}
	return sql
}

// Together returns the statement that creates the view from several selections.
func (v View) Together(create string, selections []string) string {
	if len(selections) == 0 {
		selections = []string{v.empty()}
	}
	return create + " " + QuoteName(v.Name) + " AS " + strings.Join(selections, " UNION ALL ")
}

// Read returns the files of the part that are in files, in the view's order.
func (p *Part) Read(files map[string]bool, narrow bool) (all []string) {
	for _, f := range p.Files {
		if !files[f] {
			continue
		}
		if twin, ok := p.Twin[f]; ok && narrow {
			f = twin
		}
		all = append(all, f)
	}
	return all
}
