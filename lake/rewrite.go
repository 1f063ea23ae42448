package lake

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Rewrite says which rows of a published partition go.
type Rewrite struct {
	Name   string                  // of the new generation
	Column string                  // a text column at the top, such as client_id
	Drop   func(value []byte) bool // whether the rows of a value go; those with a null stay
	// Change, if not nil, may adjust Inputs and Parts of the manifest before it is
	// published, and says whether it did.
	Change  func(m *Manifest) (changed bool)
	Options WriterOptions // of the files written again; Laptop if not set
}

// Rewritten is the result of a Rewrite.
type Rewritten struct {
	Rows       int64  // removed
	Files      int    // written again or left out; the others stayed as they were
	Replaced   int    // files of earlier generations that were kept for readers and had such rows
	Generation string // published now; "" if the day has no partition
}

// Rewrite publishes a generation of a partition without some of its rows, whole
// or not at all. Files without such rows stay as they are; the others are written
// again with the columns they have, whatever those of the table are today. If no
// row is removed and nothing is changed, nothing is published. Replaced files that
// are kept for readers are removed at once if they have such rows.
//
// Like Begin, which it calls, it is for the one process that writes the day: a
// generation of the day that another process has not published yet is removed,
// with the rows in it. After an error the old or the new generation is
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

// publish makes the generation without the rows that go, if there are any or
// something else is to be changed.
func (w *rewriter) publish(ctx context.Context, base *Manifest) error {
	for _, f := range base.Files {
		if err := w.file(ctx, f); err != nil {
			return fmt.Errorf("file %s: %w", f.Name, err)
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
	m.Files = append(w.made, w.kept...)
	w.done.Generation = w.r.Name
	return w.g.publish(ctx, m, base, w.kept)
}

// errPublished says that what is published has the name of what was to be made
// from it, but is not what would be made.
var errPublished = errors.New("the published generation has the new one's name already")

// change lets the caller adjust a copy of the manifest and takes over from it
// what may be adjusted.
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
