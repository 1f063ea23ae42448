package blob

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// List implements store.Bucket.
func (b *Bucket) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := store.CheckPrefix(prefix); err != nil {
			yield(store.Entry{}, err)
			return
		}
		b.list(ctx, prefix, "", yield)
	}
}

// Children implements store.Lister.
func (b *Bucket) Children(ctx context.Context, dir string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if dir != "" {
			if err := store.CheckName(dir); err != nil {
				yield(store.Entry{}, err)
				return
			}
			dir += "/"
		}
		b.list(ctx, dir, "/", yield)
	}
}

// list checks what the server says: names come sorted, each once and below the prefix. Those that store.CheckName
// refuses are not ours: nobody could open them.
func (b *Bucket) list(ctx context.Context, prefix, delimiter string, yield func(store.Entry, error) bool) {
	if err := b.ended(ctx, "list", prefix); err != nil {
		yield(store.Entry{}, err)
		return
	}
	poll := b.changes.Poll(ctx, "list"+delimiter, prefix)
	if all, ok := poll.Entries(); ok {
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
		return
	}
	var all []store.Entry // for the next poll
	last, token := "", ""
	for {
		page, err := b.service.list(ctx, b.prefix+prefix, delimiter, token, pageSize)
		if err != nil {
			yield(store.Entry{}, b.explain(ctx, "list", prefix, err))
			return
		}
		for _, e := range page.entries {
			name, err := b.listed(prefix, e.name, last)
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			last = name
			if store.CheckName(strings.TrimSuffix(name, "/")) != nil || !e.folder && strings.HasSuffix(name, "/") {
				continue
			}
			entry := store.Entry{Name: name, Size: e.size}
			if poll != nil {
				all = append(all, entry)
			}
			if !yield(entry, nil) {
				return
			}
		}
		if token = page.next; token == "" {
			poll.KeepEntries(all)
			return
		}
	}
}

// pageSize is the number of entries of a page of a list.
const pageSize = 1000

// listed returns the name of a listed object without the bucket's prefix. last is the name before it.
func (b *Bucket) listed(prefix, key, last string) (string, error) {
	name, below := strings.CutPrefix(key, b.prefix)
	switch {
	case !below || !strings.HasPrefix(name, prefix):
		return "", fmt.Errorf("list %s: the server names %q, which is not below it", b.path(prefix), key)
	case name <= last && last != "":
		return "", fmt.Errorf("list %s: the server names %q after %q: it does not list in the order of names", b.path(prefix), name, last)
	}
	return name, nil
}
