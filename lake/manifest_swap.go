package lake

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/store"
)

// maxManifest is the largest accepted manifest, in bytes: a thousand times the size of a large one.
const maxManifest = 64 << 20

// manifestBytes returns the raw bytes of a day's manifest, or nil if the day has none.
func (t *manifests) manifestBytes(ctx context.Context, day string) ([]byte, error) {
	b, err := store.ReadFile(ctx, t.bucket, t.Path(day, manifestName))
	if missing(err) {
		return nil, nil
	}
	if err == nil && len(b) > maxManifest {
		err = fmt.Errorf("manifest %s has %d bytes: it is none of ours", t.Path(day, manifestName), len(b))
	}
	return b, err
}

// swapManifest replaces the manifest of a day by compare-and-swap; a nil text removes it. If the response was
// lost, it reads the manifest to find out whether the swap succeeded.
func (t *manifests) swapManifest(ctx context.Context, day string, was, text []byte) error {
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

// complete checks that the partition's folder has all files of a manifest, in their sizes. It trusts entries
// of the listing that match, and looks up every other file, since listings may be stale.
func (t *manifests) complete(ctx context.Context, m *Manifest, listed map[string]int64) error {
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

// sizeOf returns the size of an object in bytes.
func (t *manifests) sizeOf(ctx context.Context, name string) (int64, error) {
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

// fence replaces a day's manifest, if there is one, by one with equal content and other bytes, so that the
// compare-and-swap of a server that began earlier fails.
func (t *manifests) fence(ctx context.Context, day string, text []byte) error {
	if text == nil {
		return nil // confirmSwapped rolls it back
	}
	m, err := t.parseManifest(text)
	if err != nil {
		return err
	}
	m.Fence++
	fenced, err := m.encode()
	if err != nil {
		return err
	}
	return t.swapManifest(ctx, day, text, fenced)
}
