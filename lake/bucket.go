package lake

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/store"
)

// This file publishes in a bucket that cannot move folders. There, one object defines the published content
// of a day: the manifest. It only changes by compare-and-swap, so if several servers began from the same
// manifest, exactly one succeeds, no matter how long the others were paused.
//
// The staging folder holds the unpublished files. Publishing copies them into the partition's folder, where
// readers of manifests do not see them, then replaces the manifest, then removes every file that the manifest
// does not name. No file in the partition's folder is removed before the manifest has changed, because
// another server might still publish it.

// atOnce is the number of a partition's objects that are copied, checked or deleted concurrently.
const atOnce = 16

// publishInBucket publishes in a bucket without folders. unchanged lists the files of base that remain in the partition.
func (g *Generation) publishInBucket(ctx context.Context, m, base *Manifest, unchanged []File) error {
	now, err := g.replaces(base)
	if err != nil {
		return err
	}
	if now != nil && now.Generation == m.Generation {
		m.Fence = now.Fence
	}
	stays := fileNames(&Manifest{Files: unchanged})
	err = g.compact(ctx, m, func(file string) string {
		if stays[file] {
			return g.table.Path(g.day, file)
		}
		return g.Path(file)
	})
	if err == nil {
		err = g.copyIn(ctx, m, stays)
	}
	if err == nil {
		err = g.switchTo(ctx, m, now)
	}
	if (missing(err) || errors.Is(err, errIncomplete) || errors.Is(err, errReplaced)) && g.isPublished(ctx, m) {
		return nil // another process has published the same generation and removed the staged files
	}
	return err
}

// replaces returns the manifest that this generation replaces, or nil if there is none or it is unreadable.
// It returns errReplaced if base, the manifest that the caller expects, is no longer the published one.
func (g *Generation) replaces(base *Manifest) (*Manifest, error) {
	if !g.begun {
		return nil, errors.New("this process has joined the generation, and cannot publish it")
	}
	var now *Manifest
	if g.was != nil {
		m, err := g.table.parseManifest(g.was)
		if err == nil {
			now = m
		}
	}
	if base != nil && (now == nil || now.Generation != base.Generation) {
		return nil, errReplaced
	}
	return now, nil
}

// isPublished reports whether the published partition equals m, apart from compact files, and all its files
// are present.
func (g *Generation) isPublished(ctx context.Context, m *Manifest) bool {
	if ctx.Err() != nil {
		return false
	}
	now, err := g.table.Partition(ctx, g.day)
	return err == nil && now.Generation == m.Generation && slices.Equal(now.Parts, m.Parts) && slices.Equal(now.Files, m.Files) &&
		g.table.complete(ctx, now, nil) == nil
}

// copyIn copies the generation's files into the partition's folder, except those in stays, which are already there.
func (g *Generation) copyIn(ctx context.Context, m *Manifest, stays map[string]bool) error {
	t := g.table
	if err := t.confirm(ctx, g.day); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, f := range m.All() {
		if stays[f.Name] {
			continue
		}
		group.Go(func() error {
			err := store.Copy(ctx, t.bucket, g.Path(f.Name), t.Path(g.day, f.Name))
			if missing(err) {
				err = fmt.Errorf("%w: %w", errIncomplete, taken(err))
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("copy the files to their place: %w", err)
	}
	return nil
}

// switchTo replaces the published manifest now by m, whose files must already be in the partition's folder.
// Then it removes the files that no reader needs any more.
func (g *Generation) switchTo(ctx context.Context, m, now *Manifest) error {
	t := g.table
	k, err := t.lookRetained(ctx, g.day)
	if err == nil {
		err = t.complete(ctx, m, k.sizes)
	}
	if err != nil {
		return err
	}
	obsolete, _, err := k.replace(ctx, m, now)
	if err != nil {
		return err
	}
	text, err := m.encode()
	if err != nil {
		return err
	}
	if err := t.confirm(ctx, g.day); err != nil {
		return err
	}
	if err := t.swapManifest(ctx, g.day, g.was, text); err != nil {
		return err
	}
	t.notify(m.Day)
	if err := g.confirmSwapped(ctx, m, text); err != nil {
		return err
	}
	if err := deleteAll(ctx, t.bucket, k.dir, obsolete); err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, t.stagingDir(g.day))
}

// confirmSwapped checks that this server still held the day's lease when it replaced the manifest. If another
// server had the day meanwhile, it may have removed files that no manifest named yet. In that case the
// manifest is rolled back.
func (g *Generation) confirmSwapped(ctx context.Context, m *Manifest, text []byte) error {
	t := g.table
	err := t.confirm(ctx, g.day)
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if lacks := t.complete(ctx, m, nil); errors.Is(lacks, errIncomplete) {
		return errors.Join(err, lacks, t.swapManifest(ctx, g.day, text, g.was))
	}
	return fmt.Errorf("generation %s was published, but another generation may have replaced it: %w", m.Generation, err)
}

// deleteAll deletes the named objects of a folder.
func deleteAll(ctx context.Context, b store.Bucket, dir string, names []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, name := range names {
		group.Go(func() error { return b.Delete(ctx, path.Join(dir, name)) })
	}
	return group.Wait()
}
