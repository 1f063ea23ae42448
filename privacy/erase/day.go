package erase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// allDays returns the days that have anything, "" for rejected submissions of none.
func allDays(ctx context.Context, data *site.Data) ([]string, error) {
	days := map[string]bool{}
	for _, k := range []archive.Kind{archive.KindPings, archive.KindErrors} {
		known, err := archive.KnownDays(ctx, data.Archive, k)
		if err != nil {
			return nil, err
		}
		for _, d := range known {
			days[string(d)] = true
		}
	}
	tables, err := data.Versions(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		all, err := t.Partitions(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			days[m.Day] = true
		}
	}
	return slices.Sorted(maps.Keys(days)), nil
}

// day removes the rows of a day, from the archive first. Tables that also need earlier days are left for later if these are not all
// done.
func (c *removal) day(ctx context.Context, p *forget.Piece) error {
	moved, err := c.archiveDay(ctx, p)
	if archive.IsDamage(err) { // keep removing rows from the files that are readable
		c.o.Log.Error("removing the rows of forgotten clients: a day of the archive is damaged", "day", p.Day, "error", err)
		p.Damaged, err = append(p.Damaged, site.OneLine(err.Error())), nil
	}
	if err != nil || p.Day == "" {
		return err
	}
	tables, err := c.data.Versions(ctx)
	if err != nil {
		return err
	}
	late := needEarlierDays(c.data.Tables)
	ready := c.done.Ready(c.cycle, p.Day)
	for _, t := range tables {
		if late[t.Schema.Name] && !ready {
			p.Left = append(p.Left, versionOf(t))
			continue
		}
		if err := c.table(ctx, t, p, moved); err != nil {
			return err
		}
	}
	if p.Left != nil {
		p.Moved = moved
	}
	return nil
}

// lateDay removes the rows of a day from the tables that were left.
func (c *removal) lateDay(ctx context.Context, p *forget.Piece) error {
	day := c.done.Find(p.Day, false)
	moved := moves(maps.Clone(day.Moved))
	if moved == nil {
		moved = moves{}
	}
	tables, err := c.data.Versions(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if !slices.Contains(day.Left, versionOf(t)) {
			continue
		}
		if err := c.table(ctx, t, p, moved); err != nil {
			return err
		}
	}
	return nil
}

func versionOf(t *lake.Table) string { return t.Schema.Name + "/" + t.Schema.Version }

// needEarlierDays returns the tables whose rows also depend on earlier days, or on such tables.
func needEarlierDays(tables []*schema.Table) map[string]bool {
	late := map[string]bool{}
	for _, t := range tables { // each after its inputs
		late[t.Name] = t.Chained() || t.IsSnapshots() || slices.ContainsFunc(t.Needs, func(name string) bool { return late[name] })
	}
	return late
}

// moves are the generations that inputs of tables had before rows were removed,
// and those that they have now, by the input's name.
type moves map[string][2]string

// archiveDay removes a day's rows from the archive.
func (c *removal) archiveDay(ctx context.Context, p *forget.Piece) (moves, error) {
	moved := moves{}
	day := ping.Day(p.Day)
	changed := func(table string, r archive.Rewritten) {
		if r.Rows > 0 {
			p.Changes = append(p.Changes, forget.Change{Table: table, Day: p.Day, Rows: r.Rows, Files: r.Files})
		}
	}
	var damaged []error
	if day != "" {
		types, err := archive.DocTypes(ctx, c.data.Archive, day)
		if archive.IsDamage(err) {
			damaged, err = append(damaged, err), nil
		}
		if err != nil {
			return nil, err
		}
		for _, t := range types {
			if err := c.confirm(ctx, c.own); err != nil {
				return nil, err
			}
			r, err := archive.RewriteDay(ctx, c.data.Archive, day, t, c.dropPings(day, t))
			if archive.IsDamage(err) {
				damaged = append(damaged, err)
				continue
			}
			if err != nil {
				return nil, err
			}
			moved[naming.Source(string(t))] = [2]string{r.Before, r.After}
			changed("archive/"+string(t), r)
		}
	}
	if err := c.confirm(ctx, c.own); err != nil {
		return nil, err
	}
	r, err := archive.RewriteErrors(ctx, c.data.Archive, day, c.dropRejected(ctx, day))
	if err == nil {
		changed("errors", r)
	}
	return moved, errors.Join(append(damaged, err)...)
}

// table removes a day's rows from a table. A partition that was made from
// inputs that have lost no other rows is as current as before.
func (c *removal) table(ctx context.Context, lt *lake.Table, p *forget.Piece, moved moves) error {
	return c.locked(ctx, lt, p.Day, func(ctx context.Context) error {
		r, err := c.rewrite(ctx, lt, p.Day, moved)
		if err == nil && (r.Rows > 0 || r.Files > 0 || r.Replaced > 0) {
			p.Changes = append(p.Changes, forget.Change{Table: lt.Schema.Name, Version: lt.Schema.Version, Day: p.Day, Rows: r.Rows,
				Files: r.Files, Replaced: r.Replaced})
		}
		return err
	})
}

// confirming makes a table ask for both leases before and after it publishes.
func (c *removal) confirming(lt *lake.Table) {
	if c.locks.Confirming(lt); lt.Confirm == nil {
		return
	}
	unit := lt.Confirm
	lt.Confirm = func(ctx context.Context, day string) error {
		return cmp.Or(unit(ctx, day), c.own.Confirm(ctx))
	}
}

// rewrite removes the rows of a day from a table that is locked.
func (c *removal) rewrite(ctx context.Context, lt *lake.Table, day string, moved moves) (lake.Rewritten, error) {
	// A removal that was cut short may have left what is to be published: what follows
	// depends on what is.
	if err := lt.Recover(ctx, day); err != nil {
		return lake.Rewritten{}, err
	}
	base, err := lt.Partition(ctx, day)
	if errors.Is(err, fs.ErrNotExist) {
		return lake.Rewritten{}, lt.Tidy(ctx, day) // left by a killed run
	}
	if err != nil {
		return lake.Rewritten{}, err
	}
	t, err := schema.Find(c.data.Tables, lt.Schema.Name)
	if err != nil {
		return lake.Rewritten{}, err
	}
	foreign := c.foreign(lt, base)
	var again lake.Rewritten
	if t.Whole || comparesClients(t) {
		again, err = c.remake(ctx, lt, base, moved)
		if errors.Is(err, lake.ErrNewer) { // rows of others depend on the removed ones: this program cannot make them
			foreign, err = true, nil
			c.piece.Newer = append(c.piece.Newer, fmt.Sprintf("%s %s is to be made again", t.Name, day))
		}
		if err != nil || t.Whole {
			return again, err
		}
		if base, err = lt.Partition(ctx, day); err != nil {
			return again, err
		}
	}
	found := forget.Found{}
	r := lake.Rewrite{Name: c.generation(base), Keys: c.keys(lt.Schema), Found: func(texts [][]byte) { found.Add(c.set, texts...) },
		Publishing: c.saving(found, forget.Change{Table: lt.Schema.Name, Version: lt.Schema.Version, Day: day}),
		State:      func(m *lake.Manifest) string { return origin.State(t, m) }}
	current := t.Version == lt.Schema.Version && !foreign // from others nothing is made, nor they again
	if current {
		if r.Change, err = etl.Follow(ctx, c.data, t, base, moved); err != nil {
			return lake.Rewritten{}, err
		}
	}
	done, err := lt.Rewrite(ctx, day, r)
	switch {
	case err != nil || !current:
	case done.Generation != base.Generation:
		moved[t.Name] = [2]string{base.Generation, done.Generation}
	case base.Rewritten != "": // by a cycle that was cut short
		moved[t.Name] = [2]string{base.Rewritten, base.Generation}
	}
	done.Files, done.Replaced = done.Files+again.Files, done.Replaced+again.Replaced
	return done, err
}

// foreign records, for the requests to wait, that a partition has columns that name clients and that this program does not know.
func (c *removal) foreign(lt *lake.Table, base *lake.Manifest) bool {
	unknown := base.UnknownClients(lt.Schema)
	if len(unknown) > 0 {
		c.piece.Newer = append(c.piece.Newer,
			fmt.Sprintf("%s %s may name the clients in %s", lt.Schema.Name, base.Day, strings.Join(unknown, ", ")))
	}
	return len(unknown) > 0
}

// comparesClients reports whether rows of a table are left out because of other clients' rows. If these go, a row may come
// back, so the partition is made again. If it cannot be made, at least the removed clients' rows go.
func comparesClients(t *schema.Table) bool { return t.Earlier != "" && t.Earlier != t.Name }

// remake makes a partition again if rows were removed from its inputs. Partitions of
// other versions, or without inputs, stay: nothing says which of their rows count the client.
func (c *removal) remake(ctx context.Context, lt *lake.Table, base *lake.Manifest, moved moves) (done lake.Rewritten, err error) {
	t, err := schema.Find(c.data.Tables, lt.Schema.Name)
	if err != nil || t.Version != lt.Schema.Version {
		return done, err
	}
	made, err := etl.Remake(ctx, c.data, c.locks, c.o.Log, job.Unit{Table: t.Name, Day: base.Day})
	if err != nil {
		return done, err
	}
	now, err := lt.Partition(ctx, base.Day)
	if err != nil {
		return done, err
	}
	if made {
		done.Files = len(now.Files)
	} else if err := lt.Tidy(ctx, base.Day); err != nil { // left by a killed run
		return done, err
	}
	_, removed := moved[t.Needs[0]]
	if made || removed {
		done.Replaced, err = lt.EndGrace(ctx, base.Day)
	}
	done.Generation = now.Generation
	return done, err
}
