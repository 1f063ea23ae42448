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
	Options WriterOptions // of the files written anew; Laptop if not set
}

// Rewritten is what a Rewrite did.
type Rewritten struct {
	Rows       int64  // removed
	Files      int    // written anew or left out; the others stayed as they were
	Generation string // published now; "" if the day has no partition
}

// Rewrite publishes a partition anew without some of its rows, whole or not at
// all. Files without such rows stay as they are; the others are written again
// with the columns they have, whatever those of the table are today. If no row
// goes and nothing is changed, nothing is published.
//
// Like Begin, which it calls, it is for the one process that writes the day: a
// generation of the day that somebody else has not published yet is removed,
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
	w := newRewriter(g, r, base)
	for _, f := range base.Files {
		if err := w.file(ctx, f); err != nil {
			return Rewritten{}, fmt.Errorf("file %s: %w", f.Name, err)
		}
	}
	m := *base
	if !r.change(&m) && w.done.Files == 0 {
		return Rewritten{Generation: base.Generation}, t.tidy(ctx, day)
	}
	if r.Name == base.Generation {
		return Rewritten{}, errPublished
	}
	m.Generation, m.Rewritten = r.Name, base.Generation
	m.Files = append(w.made, w.kept...)
	w.done.Generation = r.Name
	return w.done, g.publish(ctx, m, w.kept)
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
