package site

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"iter"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// snapshot is a bucket for looking at many days at once: the records of loads
// and the manifests, which describe several partitions or are needed by several,
// are read once.
type snapshot struct {
	store.Bucket

	mu    sync.Mutex
	lists map[string][]store.Entry
	texts map[string]text
}

// text is a small object, or that there is none.
type text struct {
	data []byte
	err  error
}

func newSnapshot(b store.Bucket) *snapshot {
	return &snapshot{Bucket: b, lists: map[string][]store.Entry{}, texts: map[string]text{}}
}

// Snapshot returns the present state of the data, for reading.
func (d *Data) Snapshot() *Data {
	c := *d
	c.Archive = newSnapshot(d.Archive)
	c.Roots = map[schema.Root]store.Bucket{}
	for r, b := range d.Roots {
		c.Roots[r] = newSnapshot(b)
	}
	return &c
}

// Fresh implements archive.Refresher.
func (b *snapshot) Fresh() store.Bucket { return b.Bucket }

// List caches the listings of records. Data files are listed only once anyway.
func (b *snapshot) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	if !strings.HasPrefix(prefix, naming.Loads+"/") {
		return b.Bucket.List(ctx, prefix)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	entries, known := b.lists[prefix]
	if !known {
		for e, err := range b.Bucket.List(ctx, prefix) {
			if err != nil {
				return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, err) }
			}
			entries = append(entries, e)
		}
		b.lists[prefix] = entries
	}
	return func(yield func(store.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Children implements store.Lister: the underlying bucket may have a faster way than listing everything below
// dir.
func (b *snapshot) Children(ctx context.Context, dir string) iter.Seq2[store.Entry, error] {
	return store.Children(ctx, b.Bucket, dir)
}

// Open caches the content of records and manifests.
func (b *snapshot) Open(ctx context.Context, name string) (store.Reader, error) {
	if !strings.HasSuffix(name, ".json") {
		return b.Bucket.Open(ctx, name)
	}
	b.mu.Lock()
	t, known := b.texts[name]
	b.mu.Unlock()
	if !known || t.err != nil && strings.HasPrefix(name, naming.Loads+"/") { // a load may have been committed since
		t.data, t.err = store.ReadFile(ctx, b.Bucket, name)
		if t.err != nil && !errors.Is(t.err, fs.ErrNotExist) {
			return nil, t.err
		}
		b.mu.Lock()
		b.texts[name] = t
		b.mu.Unlock()
	}
	if t.err != nil {
		return nil, t.err
	}
	return textReader{bytes.NewReader(t.data)}, nil
}

type textReader struct{ *bytes.Reader }

func (textReader) Close() error { return nil }

// Unwrap returns the underlying bucket.
func (b *snapshot) Unwrap() store.Bucket { return b.Bucket }
