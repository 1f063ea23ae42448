package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	cloud "gocloud.dev/blob"

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

// list checks what the server says: names come sorted, each once and below the prefix. Those that store.CheckName refuses are not ours: nobody
// could open them.
func (b *Bucket) list(ctx context.Context, prefix, delimiter string, yield func(store.Entry, error) bool) {
	if err := b.ended(ctx, "list", prefix); err != nil {
		yield(store.Entry{}, err)
		return
	}
	last := ""
	for objects := b.cloud.List(&cloud.ListOptions{Prefix: b.prefix + prefix, Delimiter: delimiter}); ; {
		o, err := objects.Next(ctx)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			yield(store.Entry{}, b.explain(ctx, "list", prefix, err))
			return
		}
		name, below := strings.CutPrefix(o.Key, b.prefix)
		switch {
		case !below || !strings.HasPrefix(name, prefix):
			err = fmt.Errorf("list %s: the server names %q, which is not below it", b.path(prefix), o.Key)
		case name <= last && last != "":
			err = fmt.Errorf("list %s: the server names %q after %q: it does not list in the order of names", b.path(prefix), name, last)
		}
		if err != nil {
			yield(store.Entry{}, err)
			return
		}
		last = name
		if store.CheckName(strings.TrimSuffix(name, "/")) != nil || !o.IsDir && strings.HasSuffix(name, "/") {
			continue
		}
		if !yield(store.Entry{Name: name, Size: o.Size}, nil) {
			return
		}
	}
}
