package live

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// change describes the effect of a publication on a partition.
type change struct {
	drops map[string]bool // files that go
	ends  map[string]bool // open files that have their load from now on
	loads []string        // that have all their rows from now on
	until int64
	write func(w *files) error // new files, before the others of these are read; nil: none
	shows int                  // rows that were not visible before
}

// publish makes visible what waits, reads what is missing from the archive, and merges small files.
func (r *Rows) publish(ctx context.Context, ending bool) {
	r.look(ctx, r.came())
	for _, t := range r.tables {
		for _, d := range t.days {
			if d.waits() {
				r.attempt(ctx, d, func() error { return r.publishDay(ctx, d, ending) })
			}
			if !ending && !d.over && d.known && !r.busy.Load() {
				r.attempt(ctx, d, func() error { return r.merge(ctx, d) })
			}
		}
	}
}

func (r *Rows) publishDay(ctx context.Context, d *day, ending bool) error {
	if !d.known {
		if err := r.locked(ctx, d, func(context.Context, *lake.Manifest) error { return nil }); err != nil {
			return err
		}
	}
	if !ending && len(d.due) > 0 && !r.busy.Load() {
		if err := r.catchUp(ctx, d); err != nil {
			return err
		}
	}
	if !r.alone || d.over || d.gap || !d.dirty || len(d.due) > 0 { // what is due may have open files yet
		return nil
	}
	return r.showOpen(ctx, d)
}

// attempt does something with a partition. A failure is logged once: it is tried again.
func (r *Rows) attempt(ctx context.Context, d *day, do func() error) {
	err := do()
	switch {
	case err == nil:
		d.failed = Failures{}
		return
	case errors.Is(err, errLost), ctx.Err() != nil:
	default:
		if _, news := d.failed.Add(err, errors.Is(err, errChanging)); news {
			r.o.Log.Error("live rows do not become visible: it is tried again", "table", d.table.Name, "day", d.unit.Day, "error", err)
		}
	}
	d.known = false
}

// showOpen publishes the rows of the batch in an open file, in the place of the one with the first of them.
func (r *Rows) showOpen(ctx context.Context, d *day) error {
	var made string
	var ahead bool
	err := r.locked(ctx, d, func(ctx context.Context, base *lake.Manifest) error {
		if d.over || base != nil && base.Rows >= int64(r.o.MaxRows) {
			d.tooLarge(r.o.Log)
			return nil
		}
		if ahead = r.ahead(d); ahead {
			return nil
		}
		return r.apply(ctx, d, base, &change{
			drops: d.dropping(), until: d.until, shows: d.batch.Rows - d.shown,
			write: func(w *files) (err error) {
				made, err = w.batch(d, r.o.Edge)
				return err
			},
		})
	})
	if err != nil || d.over || ahead {
		return err
	}
	d.open = append(slices.DeleteFunc(d.open, func(name string) bool { return name == d.head }), made)
	d.head, d.dirty, d.shown = made, false, d.batch.Rows
	clear(d.stale)
	if d.batch.Rows >= headRows || d.large() {
		d.clear()
	}
	return nil
}

// headRows limits the rows of an open file, which each publication writes again. Then the next file begins.
const headRows = 4000

// dropping returns the open files that a publication of the batch is in the place of.
func (d *day) dropping() map[string]bool {
	drops := maps.Clone(d.stale)
	if d.head != "" {
		drops[d.head] = true
	}
	return drops
}

// finish publishes the rows of the open load for good: it is in the archive.
func (r *Rows) finish(ctx context.Context, d *day, load string) error {
	err := r.locked(ctx, d, func(ctx context.Context, base *lake.Manifest) error {
		if d.over {
			return nil
		}
		if d.loads[load] {
			return r.dropOpen(ctx, d, base)
		}
		c := &change{drops: maps.Clone(d.stale), ends: map[string]bool{}, loads: []string{load}, until: d.until}
		for _, name := range d.open {
			c.ends[name] = true
		}
		if d.dirty {
			if c.drops = d.dropping(); d.head != "" {
				delete(c.ends, d.head)
			}
			c.shows = d.batch.Rows - d.shown
			c.write = func(w *files) error {
				_, err := w.batch(d, "")
				return err
			}
		}
		return r.apply(ctx, d, base, c)
	})
	if err == nil {
		delete(d.due, load)
		clear(d.stale)
		d.reset()
	}
	return err
}

// dropOpen removes the open files of a load whose rows have been made from the archive meanwhile.
func (r *Rows) dropOpen(ctx context.Context, d *day, base *lake.Manifest) error {
	c := &change{drops: maps.Clone(d.stale)}
	for _, name := range d.open {
		c.drops[name] = true
	}
	if len(c.drops) == 0 {
		return nil
	}
	return r.apply(ctx, d, base, c)
}

// ahead reports whether the partition has rows of a load of this edge that has not been announced: it may be the open one.
func (r *Rows) ahead(d *day) bool {
	for l := range d.loads {
		if naming.EdgeOf(l) == r.o.Edge && l > r.last {
			return true
		}
	}
	return false
}

// locked does something with a partition that no other process makes meanwhile, and that is known.
func (r *Rows) locked(ctx context.Context, d *day, do func(context.Context, *lake.Manifest) error) error {
	return etl.Hold(ctx, r.data, r.locks, d.table, d.unit, func(ctx context.Context, base *lake.Manifest) (err error) {
		if !(d.known && d.is(base)) {
			if base, err = r.sync(ctx, d, base); err != nil {
				return err
			}
		}
		return do(ctx, base)
	})
}

// is reports whether the partition is that which was published last.
func (d *day) is(m *lake.Manifest) bool {
	if m == nil {
		return d.generation == ""
	}
	return m.Generation == d.generation
}

// apply publishes a change.
func (r *Rows) apply(ctx context.Context, d *day, base *lake.Manifest, c *change) error {
	r.serial++
	w := &files{table: d.table, name: d.name(base, r.o.Edge, r.serial)}
	lt := r.data.TableOf(d.table)
	lt.OnPublish = nil // others follow days that are made
	r.locks.Confirming(lt)
	var err error
	if w.g, err = lt.Begin(ctx, d.unit.Day, w.name); err != nil {
		return err
	}
	if c.write != nil {
		if err := c.write(w); err != nil {
			return err
		}
	}
	loads, state := d.loads, recordedState(d.table, base)
	if len(c.loads) > 0 {
		loads = maps.Clone(d.loads)
		for _, l := range c.loads {
			loads[l] = true
		}
		if state, err = r.extended(ctx, d, loads, state); err != nil {
			return err
		}
	}
	m := lake.Manifest{
		Inputs: state, Files: w.made,
		Live: &lake.Live{Until: max(c.until, untilOf(base)), Loads: slices.Sorted(maps.Keys(loads))},
	}
	if d.table.Made == schema.FromProbes {
		m.Probes = r.data.Probes.Hash()
	}
	if err := w.g.Grow(ctx, m, base, c.unchanged(base)); err != nil {
		return err
	}
	d.generation, d.loads, d.merges = w.name, loads, d.merges || len(c.loads) > 0
	if r.o.Published != nil {
		r.o.Published(d.table.Name, int64(c.shows), lake.SizeOf(w.made))
	}
	return nil
}

// unchanged returns the files of a partition that stay.
func (c *change) unchanged(base *lake.Manifest) (files []lake.File) {
	if base == nil {
		return nil
	}
	for _, f := range base.Files {
		if c.drops[f.Name] {
			continue
		}
		if c.ends[f.Name] {
			f.OpenFor = ""
		}
		files = append(files, f)
	}
	return files
}

// name names the generation that follows base.
func (d *day) name(base *lake.Manifest, edge string, serial int) string {
	h := sha256.New()
	if base != nil {
		fmt.Fprintln(h, base.Generation)
	}
	fmt.Fprintln(h, "live", edge, serial, d.until, d.batch.Rows, slices.Sorted(maps.Keys(d.loads)), slices.Sorted(maps.Keys(d.due)))
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func untilOf(m *lake.Manifest) int64 {
	if m == nil || m.Live == nil {
		return 0
	}
	return m.Live.Until
}
