package lake

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Join returns a generation for one of several processes that write it concurrently, some of its files each.
// Files of equal name have equal bytes. Join neither finishes nor removes nor publishes anything; Begin in
// the publishing process takes over the files.
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

// Joined returns the same generation as Join, for reading: it creates no folder.
func (t *Table) Joined(day, name string) (*Generation, error) {
	if err := checkGeneration(name); err != nil {
		return nil, err
	}
	return &Generation{table: t, day: day, name: name, dir: t.attempt(day, name)}, nil
}

func checkGeneration(name string) error {
	if strings.ContainsAny(name, "/-.") || name == oldName || name == trashName {
		return fmt.Errorf("bad generation name %q", name)
	}
	return store.CheckName(name)
}

// adopt moves the files that joined processes wrote into own, the folder in which this server writes the
// generation. Those processes know only the old folder name, so their next write fails.
func (t exchange) adopt(ctx context.Context, joined, own string, all []string) error {
	if joined == own || !slices.Contains(all, joined) {
		return nil
	}
	err := error(nil)
	if slices.Contains(all, own) {
		err = t.merge(ctx, joined, own)
	} else {
		err = store.Rename(ctx, t.bucket, joined, own)
	}
	if missing(err) { // another process removed it
		return nil
	}
	return err
}

// merge links or copies the files of joined into own and removes joined. It lists a checkpoint before the
// files that it names and writes it after them, so no checkpoint exists without its files.
func (t exchange) merge(ctx context.Context, joined, own string) error {
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
