package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// partDays returns the days that a snapshot covers and that have pings, in the archive or in a partition of the table that it
// is made from.
func partDays(ctx context.Context, d *site.Data, t *schema.Table, day string) ([]string, error) {
	lt, err := d.Table(t.Needs[0])
	if err != nil {
		return nil, err
	}
	days, err := lt.Days(ctx)
	if err != nil {
		return nil, err
	}
	known, err := archive.KnownDays(ctx, d.Archive, archive.KindPings)
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		days = append(days, string(k))
	}
	first := t.Snapshots.First(day)
	days = slices.DeleteFunc(days, func(d string) bool { return d < first || d > day })
	slices.Sort(days)
	return slices.Compact(days), nil
}

// windowUnits adds, for snapshots among the units, the partitions that they are made from. It removes the partition of
// the last day if the day has no pings, unless its table was requested.
func windowUnits(ctx context.Context, d *site.Data, units []job.Unit, tables []string) ([]job.Unit, error) {
	has := map[job.Unit]bool{}
	for _, u := range units {
		has[u] = true
	}
	var added []job.Unit
	for _, u := range units {
		t, err := schema.Find(d.Tables, u.Table)
		if err != nil || !t.IsSnapshots() {
			continue
		}
		days, err := partDays(ctx, d, t, u.Day)
		if err != nil {
			return nil, err
		}
		if need := t.Needs[0]; !slices.Contains(days, u.Day) && !slices.Contains(tables, need) {
			units = slices.DeleteFunc(slices.Clone(units), func(p job.Unit) bool { return p == job.Unit{Table: need, Day: u.Day} })
		}
		for _, day := range days {
			if p := (job.Unit{Table: t.Needs[0], Day: day}); !has[p] {
				has[p] = true
				added = append(added, p)
			}
		}
	}
	return append(added, units...), nil
}

// partInput returns the name of a day of a table as the input of a snapshot.
func partInput(table, day string) string { return table + " " + day }

// snapshotParts is the number of bytes of input files of a task of a snapshot.
const snapshotParts = 16 << 20

// snapshotSource returns the source of a snapshot.
func (s *steps) snapshotSource(ctx context.Context, t *schema.Table, day string) (src source, err error) {
	if s.samples != nil {
		src.missing = t.Name + " is made of all its samples at once"
		return src, nil
	}
	days, err := partDays(ctx, s.data, t, day)
	if err != nil {
		return src, err
	}
	need := t.Needs[0]
	lt, err := s.data.Table(need)
	if err != nil {
		return src, err
	}
	var bytes int64
	for _, d := range days {
		m, err := lt.Partition(ctx, d)
		if errors.Is(err, fs.ErrNotExist) {
			types, err := archive.DocTypes(ctx, s.data.Archive, ping.Day(d))
			if err != nil {
				return src, err
			}
			if len(types) > 0 {
				src.missing = partInput(need, d) + " is not published"
				return src, nil
			}
			continue
		}
		if lake.Unusable(err) {
			src.missing = partInput(need, d) + " is damaged"
			return src, nil
		}
		if err != nil {
			return src, err
		}
		src.inputs = append(src.inputs, job.Input{Name: partInput(need, d), Generation: m.Generation})
		src.rows += m.Rows
		bytes += m.Bytes
	}
	if len(src.inputs) == 0 {
		src.missing = fmt.Sprintf("there are no pings from %s to %s: load them first", t.Snapshots.First(day), day)
		return src, nil
	}
	src.divide(bytes, snapshotParts)
	return src, nil
}

// snapshotMoves finds the inputs of a snapshot that were rewritten without rows and are otherwise those that it was made from,
// with their generations before and after.
func snapshotMoves(ctx context.Context, d *site.Data, t *schema.Table, base *lake.Manifest) (map[string][2]string, error) {
	lt, err := d.Table(t.Needs[0])
	if err != nil {
		return nil, err
	}
	moved := map[string][2]string{}
	for _, in := range base.Inputs {
		_, day, _ := strings.Cut(in.Name, " ")
		m, err := lt.Partition(ctx, day)
		if errors.Is(err, fs.ErrNotExist) || lake.Unusable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if m.Rewritten == in.Generation {
			moved[in.Name] = [2]string{in.Generation, m.Generation}
		}
	}
	return moved, nil
}
