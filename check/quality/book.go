package quality

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/pingmill/pingmill/lake"
)

// Book reads profiles, and keeps the heads of all and the last whole ones that it has read. It may be used by several.
type Book struct {
	mu    sync.Mutex
	heads map[string]cached[Head]
	whole map[string]cached[*Profile]
	order []string // of whole, oldest first
	size  int64    // of whole
}

// cached is the decoded content of a file.
type cached[T any] struct {
	content string // of the file
	size    int64
	value   T
}

// maxWhole is the largest total of cached profiles in bytes of their files: a hundred of main_summary's. In
// memory they take several times as much.
const maxWhole = 12 << 20

// NewBook returns an empty cache.
func NewBook() *Book {
	return &Book{heads: map[string]cached[Head]{}, whole: map[string]cached[*Profile]{}}
}

// Head is ReadHead.
func (b *Book) Head(ctx context.Context, lt *lake.Table, day string) (Head, error) {
	key, content, _ := b.key(ctx, lt, day)
	b.mu.Lock()
	c, ok := b.heads[key]
	b.mu.Unlock()
	if ok && content != "" && c.content == content {
		return c.value, nil
	}
	h, err := ReadHead(ctx, lt, day)
	if err != nil {
		return h, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heads[key] = cached[Head]{content: content, value: h}
	return h, nil
}

// Profile is Read; nil where there is no profile, or none that can be read: another one is made then.
func (b *Book) Profile(ctx context.Context, lt *lake.Table, day string) (*Profile, error) {
	key, content, size := b.key(ctx, lt, day)
	b.mu.Lock()
	c, ok := b.whole[key]
	b.mu.Unlock()
	if ok && content != "" && c.content == content {
		return c.value, nil
	}
	p, err := Read(ctx, lt, day)
	var disk *fs.PathError
	switch {
	case err == nil:
	case ctx.Err() != nil, errors.As(err, &disk) && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	default:
		return nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(key)
	b.whole[key], b.order, b.size = cached[*Profile]{content, size, p}, append(b.order, key), b.size+size
	for b.size > maxWhole && len(b.order) > 1 {
		b.drop(b.order[0])
	}
	return p, nil
}

// drop forgets a whole profile.
func (b *Book) drop(key string) {
	if at := slices.Index(b.order, key); at >= 0 {
		b.order = slices.Delete(b.order, at, at+1)
		b.size -= b.whole[key].size
		delete(b.whole, key)
	}
}

// key names a profile, and gives what distinguishes its file from another one in its place, "" if nothing is known of it.
func (b *Book) key(ctx context.Context, lt *lake.Table, day string) (key, content string, size int64) {
	key = name(lt, day)
	if id, err := lt.Bucket().Identify(ctx, key); err == nil {
		content, size = id.Content, id.Size
	}
	return key, content, size
}
