package retain

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// Plan lists data past its time, with the reason where it stays for now:
// days are removed only when they are complete, and when the tables that are made
// from them and kept for longer are published and current. It changes nothing.
func Plan(ctx context.Context, s *site.Site, now time.Time) ([]Item, error) {
	if !removes(s) {
		return nil, nil
	}
	view := s.Snapshot()
	o, err := etl.NewOutlook(ctx, view, now)
	if err != nil {
		return nil, err
	}
	p := &planner{outlook: o, data: view, real: &s.Data, keep: s.Keep, at: now}
	for _, t := range s.Tables {
		if err := p.tables(ctx, t); err != nil {
			return nil, err
		}
		if t.IsSnapshots() {
			if err := p.snapshots(ctx, t); err != nil {
				return nil, err
			}
		}
	}
	if err := p.archive(ctx, archive.KindPings, whatPings, s.Keep.Archive); err != nil {
		return nil, err
	}
	return p.items, p.archive(ctx, archive.KindErrors, whatErrors, s.Keep.Errors)
}

// planner finds what is past its time.
type planner struct {
	outlook *etl.Outlook
	data    *site.Data // as it is now
	real    *site.Data // what is removed from
	keep    site.Retention
	at      time.Time
	items   []Item
}

// isPast reports whether the retention of a table is over for a day. A table that is kept forever because it is made from
// all of its earlier partitions counts like the others: no data waits for its old days.
func (p *planner) isPast(t *schema.Table, day string) bool {
	days := p.keep.ForTable(t)
	if days == 0 && t.Earlier == t.Name {
		days = p.keep.Tables
	}
	return ping.Day(day) < site.FirstRetained(days, p.at)
}

// tables finds partitions, also of other versions of a table: nothing is made
// from those, so they wait for nothing.
func (p *planner) tables(ctx context.Context, t *schema.Table) error {
	before := site.FirstRetained(p.keep.ForTable(t), p.at)
	if before == "" {
		return nil
	}
	versions, err := p.data.TableOf(t).Versions(ctx)
	if err != nil {
		return err
	}
	for _, lt := range versions {
		old, err := lt.Before(ctx, string(before))
		if err := p.unreadable(ctx, t.Name, err); err != nil {
			return err
		}
		newest, err := p.goesOn(ctx, t, lt)
		if err != nil {
			return err
		}
		for _, o := range old {
			if o.Day == newest && !o.Cut {
				continue
			}
			item := Item{What: t.Name, Day: o.Day, Files: o.Files, Rows: o.Rows, Bytes: o.Bytes, table: p.real.TableOf(lt.Schema), partition: o}
			if o.Newer != nil { // which may need it for more tables
				item.Waits = o.Newer.Error() + ": expire it with that one"
			} else if lt.Schema.Version != t.Version {
				item.Version = lt.Schema.Version
			} else if !o.Cut {
				if item.Waits, err = p.tableWaits(ctx, t, o.Day); err != nil {
					return err
				}
			}
			p.items = append(p.items, item)
		}
	}
	return nil
}

// goesOn returns the day of the newest partition of a table if the next day is made from it, whatever its age; otherwise "".
func (p *planner) goesOn(ctx context.Context, t *schema.Table, lt *lake.Table) (string, error) {
	if !t.Chained() {
		return "", nil
	}
	return lt.Latest(ctx)
}

// unreadable keeps what cannot be read, and goes on with the rest.
func (p *planner) unreadable(ctx context.Context, what string, err error) error {
	if err != nil && ctx.Err() == nil {
		p.items = append(p.items, Item{What: what, Waits: site.OneLine(err.Error())})
		err = nil
	}
	return err
}

// tableWaits explains why a partition is still needed.
func (p *planner) tableWaits(ctx context.Context, t *schema.Table, day string) (string, error) {
	if complete, why := p.outlook.Complete(ping.Day(day)); !complete {
		return why, nil
	}
	if t.Chained() {
		if why, err := p.nextWaits(ctx, t, day); why != "" || err != nil {
			return why, err
		}
	}
	needed := false
	for _, d := range p.data.Tables {
		if !slices.Contains(d.Needs, t.Name) || d.IsSnapshots() || p.isPast(d, day) {
			continue
		}
		needed = true
		if why, err := p.outlook.Unfinished(ctx, d.Name, day); why != "" || err != nil {
			return why, err
		}
	}
	if !needed || t.IsSnapshots() {
		return "", nil
	}
	return p.outlook.Unfinished(ctx, t.Name, day)
}

// nextWaits explains why the partition of the next day, which continues a day's partition, is not finished.
func (p *planner) nextWaits(ctx context.Context, t *schema.Table, day string) (string, error) {
	days, err := p.data.TableOf(t).Days(ctx)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(days, func(d string) bool { return d > day }); i >= 0 {
		return p.outlook.Unfinished(ctx, t.Name, days[i])
	}
	return "", nil
}

// archive finds days of the archive.
func (p *planner) archive(ctx context.Context, k archive.Kind, what string, days int) error {
	before := site.FirstRetained(days, p.at)
	if before == "" {
		return nil
	}
	old, err := archive.DaysBefore(ctx, p.data.Archive, k, before)
	if err := p.unreadable(ctx, what, err); err != nil {
		return err
	}
	for _, d := range old {
		item := Item{What: what, Day: string(d.Day), Files: d.Files, Rows: d.Rows, Bytes: d.Bytes, day: d}
		if item.Waits, err = p.dayWaits(ctx, k, string(d.Day)); err != nil {
			return err
		}
		p.items = append(p.items, item)
	}
	return nil
}

// dayWaits explains why a day of the archive is still needed.
func (p *planner) dayWaits(ctx context.Context, k archive.Kind, day string) (string, error) {
	if complete, why := p.outlook.Complete(ping.Day(day)); !complete || k == archive.KindErrors {
		return why, nil
	}
	for _, t := range p.data.Tables {
		if t.IsSnapshots() || p.isPast(t, day) {
			continue
		}
		if why, err := p.outlook.Unfinished(ctx, t.Name, day); why != "" || err != nil {
			return why, err
		}
	}
	return "", nil
}

// recheck makes sure, with the partition locked, that an item is unchanged since it was
// planned.
func (i *Item) recheck(ctx context.Context) error {
	m, err := i.table.Partition(ctx, i.Day)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case m.Generation != i.partition.Generation:
		return errChanged
	}
	return nil
}

var errChanged = errors.New("it was published again meanwhile: it is looked at again")
