package lake

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Join is the place of a generation for one of several processes that make it at the same time, each some of its
// files: of the same name and the same bytes where two make one. It finishes, removes and publishes nothing;
// Begin, by whoever publishes the generation, takes over what they have made.
func (t *Table) Join(ctx context.Context, day, name string) (*Generation, error) {
	g, err := t.Joined(day, name)
	if err == nil && t.rename {
		err = store.MakeDir(ctx, t.bucket, g.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("join %s %s: %w", t.Schema.Name, day, err)
	}
	return g, nil
}

// Joined is what Join gives, for looking at what is there: nothing is made.
func (t *Table) Joined(day, name string) (*Generation, error) {
	if err := checkGeneration(name); err != nil {
		return nil, err
	}
	return &Generation{table: t, day: day, name: name, dir: t.attempt(day, name)}, nil
}

func checkGeneration(name string) error {
	if strings.ContainsAny(name, "/-.") || name == oldName || name == goneName {
		return fmt.Errorf("bad generation name %q", name)
	}
	return store.CheckName(name)
}

// adopt takes over what processes that joined have made of a generation: into own, the folder in which this server
// makes it. They know the folder by its name only, so their next write finds nothing.
func (t *Table) adopt(ctx context.Context, joined, own string, all []string) error {
	if joined == own || !slices.Contains(all, joined) {
		return nil
	}
	err := error(nil)
	if slices.Contains(all, own) {
		err = t.merge(ctx, joined, own)
	} else {
		err = store.Rename(ctx, t.bucket, joined, own)
	}
	if missing(err) { // somebody has removed it
		return nil
	}
	return err
}

// merge adds to own the files of joined, which is then removed. A checkpoint is listed before the files that it
// names, and written after them: so there is none without its files.
func (t *Table) merge(ctx context.Context, joined, own string) error {
	var names []string
	for e, err := range t.bucket.List(ctx, joined+"/") {
		if err != nil {
			return err
		}
		names = append(names, strings.TrimPrefix(e.Name, joined+"/"))
	}
	err := store.LinkAll(ctx, t.bucket, joined, own, names)
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
		for _, name := range names {
			err = errors.Join(err, store.CopyIn(ctx, t.bucket, joined+"/"+name, own, name))
		}
	}
	if err != nil {
		return err
	}
	return t.trash(ctx, joined)
}
