package etl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// codeCauses explains why this program would make parts of a partition differently: another version of the
// transforms, other columns, or something else. The name of a part's work is a hash, so codeCauses compares
// it with the names that earlier programs would have computed.
func (s *steps) codeCauses(ctx context.Context, a *assessment) (why []string) {
	now := lake.Fingerprint(a.table.Fixed())
	prints := []string{now}
	var had []schema.Column
	if len(a.base.Files) > 0 && a.base.Columns != lake.Fingerprint(a.table.Columns) {
		had, _ = publishedColumns(ctx, s.data.TableOf(a.table), a.base) // if this fails, the cause is less precise
		prints = append(prints, lake.Fingerprint(fixedOf(a.table, had)))
	}
	version, print := s.madeBy(a, prints)
	if present := a.table.Transforms(); version > 0 && version < present {
		why = append(why, fmt.Sprintf("made by version %d of the transforms, this program has %d: %s", version, present,
			a.table.ChangesSince(version)))
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

// madeBy finds the version of the transforms and the fingerprint of the columns, without probes, that explain
// the work of all parts. It returns version 0 if none does.
func (s *steps) madeBy(a *assessment, prints []string) (version int, print string) {
	for v := a.table.Transforms(); v > 0; v-- {
		for _, print := range prints {
			work := s.workWith(a.table, v, print, a.source.inputs)
			if slices.IndexFunc(a.base.Parts, func(p lake.Part) bool { return p.Work != work && p.Work != a.work }) < 0 {
				return v, print
			}
		}
	}
	return 0, prints[len(prints)-1]
}

// fixedOf returns the columns of a published partition that do not belong to the present probes.
func fixedOf(t *schema.Table, had []schema.Column) (fixed []schema.Column) {
	for _, c := range had {
		if !slices.ContainsFunc(t.Columns, func(p schema.Column) bool { return p.Probe && p.Name == c.Name }) {
			fixed = append(fixed, c)
		}
	}
	for _, key := range t.Columns { // files do not contain the partition keys
		if slices.Contains(t.PartitionKeys, key.Name) && !slices.ContainsFunc(had, func(c schema.Column) bool { return c.Name == key.Name }) {
			fixed = append(fixed, key)
		}
	}
	return fixed
}

func columnChanges(had []schema.Column, t *schema.Table) string {
	var all []string
	for _, c := range schema.Diff(fixedOf(t, had), t.Fixed()) {
		if c.Kind != schema.Remade { // files do not record how values are computed
			all = append(all, strings.TrimSpace(c.String()))
		}
	}
	return strings.Join(all, ", ")
}
