package lake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/store"
)

// In a bucket without folders one object says what is published of a day: the
// manifest. It changes by compare-and-swap only, so of all servers that began
// from the same one, however long they were held up, one succeeds.
//
// What is not published yet lies in the staging folder. Publishing copies it into the
// partition's folder, where readers of manifests do not see it, replaces the
// manifest, and removes what that does not name. Nothing in the partition's folder is
// removed before the manifest has changed: until then another server might
// publish it.

// atOnce is how many objects of a partition are copied or deleted at a time.
const atOnce = 16

// maxManifest bounds what is read as a manifest, in bytes: a thousand times a large one.
const maxManifest = 64 << 20

// manifestBytes reads a day's manifest as it is, nil if there is none.
func (t *Table) manifestBytes(ctx context.Context, day string) ([]byte, error) {
	b, err := store.ReadFile(ctx, t.bucket, t.Path(day, manifestName))
	if missing(err) {
		return nil, nil
	}
	if err == nil && len(b) > maxManifest {
		err = fmt.Errorf("manifest %s has %d bytes: it is none of ours", t.Path(day, manifestName), len(b))
	}
	return b, err
}

// publishInBucket publishes in a bucket without folders. kept are files that base has as well.
func (g *Generation) publishInBucket(ctx context.Context, m, base *Manifest, kept []File) error {
	now, err := g.replaces(base)
	if err != nil {
		return err
	}
	if now != nil && now.Generation == m.Generation {
		m.Fence = now.Fence
	}
	stays := fileNames(&Manifest{Files: kept})
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
		return nil // another process has made the same and removed what was staged
	}
	return err
}

// replaces is the manifest that this one takes the place of, nil if there is none or
// none of ours; base is what the caller takes it for.
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

// isPublished says whether the published partition is the one of a manifest, in other
// words but for compact files.
func (g *Generation) isPublished(ctx context.Context, m *Manifest) bool {
	if ctx.Err() != nil {
		return false
	}
	now, err := g.table.Partition(ctx, g.day)
	return err == nil && now.Generation == m.Generation && slices.Equal(now.Parts, m.Parts) && slices.Equal(now.Files, m.Files) &&
		g.table.complete(ctx, now, nil) == nil
}

// copyIn copies files of the generation into the partition's folder, but for those that
// stay there.
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

// switchTo makes readers see the manifest, whose files are in their place, instead of
// now, and removes what nobody needs then.
func (g *Generation) switchTo(ctx context.Context, m, now *Manifest) error {
	t := g.table
	k, err := t.lookKept(ctx, g.day)
	if err == nil {
		err = t.complete(ctx, m, k.sizes)
	}
	if err != nil {
		return err
	}
	gone, _, err := k.replace(ctx, m, now)
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
	t.tell(m.Day)
	if err := g.confirmSwapped(ctx, m, text); err != nil {
		return err
	}
	if err := deleteAll(ctx, t.bucket, k.dir, gone); err != nil {
		return err
	}
	return store.DeleteTree(ctx, t.bucket, t.stagingDir(g.day))
}

// swapManifest replaces the manifest of a day, or with nil removes it. An answer that
// was lost is looked up.
func (t *Table) swapManifest(ctx context.Context, day string, was, text []byte) error {
	err := t.bucket.CompareAndSwap(ctx, t.Path(day, manifestName), was, text)
	if err == nil {
		return nil
	}
	now, readErr := t.manifestBytes(context.WithoutCancel(ctx), day)
	switch {
	case readErr != nil:
		return fmt.Errorf("it is not certain what is published: %w", errors.Join(err, readErr))
	case !bytes.Equal(was, text) && (now == nil) == (text == nil) && bytes.Equal(now, text):
		return nil
	case errors.Is(err, store.ErrChanged):
		return fmt.Errorf("%w: %w", errReplaced, err)
	}
	return err
}

// confirmSwapped makes sure that nobody else was at the day while the manifest was
// replaced. Who has had the day meanwhile may have removed files that nobody
// named then; what was published goes back if it did.
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
	return fmt.Errorf("generation %s was published, but it is not certain that it is what is there now: %w", m.Generation, err)
}

// complete makes sure that all files of a manifest are in the partition's folder, in
// their sizes. Those of a listing are taken for true where they fit; a file
// that it lacks is looked for, as listings may be old.
func (t *Table) complete(ctx context.Context, m *Manifest, listed map[string]int64) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, f := range m.All() {
		if size, ok := listed[f.Name]; ok && size == f.Bytes {
			continue
		}
		group.Go(func() error {
			size, err := t.sizeOf(ctx, t.Path(m.Day, f.Name))
			switch {
			case missing(err):
				return fmt.Errorf("%w: %s is missing", errIncomplete, t.Path(m.Day, f.Name))
			case err != nil:
				return err
			case size != f.Bytes:
				return fmt.Errorf("%w: %s has %d bytes instead of %d", errIncomplete, t.Path(m.Day, f.Name), size, f.Bytes)
			}
			return nil
		})
	}
	return group.Wait()
}

// sizeOf is the size of an object.
func (t *Table) sizeOf(ctx context.Context, name string) (int64, error) {
	id, err := t.bucket.Identify(ctx, name)
	if !errors.Is(err, errors.ErrUnsupported) {
		return id.Size, err
	}
	r, err := t.bucket.Open(ctx, name)
	if err != nil {
		return 0, err
	}
	return r.Size(), r.Close()
}

// deleteAll deletes objects of a folder.
func deleteAll(ctx context.Context, b store.Bucket, dir string, names []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, name := range names {
		group.Go(func() error { return b.Delete(ctx, path.Join(dir, name)) })
	}
	return group.Wait()
}
