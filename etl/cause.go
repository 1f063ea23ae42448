package etl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// transformChange is what a version of the transforms does in another way than the one before.
type transformChange struct {
	what    string
	columns bool // only those that schema.Table.Changed names are others
}

// transformChanges are those of the versions from 2 on.
var transformChanges = map[int]transformChange{
	2: {"pings of other namespaces have no rows", false},
	3: {"odd dates, Flash versions and counts are read as the original code does", true},
}

// codeCauses says by what the program would make parts of a partition in another way: the version of the transforms, the
// columns, or something else. The name of a part's work is a hash, so it is compared with what earlier programs would have named it.
func (s *steps) codeCauses(ctx context.Context, a *assessment) (why []string) {
	now := lake.Fingerprint(a.table.Fixed())
	prints := []string{now}
	var had []schema.Column
	if len(a.base.Files) > 0 && a.base.Columns != lake.Fingerprint(a.table.Columns) {
		had, _ = publishedColumns(ctx, s.data.TableOf(a.table), a.base) // else the cause is not known so well
		prints = append(prints, lake.Fingerprint(fixedOf(a.table, had)))
	}
	version, print := s.madeBy(a, prints)
	if version > 0 && version < transformVersion {
		why = append(why, fmt.Sprintf("made by version %d of the transforms, this program has %d: %s", version, transformVersion, changesSince(version, a.table)))
	}
	if print != now && had != nil {
		if changed := columnChanges(had, a.table); changed != "" {
			why = append(why, "its columns are others: "+changed)
		}
	}
	if len(why) == 0 {
		why = append(why, "made for other applications, with other settings of files or by another version of the program")
	}
	return why
}

// madeBy finds the version of the transforms, and the columns that are not of probes, that explain the work of all parts; 0: none does.
func (s *steps) madeBy(a *assessment, prints []string) (version int, print string) {
	for v := transformVersion; v > 0; v-- {
		for _, print := range prints {
			work := s.workWith(a.table, v, print, a.source.inputs)
			if slices.IndexFunc(a.base.Parts, func(p lake.Part) bool { return p.Work != work && p.Work != a.work }) < 0 {
				return v, print
			}
		}
	}
	return 0, prints[len(prints)-1]
}

// fixedOf are the columns of a published partition that are not of the present probes.
func fixedOf(t *schema.Table, had []schema.Column) (fixed []schema.Column) {
	for _, c := range had {
		if !slices.ContainsFunc(t.Columns, func(p schema.Column) bool { return p.Probe && p.Name == c.Name }) {
			fixed = append(fixed, c)
		}
	}
	for _, key := range t.Columns { // files lack the keys of partitions
		if slices.Contains(t.PartitionKeys, key.Name) && !slices.ContainsFunc(had, func(c schema.Column) bool { return c.Name == key.Name }) {
			fixed = append(fixed, key)
		}
	}
	return fixed
}

func columnChanges(had []schema.Column, t *schema.Table) string {
	var all []string
	for _, c := range schema.Diff(fixedOf(t, had), t.Fixed()) {
		if c.Kind != schema.Remade { // files do not say how values come about
			all = append(all, strings.TrimSpace(c.String()))
		}
	}
	return strings.Join(all, ", ")
}

// changesSince says what versions of the transforms after one have changed in a table.
func changesSince(version int, t *schema.Table) string {
	var all []string
	for v := version + 1; v <= transformVersion; v++ {
		text := transformChanges[v].what
		switch columns := t.Changed[v]; {
		case len(columns) > 0:
			text += " (" + strings.Join(columns, ", ") + ")"
		case transformChanges[v].columns:
			text += " (none of the columns here)"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}
