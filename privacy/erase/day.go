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

// day removes the rows of a day, from the archive first. No run publishes
// meanwhile, so none can bring back what it has read before.
func (c *removal) day(ctx context.Context, day string) error {
	release, err := c.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	changes, err := c.changes(ctx, day)
	if err != nil {
		return fmt.Errorf("day %q: %w", day, err)
	}
	c.cycle.Changes = append(c.cycle.Changes, changes...)
	c.cycle.Done++
	if c.o.Progress != nil {
		c.o.Progress(c.cycle)
	}
	return c.forgotten.SaveRunning(ctx, c.cycle)
}

func (c *removal) changes(ctx context.Context, day string) (all []forget.Change, err error) {
	moved, all, err := c.archiveDay(ctx, day)
	if archive.IsDamage(err) { // keep removing rows from the files that are readable
		c.o.Log.Error("removing the rows of forgotten clients: a day of the archive is damaged", "day", day, "error", err)
		c.cycle.Damaged, err = append(c.cycle.Damaged, site.OneLine(err.Error())), nil
	}
	if err != nil || day == "" {
		return all, err
	}
	tables, err := c.data.Versions(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		r, err := c.table(ctx, t, day, moved)
		if err != nil {
			return nil, err
		}
		if r.Rows > 0 || r.Files > 0 || r.Replaced > 0 {
			all = append(all, forget.Change{Table: t.Schema.Name, Version: t.Schema.Version, Day: day, Rows: r.Rows, Files: r.Files,
				Replaced: r.Replaced})
		}
	}
	return all, nil
}

// moves are the generations that inputs of tables had before rows were removed,
// and those that they have now, by the input's name.
type moves map[string][2]string

// archiveDay removes a day's rows from the archive.
func (c *removal) archiveDay(ctx context.Context, day string) (moves, []forget.Change, error) {
	moved := moves{}
	var all []forget.Change
	changed := func(table string, r archive.Rewritten) {
		if r.Rows > 0 {
			all = append(all, forget.Change{Table: table, Day: day, Rows: r.Rows, Files: r.Files})
		}
	}
	var damaged []error
	if day != "" {
		types, err := archive.DocTypes(ctx, c.data.Archive, ping.Day(day))
		if archive.IsDamage(err) {
			damaged, err = append(damaged, err), nil
		}
		if err != nil {
			return nil, nil, err
		}
		for _, t := range types {
			if err := c.lock.Confirm(ctx); err != nil {
				return nil, nil, err
			}
			r, err := archive.RewriteDay(ctx, c.data.Archive, ping.Day(day), t, c.dropPings(ping.Day(day), t))
			if archive.IsDamage(err) {
				damaged = append(damaged, err)
				continue
			}
			if err != nil {
				return nil, nil, err
			}
			moved[naming.Source(string(t))] = [2]string{r.Before, r.After}
			changed("archive/"+string(t), r)
		}
	}
	if err := c.lock.Confirm(ctx); err != nil {
		return nil, nil, err
	}
	r, err := archive.RewriteErrors(ctx, c.data.Archive, ping.Day(day), c.dropRejected(ctx, ping.Day(day)))
	if err == nil {
		changed("errors", r)
	}
	return moved, all, errors.Join(append(damaged, err)...)
}

// table removes a day's rows from a table. A partition that was made from
// inputs that have lost no other rows is as current as before.
func (c *removal) table(ctx context.Context, lt *lake.Table, day string, moved moves) (r lake.Rewritten, err error) {
	err = c.locked(ctx, lt, day, func(ctx context.Context) error {
		r, err = c.rewrite(ctx, lt, day, moved)
		return err
	})
	return r, err
}

// confirming makes a table ask for both leases before and after it publishes.
func (c *removal) confirming(lt *lake.Table) {
	if c.locks.Confirming(lt); lt.Confirm == nil {
		return
	}
	unit := lt.Confirm
	lt.Confirm = func(ctx context.Context, day string) error {
		return cmp.Or(unit(ctx, day), c.lock.Confirm(ctx))
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
			c.cycle.Newer = append(c.cycle.Newer, fmt.Sprintf("%s %s is to be made again", t.Name, day))
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
		c.cycle.Newer = append(c.cycle.Newer,
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
