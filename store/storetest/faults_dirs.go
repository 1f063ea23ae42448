package storetest

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/pingmill/pingmill/store"
)

// LocalDir implements store.Dirs.
func (f *Faults) LocalDir() (string, bool) {
	if f.Lacks("rename") {
		return "", false
	}
	return store.LocalDir(f.inner)
}

// Children implements store.Dirs.
func (f *Faults) Children(ctx context.Context, dir string) iter.Seq2[store.Entry, error] {
	return f.list("list", dir, store.Children(ctx, f.inner, dir))
}

// MakeDir implements store.Dirs.
func (f *Faults) MakeDir(ctx context.Context, dir string) error {
	if err := f.change("make directory", dir); err != nil {
		return err
	}
	return store.MakeDir(ctx, f.inner, dir)
}

// CreateIn implements store.Dirs.
func (f *Faults) CreateIn(ctx context.Context, dir, name string) (store.Writer, error) {
	if err := f.change("create", dir+"/"+name); err != nil {
		return nil, err
	}
	w, err := store.CreateIn(ctx, f.inner, dir, name)
	return f.writer(w, dir+"/"+name, err)
}

// Rename implements store.Dirs.
func (f *Faults) Rename(ctx context.Context, from, to string) error {
	if err := f.change("rename", from); err != nil {
		return err
	}
	return store.Rename(ctx, f.inner, from, to)
}

// Exchange implements store.Dirs.
func (f *Faults) Exchange(ctx context.Context, one, other string) error {
	if err := f.change("exchange", one); err != nil {
		return err
	}
	return store.Exchange(ctx, f.inner, one, other)
}

// LinkAll implements store.Dirs; each link is an operation.
func (f *Faults) LinkAll(ctx context.Context, from, to string, names []string) error {
	for _, name := range names {
		if err := f.change("link", from+"/"+name); err != nil {
			return err
		}
		if err := store.LinkAll(ctx, f.inner, from, to, []string{name}); err != nil {
			return err
		}
	}
	return nil
}

// DeleteTree implements store.Dirs. A tree goes object by object, each an
// operation: the last first, as nobody may rely on an order.
func (f *Faults) DeleteTree(ctx context.Context, dir string) error {
	var names []string
	for e, err := range f.inner.List(ctx, dir+"/") {
		if err != nil {
			return err
		}
		names = append(names, e.Name)
	}
	for _, name := range slices.Backward(names) {
		if err := f.Delete(ctx, name); err != nil {
			return err
		}
	}
	if err := f.change("delete tree", dir); err != nil {
		return err
	}
	return store.DeleteTree(ctx, f.inner, dir)
}

// Tidy implements store.Dirs.
func (f *Faults) Tidy(ctx context.Context, dir string, before time.Time) error {
	if err := f.change("tidy", dir); err != nil {
		return err
	}
	return store.Tidy(ctx, f.inner, dir, before)
}
