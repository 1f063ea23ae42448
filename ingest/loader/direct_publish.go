package loader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/lake"
)

// publishDay publishes all rows of a day in an open file.
func (d *direct) publishDay(ctx context.Context, day *directDay, upTo string) error {
	return d.locked(ctx, day, func(ctx context.Context, base *lake.Manifest) (err error) {
		if base == nil || base.Generation != day.generation {
			if base, err = d.sync(ctx, day, base); err != nil {
				return err
			}
		}
		if day.batch.Rows == 0 && growsFor(base, d.edge) { // with rows that are another edge's by now
			return etl.Rebuild(ctx, d.data, d.locks, d.log, day.unit)
		}
		if day.batch.Rows == 0 || !day.dirty && day.publishedIn(base) {
			return nil
		}
		if alone, err := d.alone(ctx); err != nil || !alone {
			return err
		}
		return d.extend(ctx, day, base, upTo, d.edge)
	})
}

// finishDay publishes all rows of a day in a finished file, or makes the
// partition again when the archive got more than these.
func (d *direct) finishDay(ctx context.Context, day *directDay, load string) error {
	return d.locked(ctx, day, func(ctx context.Context, base *lake.Manifest) (err error) {
		before, now, err := d.states(ctx, day, load)
		if err != nil {
			return err
		}
		if recordedState(base) != before || d.data.Sharing != nil && growsForOthers(base, d.edge) {
			return etl.Rebuild(ctx, d.data, d.locks, d.log, day.unit)
		}
		day.state = now
		return d.extend(ctx, day, base, "", "")
	})
}

// locked does something with a partition that no other process makes meanwhile.
func (d *direct) locked(ctx context.Context, day *directDay, do func(context.Context, *lake.Manifest) error) error {
	return etl.Hold(ctx, d.data, d.locks, day.table, day.unit, do)
}

// publishedIn reports whether a partition has the day's open file.
func (day *directDay) publishedIn(m *lake.Manifest) bool {
	return m != nil && slices.ContainsFunc(m.Files, func(f lake.File) bool { return f.Name == day.file })
}

// growsFor reports whether a partition has an open file of an edge.
func growsFor(m *lake.Manifest, edge string) bool {
	return m != nil && slices.ContainsFunc(m.Files, func(f lake.File) bool { return f.OpenFor == edge })
}

// growsForOthers reports whether a partition has an open file of another edge that decoded alone at that time.
// Its rows may be in the archive already.
func growsForOthers(m *lake.Manifest, edge string) bool {
	return m != nil && slices.ContainsFunc(m.Files, func(f lake.File) bool { return f.OpenFor != "" && f.OpenFor != edge })
}

// sync returns the partition with finished files made from the present archive,
// and remembers its state.
func (d *direct) sync(ctx context.Context, day *directDay, base *lake.Manifest) (*lake.Manifest, error) {
	_, state, err := d.states(ctx, day, "")
	if err != nil {
		return nil, err
	}
	if recordedState(base) != state {
		if err := etl.Rebuild(ctx, d.data, d.locks, d.log, day.unit); err != nil {
			return nil, err
		}
		if base, err = etl.PublishedOf(ctx, d.data, day.table, day.unit); err != nil {
			return nil, err
		}
	}
	day.state = state
	return base, nil
}

// recordedState returns the archive's state that a partition is made from.
func recordedState(m *lake.Manifest) string {
	if m == nil || len(m.Inputs) == 0 {
		return etl.NoPingsState
	}
	return m.Inputs[0].Generation
}

// extend publishes the files of base and one file with all rows, which grows
// for an edge unless that is empty.
func (d *direct) extend(ctx context.Context, day *directDay, base *lake.Manifest, upTo, openFor string) error {
	name := day.name(d.edge, base, upTo)
	lt := d.data.TableOf(day.table)
	d.locks.Confirming(lt)
	g, err := lt.Begin(ctx, day.unit.Day, name)
	if err != nil {
		return err
	}
	file, err := etl.WriteRows(day.table, g, day.batch)
	if err != nil {
		return err
	}
	file.OpenFor = openFor
	m := lake.Manifest{
		Inputs: []lake.Input{{Name: day.table.Source(), Generation: day.state}},
		Files:  []lake.File{file},
	}
	if openFor != "" {
		m.Inputs = append(m.Inputs, lake.Input{Name: "spool " + openFor, Generation: upTo})
	}
	if err := g.Extend(ctx, m, base, d.edge); err != nil {
		return err
	}
	if d.onPublished != nil {
		d.onPublished(day.table.Name, int64(day.batch.Rows-day.shown), file.Bytes)
	}
	day.generation, day.file, day.dirty, day.shown = name, file.Name, false, day.batch.Rows
	return nil
}

// name names the generation that extends base by the rows.
func (day *directDay) name(edge string, base *lake.Manifest, upTo string) string {
	h := sha256.New()
	if base != nil {
		fmt.Fprintln(h, base.Generation)
	}
	fmt.Fprintln(h, edge, day.state, upTo, day.batch.Rows)
	return hex.EncodeToString(h.Sum(nil))[:16]
}
