package storetest

import (
	"context"
	"iter"

	"github.com/pingmill/pingmill/store"
)

// Create implements store.Bucket.
func (f *Faults) Create(ctx context.Context, name string) (store.Writer, error) {
	if err := f.change("create", name); err != nil {
		return nil, err
	}
	w, err := f.inner.Create(ctx, name)
	return f.writer(w, name, err)
}

// CreateIn implements store.DirCreator.
func (f *Faults) CreateIn(ctx context.Context, dir, name string) (store.Writer, error) {
	if err := f.change("create", dir+"/"+name); err != nil {
		return nil, err
	}
	w, err := store.CreateIn(ctx, f.inner, dir, name)
	return f.writer(w, dir+"/"+name, err)
}

func (f *Faults) writer(w store.Writer, name string, err error) (store.Writer, error) {
	if err != nil {
		return nil, err
	}
	return &faultyWriter{Writer: w, faults: f, name: name}, nil
}

// Open implements store.Bucket.
func (f *Faults) Open(ctx context.Context, name string) (store.Reader, error) {
	if err := f.read("open", name); err != nil {
		return nil, err
	}
	return f.inner.Open(ctx, name)
}

// List implements store.Bucket.
func (f *Faults) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	return f.list("list", prefix, f.inner.List(ctx, prefix))
}

// Children implements store.ChildLister.
func (f *Faults) Children(ctx context.Context, dir string) iter.Seq2[store.Entry, error] {
	return f.list("list", dir, store.Children(ctx, f.inner, dir))
}

func (f *Faults) list(op, name string, entries iter.Seq2[store.Entry, error]) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := f.read(op, name); err != nil {
			yield(store.Entry{}, err)
			return
		}
		entries(yield)
	}
}

// Delete implements store.Bucket.
func (f *Faults) Delete(ctx context.Context, name string) error {
	if err := f.change("delete", name); err != nil {
		return err
	}
	return f.inner.Delete(ctx, name)
}
