package lake

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Rewrite selects the rows of a published partition to remove.
type Rewrite struct {
	Name string // of the new generation
	Keys []Key  // a row that one of them selects is removed
	// Change, if not nil, may adjust Inputs and Parts of the manifest before publication, and reports whether it did.
	Change  func(m *Manifest) (changed bool)
	State   func(m *Manifest) string // names what other partitions take from the old generation, see Manifest.Before; nil: nothing
	Options WriterOptions            // of the rewritten files; default Laptop

	// Found, if not nil, gets the texts by which each removed row is selected. Publishing, if not nil, is called before rows are
	// removed, when all of them are known; an error stops it.
	Found      func(texts [][]byte)
	Publishing func(ctx context.Context) error
}

// Key selects rows by the texts of a top-level column, such as client_id. Files without the column have no such rows.
type Key struct {
	Column string
	// Drop reports whether to remove the rows with this text as value of the column, or as any part of the value of a
	// struct, list or map. Rows with a null remain.
	Drop func(text []byte) bool
}

// Rewritten is the result of Table.Rewrite.
type Rewritten struct {
	Rows       int64  // removed
	Files      int    // rewritten or removed; the others are unchanged
	Replaced   int    // retained files of earlier generations that had such rows
	Generation string // published now; "" if the day has no partition
}

// Rewrite atomically publishes a generation of the partition without the selected rows. Files without such
// rows are linked unchanged; the others are rewritten with the columns that they have, even if the table has
// others today. If there is no row to remove and no change, Rewrite publishes nothing. Replaced files with
// such rows that are kept for readers are removed at once.
//
// Only the process that writes the day may call it, as for Begin, which it calls: an unpublished generation
// of the day is removed, including any selected rows in it. After an error the old or the new generation is
// published, and the same call again finishes the work.
func (t *Table) Rewrite(ctx context.Context, day string, r Rewrite) (Rewritten, error) {
	out, err := t.rewrite(ctx, day, r)
	if err != nil {
		return Rewritten{}, fmt.Errorf("rewrite %s %s: %w", t.Schema.Name, day, err)
	}
	return out, nil
}

func (t *Table) rewrite(ctx context.Context, day string, r Rewrite) (Rewritten, error) {
	g, err := t.Begin(ctx, day, r.Name)
	if err != nil {
		return Rewritten{}, err
	}
	base, err := t.Partition(ctx, day)
	if missing(err) {
		return Rewritten{}, t.tidy(ctx, day)
	}
	if err != nil {
		return Rewritten{}, err
	}
	w := newRewriter(ctx, g, r, base)
	if err = w.publish(ctx, base); err == nil {
		w.done.Replaced, err = t.purge(ctx, day, func(name string) bool { return w.holds(ctx, name) })
	}
	return w.done, err
}

// publish publishes the generation if there are rows to remove or the manifest changes.
func (w *rewriter) publish(ctx context.Context, base *Manifest) error {
	for _, f := range base.Files {
		if err := w.file(ctx, f); err != nil {
			return fmt.Errorf("file %s: %w", f.Name, err)
		}
	}
	if w.done.Files > 0 && w.r.Publishing != nil {
		if err := w.r.Publishing(ctx); err != nil {
			return err
		}
	}
	m := *base
	if !w.r.change(&m) && w.done.Files == 0 {
		w.done.Generation = base.Generation
		return w.g.table.tidy(ctx, base.Day)
	}
	if w.r.Name == base.Generation {
		return errPublished
	}
	m.Generation, m.Rewritten = w.r.Name, base.Generation
	if w.r.State != nil {
		m.Before = w.r.State(base)
	}
	m.Files = append(w.made, w.unchanged...)
	w.done.Generation = w.r.Name
	return w.g.publish(ctx, m, base, w.unchanged)
}

// errPublished means that the published generation already has the new generation's name but still contains
// rows to remove.
var errPublished = errors.New("the published generation has the new one's name already")

// change lets the caller adjust a copy of the manifest, and copies back the members that may change.
func (r *Rewrite) change(m *Manifest) bool {
	if r.Change == nil {
		return false
	}
	edit := *m
	edit.Inputs, edit.Parts, edit.Files = slices.Clone(m.Inputs), slices.Clone(m.Parts), slices.Clone(m.Files)
	if !r.Change(&edit) {
		return false
	}
	m.Inputs, m.Parts = edit.Inputs, edit.Parts
	return true
}
