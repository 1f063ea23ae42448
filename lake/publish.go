package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/pingmill/pingmill/store"
)

// Publish switches readers to this generation, completely or not at all. The manifest lists the parts and
// files of this generation; base, if not nil, is the published manifest whose other parts remain.
//
// If folders can be exchanged atomically, readers see either the old or the new partition. In a bucket
// without folders, Publish copies the new files beside the old ones, replaces the manifest if it is still the
// one that Begin found, and removes the old files. pingmill's readers trust the manifest and see one
// generation; engines that list the folder may briefly see both.
//
// After an error either the old or the new generation is published; Begin or Recover finishes or rolls back the rest.
func (g *Generation) Publish(ctx context.Context, m Manifest, base *Manifest) error {
	unchanged, err := m.keep(base)
	if err == nil {
		err = g.publish(ctx, g.sign(m), base, unchanged)
	}
	if err != nil {
		return fmt.Errorf("publish %s %s: %w", g.table.Schema.Name, g.day, err)
	}
	return nil
}

// Extend publishes, like Publish, the files of the manifest and those of base without the open files of the edge. Such
// a partition has no parts: a run makes it again.
func (g *Generation) Extend(ctx context.Context, m Manifest, base *Manifest, edge string) error {
	var unchanged []File
	if base != nil {
		for _, f := range base.Files {
			if f.OpenFor != edge {
				unchanged = append(unchanged, f)
			}
		}
	}
	return g.Grow(ctx, m, base, unchanged)
}

// Grow is Extend with an explicit list of base's files that remain.
func (g *Generation) Grow(ctx context.Context, m Manifest, base *Manifest, unchanged []File) error {
	m.Parts, m.Files = nil, slices.Concat(m.Files, unchanged)
	if err := g.publish(ctx, g.sign(m), base, unchanged); err != nil {
		return fmt.Errorf("extend %s %s: %w", g.table.Schema.Name, g.day, err)
	}
	return nil
}

// sign fills in the format, table, version, day, generation and columns of the manifest.
func (g *Generation) sign(m Manifest) Manifest {
	t := g.table.Schema
	m.Format, m.Table, m.Version = manifestFormat, t.Name, t.Version
	m.Day, m.Generation, m.Columns = g.day, g.name, Fingerprint(t.Columns)
	return m
}

// publish publishes the files of the manifest. unchanged lists those that are already in base, the published generation.
func (g *Generation) publish(ctx context.Context, m Manifest, base *Manifest, unchanged []File) error {
	t := g.table
	m.sum()
	if !t.rename {
		return g.publishInBucket(ctx, &m, base, unchanged)
	}
	if err := g.link(ctx, base, unchanged); err != nil {
		return err
	}
	if err := g.compact(ctx, &m, g.Path); err != nil {
		return err
	}
	// From here on, any server that takes over the day will publish this generation.
	if err := t.confirm(ctx, g.day); err != nil {
		return err
	}
	if err := t.writeManifest(ctx, g.dir, &m); err != nil {
		return err
	}
	return t.exchange().finish(ctx, g.dir, &m, base, unchanged)
}

// link links files of the published partition into this generation, or copies them if the bucket has no links.
func (g *Generation) link(ctx context.Context, base *Manifest, files []File) error {
	if len(files) == 0 {
		return nil
	}
	t := g.table
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	dir := t.filesDir(ctx, base)
	err := store.LinkAll(ctx, t.bucket, dir, g.dir, names)
	if own := t.dir(g.day); missing(err) && dir != own { // the retained files were removed
		dir, err = own, store.LinkAll(ctx, t.bucket, own, g.dir, names)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = g.copyAll(ctx, dir, names)
	}
	if err != nil {
		return fmt.Errorf("keep files of the published generation: %w", err)
	}
	return nil
}

func (g *Generation) copyAll(ctx context.Context, dir string, names []string) error {
	for _, name := range names {
		if err := store.CopyIn(ctx, g.table.bucket, path.Join(dir, name), g.dir, name); err != nil {
			return err
		}
	}
	return nil
}
