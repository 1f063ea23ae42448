package retain

import (
	"context"
	"slices"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// removes reports whether anything is removed by its age: by a retention, or because newer snapshots replace it.
func removes(s *site.Site) bool {
	return s.Keep.Any() || slices.ContainsFunc(s.Tables, (*schema.Table).IsSnapshots)
}

// snapshots finds the snapshots of a table beyond the number that is kept, and the days of the table that they are made from
// that no kept snapshot covers.
func (p *planner) snapshots(ctx context.Context, t *schema.Table) error {
	all, err := p.data.TableOf(t).Partitions(ctx)
	if err := p.unreadable(ctx, t.Name, err); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	newest := all[max(0, len(all)-max(1, t.Snapshots.Keep)):]
	for _, m := range all[:len(all)-len(newest)] {
		p.outdated(t, m)
	}
	first := t.Snapshots.First(newest[0].Day)
	for _, need := range t.Needs {
		lt, err := p.data.Table(need)
		if err != nil {
			return err
		}
		parts, err := lt.Partitions(ctx)
		if err := p.unreadable(ctx, need, err); err != nil {
			return err
		}
		for _, m := range parts {
			if m.Day < first {
				p.outdated(lt.Schema, m)
			}
		}
	}
	return nil
}

// outdated adds a partition, unless it is there already because its retention is over.
func (p *planner) outdated(t *schema.Table, m *lake.Manifest) {
	has := func(i Item) bool { return i.What == t.Name && i.Day == m.Day }
	if slices.ContainsFunc(p.items, has) || m.ByNewer(t) {
		return
	}
	old := lake.OldPartition{Day: m.Day, Generation: m.Generation, Files: len(m.All()), Rows: m.Rows, Bytes: lake.SizeOf(m.All())}
	p.items = append(p.items, Item{
		What: t.Name, Day: m.Day, Files: old.Files, Rows: old.Rows, Bytes: old.Bytes, table: p.real.TableOf(t), partition: old,
	})
}
